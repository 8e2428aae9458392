import type { CacheDamage, CacheFindings } from "#shared/series/damage.ts";
import { formatUtc } from "#shared/time/utc.ts";
import { many } from "../../ui/text.ts";
import { namesText } from "./trims.ts";

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
