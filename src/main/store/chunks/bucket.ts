import type { VariableKind } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS, HOUR_MS, type UtcMs } from "#shared/time/utc.ts";

/** A range that includes all times of a cache. */
export const ALL_TIME: TimeRange = { startMs: -9e15, endMs: 9e15 };

/** A bucket of averaged rows holds about as many as a day of 30 s observations. */
const ROWS_PER_BUCKET = 2_880;

/**
 * Returns the time that one chunk covers: a UTC day of observations (a quarter of it for their satellite texts, so that
 * a chunk of a 1 s receiver stays small), or a whole number of days, about 2,880 rows, of averages. It depends on the
 * series only, so the same row is in the same bucket whichever request delivered it.
 */
export function bucketMs(kind: VariableKind, intervalSeconds: number | null): number {
  if (intervalSeconds === null) return kind === "scalar" ? DAY_MS : 6 * HOUR_MS;
  return Math.max(1, Math.round((ROWS_PER_BUCKET * intervalSeconds * 1_000) / DAY_MS)) * DAY_MS;
}

/** Returns the start of the bucket that contains the moment; buckets are counted from the epoch. */
export function bucketStart(moment: UtcMs, lengthMs: number): UtcMs {
  return Math.floor(moment / lengthMs) * lengthMs;
}
