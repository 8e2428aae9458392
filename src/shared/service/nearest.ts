import type { UtcMs } from "../time/utc.ts";
import type { Variable } from "./variables.ts";

export interface NearestRow {
  readonly stationId: string;
  readonly displayName: string;
  readonly timeMs: UtcMs;
  /** Numbers of scalar variables, texts of satellite variables; null: no value. */
  readonly values: Partial<Record<Variable, number | string | null>>;
}

/** The observations nearest to a moment: of every requested station either one row, or its id in `missingStationIds`. */
export interface NearestAnswer {
  /** The server's clock (its `Date` header), null if absent. */
  readonly serverTimeMs: UtcMs | null;
  /** The requested moment, or the time of the service. */
  readonly timeMs: UtcMs;
  readonly rows: readonly NearestRow[];
  readonly missingStationIds: readonly string[];
  /** By station id: why a station is missing although the service does not state that it has no observation. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Contradictions of the response, as sentences for the user. */
  readonly remarks: readonly string[];
}
