import type { Coverage, SeriesMode } from "#shared/series/rows.ts";
import { epochSeconds } from "#shared/service/points.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { Variable } from "#shared/service/variables.ts";
import { epochsIn } from "#shared/time/interval.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { difference, intersect, rangeSet } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { stepSeconds } from "../analysis/step.ts";
import type { CacheReader } from "../store/types.ts";
import { epochSourceOf } from "./cadence.ts";

export interface SilentSession {
  readonly cache: CacheReader;
  readonly provisionalAgeMs: number;
  isYoung(fetchedAtMs: UtcMs, maxAgeMs: number): boolean;
}

/**
 * The part of a range in which, according to the catalogue, the station has data, if it is worth a value of the
 * variable.
 */
export function spokenRange(
  cache: CacheReader,
  station: CatalogueStation,
  variable: Variable,
  { intervalSeconds, range }: Pick<SeriesMode, "intervalSeconds"> & { readonly range: TimeRange },
): TimeRange | null {
  const { historicDataFromMs, dataLastUpdatedMs } = station;
  if (historicDataFromMs === null || dataLastUpdatedMs === null) return null;
  const source = epochSourceOf(cache, station);
  const spoken = {
    startMs: Math.max(range.startMs, historicDataFromMs),
    endMs: Math.min(range.endMs, dataLastUpdatedMs + epochSeconds(source) * 1_000),
  };
  if (spoken.endMs <= spoken.startMs) return null;
  const seconds = stepSeconds(source, variable, intervalSeconds);
  return epochsIn(spoken, seconds) > 0 || intervalSeconds !== null ? spoken : null;
}

/**
 * The coverage to record for a station's variable if a response has no value of it although the catalogue says that the
 * station has data then, whatever the response has of other stations and variables. A service in trouble may answer
 * like this. The first such response is recorded as one that has just aged, so later jobs request it again; it becomes
 * final once another response agrees, at least as much later as a provisional response is requested again.
 *
 * @param finalUntilMs as for any response
 */
export function silentCoverage(
  session: SilentSession,
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
  const isLater = (fetchedAtMs: UtcMs): boolean => !session.isYoung(fetchedAtMs, 2 * provisionalAgeMs);
  const said = rangeSet(earlier.filter((old) => isLater(old.fetchedAtMs)).map((old) => old.range));
  const settled = rangeSet([{ startMs: range.startMs, endMs: Math.min(range.endMs, finalUntilMs) }]);
  const final = intersect(said, settled);
  // Earlier responses keep their age: otherwise repeated requests would postpone the decision for ever.
  const waiting = earlier.filter((old) => !isLater(old.fetchedAtMs) && old.fetchedAtMs < agedMs);
  const heard = rangeSet(waiting.map((old) => old.range));
  const fresh = difference(difference([range], final), heard);
  return {
    final,
    provisional: [
      ...waiting.flatMap((old) =>
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
