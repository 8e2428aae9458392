import type { BridgeEvents } from "#shared/bridge/events.ts";
import type { CacheDamage, CacheFindings } from "#shared/series/cache.ts";
import { formatUtc } from "#shared/time/utc.ts";
import { bridge } from "../../bridge/index.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useConnection } from "../../stores/connection.ts";
import { showToast } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { bytes, firstNames, many } from "../../ui/text.ts";

const MAX_NAMES = 3;

/** Lists station names: "Kallio, Torsvika" or "Kallio, Torsvika, Aho and 12 more". */
export function namesText(stationIds: readonly string[], name: (stationId: string) => string): string {
  return firstNames(stationIds.map(name), MAX_NAMES);
}

/** Describes the data deleted to keep the maximum size. */
function trimText(trim: BridgeEvents["cacheTrimmed"], name: (stationId: string) => string): string {
  const { stationIds, freedBytes, maximumBytes, isStillOver } = trim;
  const deleted = `The cache exceeded ${bytes(maximumBytes)}: data of ${namesText(stationIds, name)} were deleted (${bytes(freedBytes)}).`;
  const rest = isStillOver ? " It still does: the remaining data are pinned or being downloaded." : "";
  return `${deleted}${rest} They can be fetched again.`;
}

/** Shows a message whenever data are deleted to keep the maximum size. */
export function followTrims(): void {
  bridge.on("cacheTrimmed", (trim) => {
    if (trim.connectionId !== useConnection.getState().current?.info.id) return;
    const { byId } = useCatalogue.getState();
    const openStorage = { label: "Storage", run: () => useWorkspace.setState({ section: "storage" }) };
    showToast(
      trimText(trim, (id) => stationName(byId, id)),
      openStorage,
    );
  });
}

/** Maximum number of damaged places listed. */
const MAX_LISTED = 5;

export function isSound({ damages, structure }: CacheFindings): boolean {
  return damages.length === 0 && structure === null;
}

/** Describes the result of a check. @param findings null if the check was stopped */
export function foundText(findings: CacheFindings | null): string {
  if (findings === null) return "Stopped. No damage was found so far.";
  if (isSound(findings)) return "Everything was read. No damage was found.";
  const broken = findings.structure === null ? "" : " The file itself is broken.";
  return `${damageText(findings.damages)}${broken} “Repair” keeps everything else.`.trim();
}

/** Describes the result of a repair. @param findings null if the repair was stopped */
export function repairedText(findings: CacheFindings | null): string {
  if (findings === null) return "Stopped. Repairs made so far remain.";
  if (findings.damages.length === 0) return "Everything was read. No damage was found.";
  return `${damageText(findings.damages)} These data were removed and can be fetched again.`;
}

/** Describes damage that was found and removed while the cache was in use. @param name returns the name of a station */
export function leftOutText(damages: readonly CacheDamage[], name: (stationId: string) => string): string {
  const stationIds = [...new Set(damages.map(({ stationId }) => stationId))];
  const stations = `${stationIds.length === 1 ? "Station" : "Stations"}: ${namesText(stationIds, name)}.`;
  return `${damageText(damages)} ${stations}`;
}

function damageText(damages: readonly CacheDamage[]): string {
  if (damages.length === 0) return "";
  const listed = damages.slice(0, MAX_LISTED).map(({ variables, range }) => {
    const [first, last] = [formatUtc(range.startMs).slice(0, 10), formatUtc(range.endMs - 1).slice(0, 10)];
    return `${variables.join(", ")} ${first === last ? first : `${first} to ${last}`}`;
  });
  const more = damages.length > MAX_LISTED ? ", and more" : "";
  return `Damage was found in ${many(damages.length, "place")}: ${listed.join("; ")}${more}.`;
}
