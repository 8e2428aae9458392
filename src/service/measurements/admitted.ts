import type { TimeSeriesQuery } from "#shared/service/query.ts";
import type { WorldStation } from "../world/types.ts";

/** A time series query that passed every check and may run. */
export interface AdmittedQuery {
  readonly query: TimeSeriesQuery;
  readonly stations: readonly WorldStation[];
  /** Its size by section 8. */
  readonly points: number;
  /** Of `performance.now()`: when processing began. */
  readonly startedAt: number;
}
