import type { CacheDamage, CacheFindings } from "#shared/series/damage.ts";
import { formatUtc } from "#shared/time/utc.ts";
import { many } from "../../ui/text.ts";
import { namesText } from "./trims.ts";

/** Days that are named. */
const MOST_NAMED = 5;

export function isSound({ damages, structure }: CacheFindings): boolean {
  return damages.length === 0 && structure === null;
}

/** What a check found; null where it was stopped. */
export function foundText(findings: CacheFindings | null): string {
  if (findings === null) return "Stopped. No damage was found so far.";
  if (isSound(findings)) return "Everything was read. No damage was found.";
  const broken = findings.structure === null ? "" : " The file itself is broken.";
  return `${damageText(findings.damages)}${broken} “Repair” keeps everything else.`.trim();
}

/** What a repair did; null where it was stopped. */
export function repairedText(findings: CacheFindings | null): string {
  if (findings === null) return "Stopped. Repairs made so far remain.";
  if (findings.damages.length === 0) return "Everything was read. No damage was found.";
  return `${damageText(findings.damages)} They were left out and can be fetched again.`;
}

/** What was met while the cache was used, and left out. @param name of a station */
export function leftOutText(damages: readonly CacheDamage[], name: (stationId: string) => string): string {
  const stationIds = [...new Set(damages.map(({ stationId }) => stationId))];
  const stations = `${stationIds.length === 1 ? "Station" : "Stations"}: ${namesText(stationIds, name)}.`;
  return `${damageText(damages)} ${stations}`;
}

function damageText(damages: readonly CacheDamage[]): string {
  if (damages.length === 0) return "";
  const named = damages.slice(0, MOST_NAMED).map(({ variables, range }) => {
    const [first, last] = [formatUtc(range.startMs).slice(0, 10), formatUtc(range.endMs - 1).slice(0, 10)];
    return `${variables.join(", ")} ${first === last ? first : `${first} to ${last}`}`;
  });
  const more = damages.length > MOST_NAMED ? ", and more" : "";
  return `Damage was found in ${many(damages.length, "place")}: ${named.join("; ")}${more}.`;
}
