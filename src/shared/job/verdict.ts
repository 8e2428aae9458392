import type { Variable } from "../service/variables.ts";
import type { TimeRange } from "../time/range.ts";

/**
 * Results of a cell (station, variable, range) of a job:
 * - ok: requested, final, with values
 * - empty: requested and final without values, or without possible data
 * - forbidden: the key has no access to the station
 * - failed: requested without success; see `reason`
 * - stale: the cached data is provisional
 * - missing: not requested yet, because the job has not finished
 */
export const VERDICT_STATES = ["ok", "empty", "forbidden", "failed", "stale", "missing"] as const;
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
