import type { SeriesGaps } from "#shared/bridge/series.ts";
import type { Gap, GapCause } from "#shared/series/gap.ts";
import type { Variable } from "#shared/service/variables.ts";
import { durationMs } from "#shared/time/range.ts";
import { walkGaps } from "../../analysis/gapWalk.ts";
import { intervalTimes } from "../../analysis/intervalTimes.ts";
import { stepSeconds, UNKNOWN_STATION } from "../../analysis/step.ts";
import type { CacheReader } from "../../store/types.ts";
import type { KnownFailures } from "./failures.ts";
import type { Pace } from "./pace.ts";
import { isResampled, type ReadSelection } from "./selection.ts";

export interface GapsQuery extends Omit<ReadSelection, "variables"> {
  readonly minimumMs: number;
}

/** Why values of one series are absent. What was averaged here is as complete as the native rows it was made of. */
export async function readGaps(
  cache: CacheReader,
  query: GapsQuery,
  stationId: string,
  variable: Variable,
  failures: KnownFailures,
  pace: Pace,
): Promise<SeriesGaps> {
  const { range, minimumMs } = query;
  const resampled = isResampled(query.mode);
  const mode = { intervalSeconds: resampled ? null : query.mode.intervalSeconds, raw: query.mode.raw };
  const station = cache.station(stationId);
  const step = stepSeconds(station ?? UNKNOWN_STATION, variable, query.mode.intervalSeconds);
  const timesOf = (raw: boolean) => (part: typeof range) => {
    const times = cache.valueTimes({ stationId, variables: [variable], range: part, ...mode, raw });
    return resampled ? intervalTimes(times, query.mode.intervalSeconds!) : times;
  };
  const rawCoverage = mode.raw ? null : cache.coverage(stationId, variable, { ...mode, raw: true });
  const isRawKnown = rawCoverage !== null && rawCoverage.final.length > 0;
  const walk = walkGaps({
    range,
    mode,
    coverage: cache.coverage(stationId, variable, mode),
    epochSeconds: step,
    historicDataFromMs: station?.historicDataFromMs ?? null,
    // Of a station that is not in the catalogue nothing can be said of what it ever sent.
    dataLastUpdatedMs: station ? station.dataLastUpdatedMs : range.endMs,
    isForbidden: failures.isForbidden(stationId),
    failed: failures.failed(stationId, variable),
    timesIn: timesOf(mode.raw),
    raw: isRawKnown ? { coverage: rawCoverage, timesIn: timesOf(true) } : null,
  });
  const gaps: Gap[] = [];
  const secondsByCause: Partial<Record<GapCause, number>> = {};
  for (const gap of walk) {
    const lengthMs = durationMs(gap.range);
    secondsByCause[gap.cause] = (secondsByCause[gap.cause] ?? 0) + lengthMs / 1_000;
    if (lengthMs >= minimumMs) gaps.push(gap);
    await pace.breathe();
  }
  return { stationId, variable, stepSeconds: step, gaps, secondsByCause };
}
