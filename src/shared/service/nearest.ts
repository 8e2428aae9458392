import type { UtcMs } from "../time/utc.ts";
import type { Variable } from "./variables.ts";

export interface NearestRow {
  readonly stationId: string;
  readonly displayName: string;
  readonly timeMs: UtcMs;
  /** Numbers of scalar variables, texts of satellite variables; null: no value. */
  readonly values: Partial<Record<Variable, number | string | null>>;
}

/** The observations nearest to a moment. `serverTimeMs` is the server's clock (its `Date` header), null if absent. */
export interface NearestAnswer {
  readonly serverTimeMs: UtcMs | null;
  readonly timeMs: UtcMs;
  readonly rows: readonly NearestRow[];
  readonly missingStationIds: readonly string[];
}
