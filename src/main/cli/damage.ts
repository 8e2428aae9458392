import type { CacheDamage } from "#shared/series/cache.ts";
import { stationLabels } from "#shared/service/catalogue.ts";
import { covers } from "#shared/time/rangeset.ts";
import { DAY_MS, formatUtc } from "#shared/time/utc.ts";
import { answeredTime } from "../analysis/requestedTimes.ts";
import type { CacheReader } from "../store/index.ts";
import { many, visible } from "./terminal/text.ts";

/** A line for each damage: station, variables, mode and days. */
export function damageLines(cache: Pick<CacheReader, "catalogue">, damages: readonly CacheDamage[]): string[] {
  if (damages.length === 0) return [];
  const names = stationLabels(cache.catalogue());
  return damages.map(({ stationId, variables, intervalSeconds, raw, range }) => {
    const interval = intervalSeconds === null ? "every observation" : `means of ${intervalSeconds} s`;
    const mode = `${interval}${raw ? ", not filtered" : ""}`;
    const [first, last] = [formatUtc(range.startMs).slice(0, 10), formatUtc(range.endMs - 1).slice(0, 10)];
    const days = range.endMs - range.startMs <= DAY_MS ? first : `${first} to ${last}`;
    return `${visible(names.get(stationId) ?? stationId)}  ${variables.join(", ")}  ${mode}  ${days}`;
  });
}

/** What a broken file had beyond the rows that were copied from it. @param lostRows null: unknown */
export function lostSentence(lostRows: number | null): string {
  return lostRows === null
    ? "It is unknown how many could not be read: the file's list of them is damaged."
    : `${many(lostRows, "row")} could not be read.`;
}

/** Whether the removed data has been downloaded again. */
export function isRestored(cache: Pick<CacheReader, "coverage">, damage: CacheDamage): boolean {
  const { stationId, variables, range } = damage;
  return variables.every((variable) => covers(answeredTime(cache.coverage(stationId, variable, damage)), range));
}
