import type { AnomalyCounts, SeriesMode } from "../series/rows.ts";
import type { ServiceErrorKind } from "../service/error.ts";
import type { Variable } from "../service/variables.ts";
import type { TimeRange } from "../time/range.ts";
import { type RangeSet, intersect, rangeSet } from "../time/rangeset.ts";
import type { UtcMs } from "../time/utc.ts";
import { alignOutward } from "../time/interval.ts";

/** What a download job is to bring into the cache. The work left is always this minus what the cache covers. */
export interface JobSpec extends SeriesMode {
  readonly stationIds: readonly string[];
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
  /** Where it is given, the job is about these parts of the range alone; a station that is not among them has none. */
  readonly only?: readonly StationRanges[] | undefined;
}

/** Ranges of one station, whatever is in them. */
export interface StationRanges {
  readonly stationId: string;
  readonly ranges: RangeSet;
}

/**
 * - running: requests are under way, or waiting for their turn
 * - finished: every cell has a verdict; some of them may be failures
 * - cancelled: stopped by the user, resumes with what is missing
 * - needsKey: the service refused the key (401); resumes with a good one
 * - broken: the service cannot be used at all (certificate, proxy, another program behind the address)
 */
export type JobState = "running" | "finished" | "cancelled" | "needsKey" | "broken";

/** Figures of a running job. Points are data points by section 8 of the specification. */
export interface JobProgress {
  readonly state: JobState;
  /** Points that were missing when the job started. */
  readonly pointsTotal: number;
  /** Points of committed answers, plus what has arrived of those under way. */
  readonly pointsDone: number;
  readonly rows: number;
  /** Bytes of answer bodies after decompression. */
  readonly bodyBytes: number;
  readonly requestsSent: number;
  readonly requestsUnderWay: number;
  /** Requests that were refused for their size and asked again in parts. */
  readonly splits: number;
  /** Requests that were repeated after a failure on the way. */
  readonly retries: number;
  /** Requests that the service delayed (429). */
  readonly putOff: number;
  /** The learned limit in points per request; null while none is known. */
  readonly limitPoints: number | null;
  readonly concurrency: number;
  /** Points per second over the last seconds; null before the first answer. */
  readonly pointsPerSecond: number | null;
  /** Requests that ended per second over the last seconds; absent in figures that were kept earlier. */
  readonly requestsPerSecond?: number | null;
  readonly secondsLeft: number | null;
  /** Until when everyone waits because the service asked for it (local clock); null where no one waits. */
  readonly waitingUntilMs: UtcMs | null;
  /** The outage that everyone waits for the end of; null or absent where there is none. */
  readonly outage?: ServiceOutage | null;
  readonly anomalies: AnomalyCounts;
  /** The service's clock when the job began: nothing from here on could be asked. Absent in figures that were kept earlier. */
  readonly untilMs?: UtcMs | undefined;
}

/** Nothing is answered, and one request at a time tries whether the service is back. Times of the local clock. */
export interface ServiceOutage {
  /** The first failure after the last answer. */
  readonly sinceMs: UtcMs;
  /** When it is asked again; in the past while it is being asked. */
  readonly nextTryMs: UtcMs;
  /** What happened last; a sentence for the user. */
  readonly reason: string;
}

/** Why a part of a job brought nothing; the sentence is for the user. */
export interface JobFailure {
  readonly stationId: string;
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
  readonly kind: ServiceErrorKind;
  readonly reason: string;
}

/** What a job is about of one of its stations: the whole range, or the parts that it names; in whole intervals. */
export function rangesOf(spec: Pick<JobSpec, "range" | "only" | "intervalSeconds">, stationId: string): RangeSet {
  const { range, only, intervalSeconds } = spec;
  const whole = (ranges: RangeSet): RangeSet =>
    rangeSet(intervalSeconds === null ? ranges : ranges.map((each) => alignOutward(each, intervalSeconds)));
  if (only === undefined) return whole([range]);
  return intersect(whole(only.find((each) => each.stationId === stationId)?.ranges ?? []), whole([range]));
}

/** The same job without some of its stations. */
export function withoutStations(spec: JobSpec, stationIds: readonly string[]): JobSpec {
  if (stationIds.length === 0) return spec;
  const left = new Set(stationIds);
  return { ...spec, stationIds: spec.stationIds.filter((id) => !left.has(id)) };
}

/** The cost of a query, shown before anything is sent. Points are data points by section 8 of the specification. */
export interface Estimate {
  readonly pointsAsked: number;
  readonly pointsCached: number;
  /** Points of which at least one variable is missing. */
  readonly pointsToFetch: number;
  readonly requests: number;
  /** Expected bytes of the answers' bodies, before compression; gaps make it less. */
  readonly bodyBytes: number;
  readonly seconds: number | null;
  /** Stations that the service refused to the last job that asked for them: not counted, unless they are requested again. */
  readonly forbiddenStationIds: readonly string[];
}
