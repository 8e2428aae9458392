import type { Coverage, SeriesMode } from "#shared/series/rows.ts";
import { epochSeconds } from "#shared/service/points.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { Variable } from "#shared/service/variables.ts";
import { epochsIn, type TimeRange } from "#shared/time/range.ts";
import { difference, intersect, rangeSet } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { stepSeconds } from "../analysis/requestedTimes.ts";
import type { CacheReader } from "../store/types.ts";
import { epochSource } from "./cadence.ts";

interface CoverageSession {
  readonly cache: CacheReader;
  readonly provisionalAgeMs: number;
  /** Whether something fetched at `fetchedAtMs` is at least this old, whichever clock is right. */
  isOlder(fetchedAtMs: UtcMs, minAgeMs: number): boolean;
}

/**
 * Returns the part of a range in which the station has data, according to the catalogue; null if it is too short for a
 * value of the variable.
 */
export function expectedDataRange(
  cache: CacheReader,
  station: CatalogueStation,
  variable: Variable,
  { intervalSeconds, range }: Pick<SeriesMode, "intervalSeconds"> & { readonly range: TimeRange },
): TimeRange | null {
  const { historicDataFromMs, dataLastUpdatedMs } = station;
  if (historicDataFromMs === null || dataLastUpdatedMs === null) return null;
  const source = epochSource(cache, station);
  const expected = {
    startMs: Math.max(range.startMs, historicDataFromMs),
    endMs: Math.min(range.endMs, dataLastUpdatedMs + epochSeconds(source) * 1_000),
  };
  if (expected.endMs <= expected.startMs) return null;
  const seconds = stepSeconds(source, variable, intervalSeconds);
  return epochsIn(expected, seconds) > 0 || intervalSeconds !== null ? expected : null;
}

/**
 * Returns the coverage to record for a station's variable if a response has no value of it although the catalogue says
 * that the station has data at that time, whatever the response has of other stations and variables. A service in
 * trouble may respond like this. The first such response is recorded as one that has just aged, so later jobs request it
 * again; it becomes final once another response confirms it, at least as much later as a provisional response is
 * requested again.
 *
 * @param finalUntilMs as for any response
 */
export function unconfirmedCoverage(
  session: CoverageSession,
  series: SeriesMode & { readonly stationId: string; readonly variable: Variable },
  range: TimeRange,
  finalUntilMs: UtcMs,
  nowMs: UtcMs,
): Coverage {
  const { cache, provisionalAgeMs } = session;
  // Still young at this moment, so running jobs do not request it again.
  const agedMs = Math.floor(nowMs - provisionalAgeMs) + 1;
  const before = hasValues(cache, series, range)
    ? []
    : cache.coverage(series.stationId, series.variable, series).provisional;
  const earlier = before.flatMap((old) =>
    intersect([old.range], [range]).map((part) => ({ range: part, fetchedAtMs: old.fetchedAtMs })),
  );
  const isOldEnough = (fetchedAtMs: UtcMs): boolean => session.isOlder(fetchedAtMs, 2 * provisionalAgeMs);
  const confirmed = rangeSet(earlier.filter((old) => isOldEnough(old.fetchedAtMs)).map((old) => old.range));
  const settled = rangeSet([{ startMs: range.startMs, endMs: Math.min(range.endMs, finalUntilMs) }]);
  const final = intersect(confirmed, settled);
  // Earlier responses keep their age: otherwise repeated requests would postpone the decision for ever.
  const unconfirmed = earlier.filter((old) => !isOldEnough(old.fetchedAtMs) && old.fetchedAtMs < agedMs);
  const fresh = difference(difference([range], final), rangeSet(unconfirmed.map((old) => old.range)));
  return {
    final,
    provisional: [
      ...unconfirmed.flatMap((old) =>
        difference([old.range], final).map((part) => ({ range: part, fetchedAtMs: Math.floor(old.fetchedAtMs) })),
      ),
      ...fresh.map((part) => ({ range: part, fetchedAtMs: agedMs })),
    ].toSorted((a, b) => a.range.startMs - b.range.startMs),
  };
}

/** Whether the cache has any value of a series in a range. */
export function hasValues(
  cache: CacheReader,
  {
    stationId,
    variable,
    intervalSeconds,
    raw,
  }: SeriesMode & { readonly stationId: string; readonly variable: Variable },
  range: TimeRange,
): boolean {
  for (const { columns } of cache.blocks({ stationId, variables: [variable], intervalSeconds, raw, range })) {
    const column = columns[variable];
    if (column?.kind === "scalar" && column.values.some((value) => !Number.isNaN(value))) return true;
    if (column?.kind === "text" && column.values.some((text) => Boolean(text))) return true;
  }
  return false;
}
