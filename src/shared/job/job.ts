import type { IrregularityCounts, SeriesMode } from "../series/rows.ts";
import type { ServiceErrorKind } from "../service/error.ts";
import type { Variable } from "../service/variables.ts";
import { alignOutward, type TimeRange } from "../time/range.ts";
import { type RangeSet, intersect, rangeSet } from "../time/rangeset.ts";
import type { UtcMs } from "../time/utc.ts";
import type { RefreshReport } from "./refresh.ts";

/** The data that a download job requests. The remaining work is always this minus the coverage of the cache. */
export interface JobSpec extends SeriesMode {
  readonly stationIds: readonly string[];
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
  /** If given, limits the job to these parts of the range; stations not listed have none. */
  readonly only?: readonly StationRanges[] | undefined;
  /** Whether to request everything again, and to report what has changed, instead of requesting missing data. */
  readonly refresh?: boolean | undefined;
}

/** Ranges of one station. */
interface StationRanges {
  readonly stationId: string;
  readonly ranges: RangeSet;
}

/**
 * - running: has active or queued requests
 * - finished: every cell has a verdict, possibly failures
 * - cancelled: stopped by the user; resumes with missing data
 * - needsKey: the service refused the key (401); resumes with a valid one
 * - broken: the service cannot be used at all (certificate, proxy, another program behind the address)
 */
export type JobState = "running" | "finished" | "cancelled" | "needsKey" | "broken";

const ENDED_STATES: ReadonlySet<string> = new Set<JobState>(["finished", "broken", "cancelled"]);

/** Whether the last run of a job has ended for good. A job that keeps up runs again. */
export function hasEnded({ state }: { readonly state: string }): boolean {
  return ENDED_STATES.has(state);
}

/** Progress of a running job. Points are data points by section 8 of the specification. */
export interface JobProgress {
  readonly state: JobState;
  /** Points that were missing when the job started. */
  readonly pointsTotal: number;
  /** Points of committed responses, plus the received part of active ones. */
  readonly pointsDone: number;
  readonly rows: number;
  /** Bytes of response bodies after decompression. */
  readonly bodyBytes: number;
  readonly requestsSent: number;
  readonly requestsUnderWay: number;
  /** Requests that were refused for their size and split. */
  readonly splits: number;
  /** Requests that were repeated after a transmission failure. */
  readonly retries: number;
  /** Requests that the service delayed (429). */
  readonly putOff: number;
  /** The learned limit in points per request; null if unknown. */
  readonly limitPoints: number | null;
  readonly concurrency: number;
  /** Points per second over the last seconds; null before the first response. */
  readonly pointsPerSecond: number | null;
  /** Completed requests per second over the last seconds; absent in older records. */
  readonly requestsPerSecond?: number | null;
  readonly secondsLeft: number | null;
  /** End of a pause that the service requested (local clock), or null. */
  readonly waitingUntilMs: UtcMs | null;
  /** Whether all that is left is being downloaded by another job or program, whose end is waited for. */
  readonly waitsForOthers?: boolean;
  /** The current outage; null or absent if there is none. */
  readonly outage?: ServiceOutage | null;
  readonly irregularities: IrregularityCounts;
  /** The service's time when the job started: later data could not be requested. Absent in older records. */
  readonly untilMs?: UtcMs | undefined;
  /** What a refresh has changed so far; absent before, and for other jobs. */
  readonly refreshed?: RefreshReport | undefined;
}

/** An outage, during which one request at a time probes the service. Times by the local clock. */
export interface ServiceOutage {
  /** The first failure after the last response. */
  readonly sinceMs: UtcMs;
  /** Time of the next probe; in the past during a probe. */
  readonly nextTryMs: UtcMs;
  /** The last failure, as a sentence for the user. */
  readonly reason: string;
  /** Another program has the cache locked; the service is not to blame. */
  readonly isLock?: boolean | undefined;
}

/** A part of a job that failed; the reason is a sentence for the user. */
export interface JobFailure {
  readonly stationId: string;
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
  readonly kind: ServiceErrorKind;
  readonly reason: string;
}

/** Returns the ranges of a job for one of its stations: the whole range or the parts in `only`, in whole intervals. */
export function jobRanges(spec: Pick<JobSpec, "range" | "only" | "intervalSeconds">, stationId: string): RangeSet {
  const { range, only, intervalSeconds } = spec;
  const whole = (ranges: RangeSet): RangeSet =>
    rangeSet(intervalSeconds === null ? ranges : ranges.map((each) => alignOutward(each, intervalSeconds)));
  if (only === undefined) return whole([range]);
  return intersect(whole(only.find((each) => each.stationId === stationId)?.ranges ?? []), whole([range]));
}

/** Returns the job without some of its stations. */
export function withoutStations(spec: JobSpec, stationIds: readonly string[]): JobSpec {
  if (stationIds.length === 0) return spec;
  const left = new Set(stationIds);
  return { ...spec, stationIds: spec.stationIds.filter((id) => !left.has(id)) };
}

/** Estimated cost of a job, shown before anything is sent. Points are data points by section 8 of the specification. */
export interface Estimate {
  readonly pointsRequested: number;
  /** Points that need no request: they are here, or missing at the service. */
  readonly pointsKnown: number;
  /** Points of the requests: those with at least one missing variable, and few others where that saves requests. */
  readonly pointsToFetch: number;
  readonly requests: number;
  /** Expected bytes of response bodies before compression, without regard to gaps. */
  readonly bodyBytes: number;
  readonly seconds: number | null;
  /** Stations that the service refused to the last job that requested them; not counted unless requested again. */
  readonly forbiddenStationIds: readonly string[];
}
