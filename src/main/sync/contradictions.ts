import type { EpochSource } from "#shared/service/points.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { SeriesMode, SeriesSelection } from "#shared/series/rows.ts";
import { alignInward, intersectRange } from "#shared/time/range.ts";
import { difference, intersect, rangeSet, type RangeSet } from "#shared/time/rangeset.ts";
import { countIn, momentsOf, type Runs } from "#shared/time/runs.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { gapsBetween } from "../analysis/gaps.ts";
import { stepSeconds } from "../analysis/requestedTimes.ts";
import type { PlannedRequest } from "../planner/types.ts";
import type { Cache, CacheReader } from "../store/index.ts";
import type { SeriesPart, StationContents } from "../store/types.ts";
import type { Session } from "./session.ts";

// Observations, means, filtered and raw data of a station describe the same time: what one of them proves, no answer of
// another can deny.

/** The means that confirm absences of observations. */
export const HOUR_S = 3_600;
export const DAY_S = 86_400;

/**
 * Returns the times in these ranges at which the service has a value for certain, by other series in the cache: raw data
 * contain everything that passed the quality filter, and an interval with an observation has a mean (section 4.4 of the
 * specification).
 */
export function knownValues(
  cache: CacheReader,
  {
    stationId,
    variable,
    intervalSeconds,
    raw,
  }: SeriesMode & Pick<SeriesSelection, "stationId"> & { variable: Variable },
  ranges: RangeSet,
): RangeSet {
  const filters = raw ? [true, false] : [false];
  const modes = filters
    .flatMap((isRaw) => [intervalSeconds, null].map((seconds) => ({ intervalSeconds: seconds, raw: isRaw })))
    .filter((mode) => mode.intervalSeconds !== intervalSeconds || mode.raw !== raw);
  const lengthMs = (intervalSeconds ?? 1) * 1_000;
  const starts = new Set<UtcMs>();
  for (const mode of modes) {
    for (const range of ranges) {
      const times = cache.valueTimes({ stationId, variables: [variable], range, ...mode });
      for (const timeMs of momentsOf(times)) starts.add(Math.floor(timeMs / lengthMs) * lengthMs);
    }
  }
  return intersect(rangeSet([...starts].map((startMs) => ({ startMs, endMs: startMs + lengthMs }))), ranges);
}

/** Whether other series prove values of a station, of any variable, that a response lacks. */
export function isContradicted(
  cache: CacheReader,
  { variables, intervalSeconds, raw }: PlannedRequest,
  stationId: string,
  absentOf: (stationId: string, variable: Variable) => RangeSet,
): boolean {
  return variables.some(
    (variable) =>
      knownValues(cache, { stationId, variable, intervalSeconds, raw }, absentOf(stationId, variable)).length > 0,
  );
}

/** Whether a response has values of an unconfirmed absence that the cache lacks: then it does not confirm the rest. */
export function bringsAbsent(
  cache: CacheReader,
  request: PlannedRequest,
  { stationId, variable }: Pick<SeriesPart, "stationId" | "variable">,
  times: Runs,
): boolean {
  const { intervalSeconds, raw } = request;
  return cache.coverage(stationId, variable, request).provisional.some((open) => {
    const range = intersectRange(open.range, request.range);
    const known = cache.valueTimes({ stationId, variables: [variable], intervalSeconds, raw, range });
    return countIn(times, range) > countIn(known, range);
  });
}

/** Makes confirmed absences unconfirmed in which a response has means: of observations, and of the means that confirm them. */
export function reopenContradicted(
  { cache }: Pick<Session, "cache">,
  { intervalSeconds, raw, range: requested }: PlannedRequest,
  { stationId, valueTimes }: StationContents,
  source: EpochSource,
): void {
  const lengthMs = (intervalSeconds ?? 0) * 1_000;
  const parts = [...valueTimes].flatMap(([variable, times]) => {
    const valued = rangeSet(Array.from(momentsOf(times), (startMs) => ({ startMs, endMs: startMs + lengthMs })));
    return [null, HOUR_S, DAY_S].flatMap((seconds): SeriesPart[] => {
      const series = { stationId, variable, intervalSeconds: seconds, raw };
      const settled = intersect(rangeSet(cache.coverage(stationId, variable, series).final), [requested]);
      return settled.flatMap((range) => {
        const present = cache.valueTimes({ ...series, variables: [variable], range });
        const gaps = gapsBetween(present, range, stepSeconds(source, variable, seconds));
        // An absence that is wrong in part proves nothing elsewhere.
        return gaps.flatMap((gap) =>
          intersect(valued, [alignInward(gap, intervalSeconds ?? 1)]).length > 0 ? [{ ...series, range: gap }] : [],
        );
      });
    });
  });
  reopen(cache, parts);
}

/** When unconfirmed time was requested that has been final before. */
export const REOPENED_MS = 0;

/** The same for time that nothing contradicts: it is asked about like any other. */
export const REOPENED_UNSEEN_MS = 1;

/** Makes final time unconfirmed. */
export function reopen(cache: Cache, parts: readonly SeriesPart[], fetchedAtMs: UtcMs = REOPENED_MS): void {
  cache.amendCoverage(parts, (before, { range }) => ({
    final: difference(rangeSet(before.final), [range]),
    provisional: [
      ...before.provisional,
      ...intersect(rangeSet(before.final), [range]).map((part) => ({ range: part, fetchedAtMs })),
    ].toSorted((a, b) => a.range.startMs - b.range.startMs),
  }));
}
