import type { Variable } from "../service/variables.ts";
import type { TimeRange } from "../time/range.ts";
import { formatUtcShort, type UtcMs } from "../time/utc.ts";
import type { JobSpec } from "./job.ts";

/**
 * Results of a cell (station, variable, range) of a job:
 * - ok: requested and final; not as much is missing as in “partial”
 * - partial: requested and final with values, but an hour or longer is missing, or a tenth of them; see `reason`
 * - empty: requested and final without values, or without possible data
 * - forbidden: the key has no access to the station
 * - failed: requested without success; see `reason`
 * - stale: missing data may still arrive, or means may still change
 * - notRequested: not requested yet, because the job has not finished
 */
export const VERDICT_STATES = ["ok", "partial", "empty", "forbidden", "failed", "stale", "notRequested"] as const;
export type VerdictState = (typeof VERDICT_STATES)[number];

/** Number of verdicts by state, without states that do not occur. */
export type VerdictCounts = Partial<Record<VerdictState, number>>;

export interface Verdict {
  readonly stationId: string;
  readonly variable: Variable;
  readonly range: TimeRange;
  readonly state: VerdictState;
  /** Cached rows in the range with a value of the variable. */
  readonly rows: number;
  /** A sentence for the user, or null if the state needs none. */
  readonly reason: string | null;
}

/** A job that sent nothing. */
interface SilentJob {
  readonly spec: Pick<JobSpec, "range" | "intervalSeconds">;
  /** The service's time when it started. */
  readonly untilMs: UtcMs;
  readonly states: ReadonlySet<VerdictState>;
  /** Whether its range can contain data, by the catalogue. */
  readonly isPossible: boolean;
  /** Whether it finished; otherwise `states` says nothing about missing data. */
  readonly isFinished: boolean;
}

/** Explains why a job sent nothing, as a sentence without its full stop. */
export function whyNothingWasSent({ spec, untilMs, states, isPossible, isFinished }: SilentJob): string {
  const { range, intervalSeconds } = spec;
  if (range.startMs >= untilMs) return futureWords(range.startMs);
  if (!isFinished) return "Nothing was downloaded";
  if (states.has("notRequested") || states.has("failed") || states.has("forbidden"))
    return "No more data can be requested";
  if (!isPossible) return "The station has no observations in this range or before it";
  // The current interval is requested as a whole.
  const isOver = range.endMs - untilMs <= 1_000 * (intervalSeconds ?? 1);
  if (isOver && states.has("stale"))
    return "Everything else was cached. The rest was requested less than five minutes ago";
  return isOver ? "Everything was cached" : `Everything up to now was cached; ${restWords(untilMs)}`;
}

/** Describes a range that starts after the present time. */
export function futureWords(startMs: UtcMs): string {
  return `The range is in the future: data can exist from ${formatUtcShort(startMs)} on`;
}

/** Describes the future part of a range. */
export function restWords(untilMs: UtcMs): string {
  return `the time after ${formatUtcShort(untilMs - (untilMs % 1_000))} is in the future`;
}
