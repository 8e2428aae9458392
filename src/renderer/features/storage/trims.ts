import type { BridgeEvents } from "#shared/bridge/events.ts";
import { bytes, count } from "../../ui/text.ts";
import { bridge } from "../../bridge/index.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useConnection } from "../../stores/connection.ts";
import { showToast } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";

const MOST_NAMES = 3;

/** "Kallio, Torsvika", "Kallio, Torsvika, Aho and 12 more" */
export function namesText(stationIds: readonly string[], name: (stationId: string) => string): string {
  const more = stationIds.length - MOST_NAMES;
  return stationIds.slice(0, MOST_NAMES).map(name).join(", ") + (more > 0 ? ` and ${count(more)} more` : "");
}

/** What was forgotten to make room, and why. */
function trimText(trim: BridgeEvents["cacheTrimmed"], name: (stationId: string) => string): string {
  const { stationIds, freedBytes, limitBytes, isStillOver } = trim;
  const said = `The cache was larger than ${bytes(limitBytes)}: data of ${namesText(stationIds, name)} was forgotten, ${bytes(freedBytes)} freed.`;
  const rest = isStillOver ? " It still is: the remaining data are pinned or being downloaded." : "";
  return `${said}${rest} It can be fetched again.`;
}

/** What is forgotten to keep the cache below its limit is told, in whatever room one is. */
export function followTrims(): void {
  bridge.on("cacheTrimmed", (trim) => {
    if (trim.connectionId !== useConnection.getState().current?.info.id) return;
    const { byId } = useCatalogue.getState();
    const openRoom = { label: "Storage", run: () => useWorkspace.setState({ room: "storage" }) };
    showToast(
      trimText(trim, (id) => stationName(byId, id)),
      openRoom,
    );
  });
}
