import type { Variable } from "../service/variables.ts";
import type { TimeRange } from "../time/range.ts";

/**
 * What became of a cell (station, variable, range) of a job:
 * - ok: asked, final, with values
 * - empty: asked, final, and there is nothing; or nothing can be there
 * - forbidden: the key may not see the station
 * - failed: asked in vain; `reason` tells why
 * - stale: what is cached may still change
 * - missing: not asked yet, because the job has not finished
 */
export const VERDICT_STATES = ["ok", "empty", "forbidden", "failed", "stale", "missing"] as const;
export type VerdictState = (typeof VERDICT_STATES)[number];

/** How many verdicts there are of each state; states without one are left out. */
export type VerdictCounts = Partial<Record<VerdictState, number>>;

export interface Verdict {
  readonly stationId: string;
  readonly variable: Variable;
  readonly range: TimeRange;
  readonly state: VerdictState;
  /** Rows in the cache for the range in which the variable has a value. */
  readonly rows: number;
  /** A sentence for the user, where the state needs one. */
  readonly reason: string | null;
}
