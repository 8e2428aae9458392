import type { BridgeEvents } from "#shared/bridge/events.ts";
import { bytes, count } from "../../ui/text.ts";

const MOST_NAMES = 3;

/** "Kallio, Torsvika", "Kallio, Torsvika, Aho and 12 more" */
export function namesText(stationIds: readonly string[], name: (stationId: string) => string): string {
  const more = stationIds.length - MOST_NAMES;
  return stationIds.slice(0, MOST_NAMES).map(name).join(", ") + (more > 0 ? ` and ${count(more)} more` : "");
}

/** What was forgotten to make room, and why. */
export function trimText(trim: BridgeEvents["cacheTrimmed"], name: (stationId: string) => string): string {
  const { stationIds, freedBytes, limitBytes, isStillOver } = trim;
  const said = `The cache was larger than ${bytes(limitBytes)}: data of ${namesText(stationIds, name)} was forgotten, ${bytes(freedBytes)} freed.`;
  const rest = isStillOver ? " It still is: the remaining data are pinned or being downloaded." : "";
  return `${said}${rest} It can be fetched again.`;
}
