import type { TimeRange } from "../time/range.ts";

/** A stretch in which a solution may have converged anew: suggested by its uncertainty, never asserted. */
export interface Convergence {
  /** From the first uncertain row to the first settled one. */
  readonly range: TimeRange;
  /** Uncertainty (standard deviation) of ZTD at the beginning and settled, mm. */
  readonly fromMm: number;
  readonly toMm: number;
}
