import type { SeriesGaps } from "#shared/bridge/methods/series.ts";
import type { Gap, GapCause } from "#shared/series/gap.ts";
import type { Variable } from "#shared/service/variables.ts";
import { meanIntervals } from "#shared/time/intervals.ts";
import { durationMs } from "#shared/time/range.ts";
import { covers, rangeSet } from "#shared/time/rangeset.ts";
import { walkGaps } from "../../analysis/gaps.ts";
import { intervalTimes, stepSeconds } from "../../analysis/requestedTimes.ts";
import { gapsBeforeRaw } from "../../sync/rawAnswers.ts";
import { epochSource } from "../../sync/cadence.ts";
import { type KnownFailures, knownFailures } from "./failures.ts";
import type { Pace } from "../pace.ts";
import { isResampled, type ReadSelection, storedMode } from "./selection.ts";
import type { CacheReader, UserStore } from "../../store/index.ts";

export interface GapsQuery extends Omit<ReadSelection, "variables"> {
  readonly minimumMs: number;
}

/** A cache, and the stored jobs of its connection, which explain gaps. */
interface GapSources {
  readonly cache: CacheReader;
  readonly users: Pick<UserStore, "jobs" | "verdicts">;
  readonly connectionId: string;
  /** The service's current time: later data is not missing. */
  readonly nowMs: number;
}

/**
 * Up to this number of series, their times are cached in memory for the next move of a plot. More would evict each other
 * before they are used again.
 */
const MAX_CACHED_SERIES = 100;

/** Finds the gaps and their causes, station by station and variable by variable. */
export async function readAllGaps(
  { cache, users, connectionId, nowMs }: GapSources,
  { stationIds, variables, ...query }: GapsQuery & Pick<ReadSelection, "variables"> & { stationIds: readonly string[] },
  pace: Pace,
): Promise<SeriesGaps[]> {
  const { startMs, endMs } = query.range;
  const range = { startMs, endMs: Math.max(startMs, Math.min(endMs, nowMs)) };
  const mode = storedMode(query.mode);
  const raw = mode.raw ? undefined : knownFailures(users, connectionId, { ...mode, raw: true });
  const failures = { ...knownFailures(users, connectionId, mode), raw };
  const isKept = stationIds.length * variables.length <= MAX_CACHED_SERIES;
  const found: SeriesGaps[] = [];
  for (const stationId of stationIds) {
    for (const variable of new Set(variables)) {
      found.push(await readGaps(cache, { ...query, range, isKept, stationId, variable }, failures, pace));
      await pace.yieldIfDue();
    }
  }
  return found;
}

/** One response proves no absence (see `analysis/absence`). */
const UNCONFIRMED =
  "The raw series was requested too, and the service had nothing. A second request, at least five minutes later, will confirm this.";

const NOT_YET_FILTERED =
  "Raw observations exist here. They are older than the filtered response, which may have been incomplete: a second one, at least five minutes later, shows whether the quality filter rejects them.";

interface SeriesGapsQuery extends GapsQuery {
  readonly stationId: string;
  readonly variable: Variable;
  /** Whether the times of the series are kept for the next query. */
  readonly isKept: boolean;
}

/** Failures of the downloads of a series, and of its raw data, which would tell more about its gaps. */
type GapFailures = KnownFailures & { readonly raw?: KnownFailures | undefined };

/** Finds the gaps of one series and their causes. Averages computed here have the gaps of their native rows. */
async function readGaps(
  cache: CacheReader,
  query: SeriesGapsQuery,
  failures: GapFailures,
  pace: Pace,
): Promise<SeriesGaps> {
  const { stationId, variable, range, minimumMs, isKept } = query;
  const mode = storedMode(query.mode);
  const station = cache.station(stationId);
  const step = stepSeconds(epochSource(cache, station), variable, query.mode.intervalSeconds);
  const timesOf = (raw: boolean) => (part: typeof range) => {
    const times = cache.valueTimes({ stationId, variables: [variable], range: part, ...mode, raw }, isKept);
    return isResampled(query.mode)
      ? intervalTimes(times, meanIntervals(query.mode.intervalSeconds, query.mode.zone))
      : times;
  };
  const coverage = cache.coverage(stationId, variable, mode);
  const newer = gapsBeforeRaw(cache, { stationId, variable, ...mode });
  const rawCoverage = mode.raw ? null : cache.coverage(stationId, variable, { ...mode, raw: true });
  const rawAsked = rangeSet(rawCoverage?.provisional.map((extent) => extent.range) ?? []);
  const isRawKnown = rawCoverage !== null && rawCoverage.final.length + rawCoverage.provisional.length > 0;
  const rawAnswered = rangeSet([...(rawCoverage?.final ?? []), ...rawAsked]);
  const walk = walkGaps({
    range,
    mode,
    coverage,
    epochSeconds: step,
    historicDataFromMs: station?.historicDataFromMs ?? null,
    hasNeverSent: station?.hasNeverSent ?? false,
    isForbidden: failures.isForbidden(stationId),
    failed: failures.failed(stationId, variable),
    timesIn: timesOf(mode.raw),
    raw: isRawKnown ? { coverage: rawCoverage, timesIn: timesOf(true), newer } : null,
  });
  const reasonOf = ({ cause, range: where }: Gap): string | null => {
    if (cause !== "nothingOrFiltered" && cause !== "mayStillArrive") return null;
    const rawReason = covers(rawAnswered, where) ? null : failures.raw?.reason(stationId, variable, where);
    if (rawReason) return `Its raw data could not be fetched: ${rawReason}`;
    if (cause === "nothingOrFiltered") return covers(rawAsked, where) ? UNCONFIRMED : null;
    if (!isRawKnown) return null;
    if (timesOf(true)(where).total > 0) return NOT_YET_FILTERED;
    return covers(rawAnswered, where) ? UNCONFIRMED : null;
  };
  const gaps: Gap[] = [];
  const secondsByCause: Partial<Record<GapCause, number>> = {};
  for (const gap of walk) {
    const lengthMs = durationMs(gap.range);
    secondsByCause[gap.cause] = (secondsByCause[gap.cause] ?? 0) + lengthMs / 1_000;
    const reason = gap.cause === "failed" ? failures.reason(stationId, variable, gap.range) : reasonOf(gap);
    if (lengthMs >= minimumMs) gaps.push(reason === null ? gap : { ...gap, reason });
    await pace.yieldIfDue();
  }
  return { stationId, variable, stepSeconds: step, gaps, secondsByCause, untilMs: range.endMs };
}
