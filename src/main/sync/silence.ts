import type { SeriesMode } from "#shared/series/rows.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { covers, intersect, rangeSet, type RangeSet, union } from "#shared/time/rangeset.ts";
import { runEndMs, type Runs } from "#shared/time/runs.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { answeredTime } from "../analysis/requestedTimes.ts";
import type { SeriesPart, StationContents } from "../store/types.ts";
import { DAY_S, HOUR_S } from "./contradictions.ts";
import type { Session } from "./session.ts";

/** What is asked about, and the values of a response that are not in the cache yet. */
interface Asked {
  readonly range: TimeRange;
  readonly times?: Runs;
}

/**
 * Returns the time before which absences of a series can be confirmed. A receiver without a connection delivers everything
 * at once when it is back, or later, and a variable that is computed later lags behind the others: nothing is confirmed of
 * an outage that goes on, or has ended lately. After two weeks, a series is not expected back.
 */
export function confirmableUntil(
  session: Pick<Session, "cache" | "oldUntilMs" | "silentSinceMs" | "time">,
  { stationId, variable, intervalSeconds, raw }: Omit<SeriesPart, "range">,
  station: CatalogueStation | undefined,
  { range, times: arrived }: Asked,
): UtcMs {
  const untilMs = session.oldUntilMs();
  const lately = { startMs: session.silentSinceMs(), endMs: session.time().latestMs };
  if (range.endMs <= lately.startMs) return untilMs;
  // Means show the same time as the observations.
  const modes = [...new Set([intervalSeconds, null])].map((seconds) => ({ intervalSeconds: seconds, raw }));
  const known = modes.map((mode) =>
    session.cache.valueTimes({ stationId, variables: [variable], ...mode, range: lately }, false),
  );
  const own = arrived ? [...known, arrived] : known;
  let newestMs = Math.max(...own.map((times) => lastOf(times, untilMs)));
  const answered = modes.reduce<RangeSet>(
    (all, mode) => union(all, answeredTime(session.cache.coverage(stationId, variable, mode))),
    [range],
  );
  const announcedMs = station?.dataLastUpdatedMs ?? -Infinity;
  const isBack = own.some((times) => lastOf(times) >= untilMs);
  // Without a value of its own, the series may be as late as its station.
  if (newestMs < lately.startMs && !isBack) newestMs = announcedMs;
  const goesOn = intersect(answered, [{ ...lately, startMs: untilMs }]).length > 0 || announcedMs <= newestMs;
  const isOutage = covers(answered, { startMs: newestMs, endMs: untilMs }) || (!isBack && goesOn);
  return newestMs >= lately.startMs && isOutage ? Math.min(newestMs + 1, untilMs) : untilMs;
}

/**
 * Returns the confirmed absences that end with a response, not committed yet, if they are longer than late data are waited
 * for: nothing showed their end when they were confirmed, and a receiver that was without a connection for longer than it is waited for delivers everything when it is
 * back, too.
 */
export function endedSilences(
  { cache, time, oldUntilMs }: Pick<Session, "cache" | "time" | "oldUntilMs">,
  { intervalSeconds, raw }: SeriesMode,
  { stationId, valueTimes }: Pick<StationContents, "stationId" | "valueTimes">,
): SeriesPart[] {
  const { earliestMs, latestMs } = time();
  const lateMs = earliestMs - oldUntilMs();
  return [...valueTimes].flatMap(([variable, { list }]): SeriesPart[] => {
    const [first] = list;
    if (!first) return [];
    const series = { stationId, variable, intervalSeconds, raw };
    const has = (range: TimeRange): boolean => cache.valueTimes({ ...series, variables: [variable], range }).total > 0;
    const leastMs = Math.max(lateMs, 2 * first.stepMs, 2_000 * (intervalSeconds ?? 0));
    const lately = { startMs: first.startMs - leastMs, endMs: first.startMs };
    const settled = rangeSet(cache.coverage(stationId, variable, series).final);
    const [start] = intersect(settled, [{ startMs: -Infinity, endMs: first.startMs }]);
    if (!start || has(lately) || has({ startMs: first.startMs, endMs: latestMs })) return [];
    const whole = { startMs: start.startMs, endMs: first.startMs };
    const lastMs = lastOf(cache.valueTimes({ ...series, variables: [variable], range: whole }));
    const silent = [{ startMs: Math.max(whole.startMs, lastMs + 1), endMs: first.startMs }];
    return [intervalSeconds, HOUR_S, DAY_S].flatMap((seconds) =>
      intersect(silent, rangeSet(cache.coverage(stationId, variable, { intervalSeconds: seconds, raw }).final))
        .filter((range) => durationMs(range) >= leastMs)
        .map((range) => ({ ...series, intervalSeconds: seconds, range })),
    );
  });
}

/** The last moment before a time, or the last of all moments; -Infinity if there are no moments. */
function lastOf({ list }: Runs, beforeMs: UtcMs = Infinity): UtcMs {
  const run = list.findLast(({ startMs }) => startMs < beforeMs);
  if (!run) return -Infinity;
  const steps = run.count > 1 ? Math.ceil((beforeMs - run.startMs) / run.stepMs) - 1 : 0;
  return Math.min(runEndMs(run), run.startMs + steps * run.stepMs);
}
