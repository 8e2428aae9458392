import type { BridgeEvents } from "#shared/bridge/events.ts";
import { bytes, count } from "../../ui/text.ts";
import { bridge } from "../../bridge/index.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useConnection } from "../../stores/connection.ts";
import { showToast } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";

const MAX_NAMES = 3;

/** Lists station names: "Kallio, Torsvika" or "Kallio, Torsvika, Aho and 12 more". */
export function namesText(stationIds: readonly string[], name: (stationId: string) => string): string {
  const more = stationIds.length - MAX_NAMES;
  return stationIds.slice(0, MAX_NAMES).map(name).join(", ") + (more > 0 ? ` and ${count(more)} more` : "");
}

/** Describes the data deleted to keep the size limit. */
function trimText(trim: BridgeEvents["cacheTrimmed"], name: (stationId: string) => string): string {
  const { stationIds, freedBytes, limitBytes, isStillOver } = trim;
  const deleted = `The cache exceeded ${bytes(limitBytes)}: data of ${namesText(stationIds, name)} were deleted (${bytes(freedBytes)}).`;
  const rest = isStillOver ? " It still does: the remaining data are pinned or being downloaded." : "";
  return `${deleted}${rest} They can be fetched again.`;
}

/** Shows a message whenever data are deleted to keep the size limit. */
export function followTrims(): void {
  bridge.on("cacheTrimmed", (trim) => {
    if (trim.connectionId !== useConnection.getState().current?.info.id) return;
    const { byId } = useCatalogue.getState();
    const openStorage = { label: "Storage", run: () => useWorkspace.setState({ room: "storage" }) };
    showToast(
      trimText(trim, (id) => stationName(byId, id)),
      openStorage,
    );
  });
}
