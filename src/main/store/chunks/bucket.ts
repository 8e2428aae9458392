import type { VariableKind } from "#shared/service/variables.ts";
import { DAY_MS, HOUR_MS, type UtcMs } from "#shared/time/utc.ts";

/** A bucket of averaged rows holds about as many as a day of 30 s observations. */
const ROWS_PER_BUCKET = 2_880;

/**
 * How much time one chunk covers: a UTC day for native observations (for their satellite texts a quarter of it, so
 * that a chunk of a 1 s receiver stays bounded), and a whole number of days, about 2,880 rows, for averaged ones. It
 * is a pure function of the series, so that the same row is in the same bucket whichever query brought it.
 */
export function bucketMs(kind: VariableKind, intervalSeconds: number | null): number {
  if (intervalSeconds === null) return kind === "scalar" ? DAY_MS : 6 * HOUR_MS;
  return Math.max(1, Math.round((ROWS_PER_BUCKET * intervalSeconds * 1_000) / DAY_MS)) * DAY_MS;
}

/** Start of the bucket that holds the moment; buckets are counted from the epoch. */
export function bucketStart(moment: UtcMs, lengthMs: number): UtcMs {
  return Math.floor(moment / lengthMs) * lengthMs;
}
