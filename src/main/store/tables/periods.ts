import type { TimeRange } from "#shared/time/range.ts";
import { ALL_TIME, bucketStart } from "../chunks/bucket.ts";
import { bucketLength, type ChunkKey } from "./keys.ts";

/**
 * Buckets per row of the register: about as many chunks as fit on a page, so that a lost page costs only its own data.
 */
const BUCKETS_PER_PERIOD = 64;

/** Milliseconds that a row of the register covers. */
export function periodLength({ kind, interval }: Pick<ChunkKey, "kind" | "interval">): number {
  return BUCKETS_PER_PERIOD * bucketLength({ kind, interval });
}

/** Extends the range to whole periods. */
export function wholePeriods(key: Pick<ChunkKey, "kind" | "interval">, { startMs, endMs }: TimeRange): TimeRange {
  const length = periodLength(key);
  const grown = (ms: number, up: number): number =>
    Math.abs(ms) >= ALL_TIME.endMs ? ms : bucketStart(ms + up * (length - 1), length);
  return { startMs: grown(startMs, 0), endMs: grown(endMs, 1) };
}

/**
 * Condition for the buckets of a range. It reads the whole periods that were verified, because a damaged key breaks the
 * order of a table, so a search for the range itself may miss buckets. Takes `verifiedPeriods`.
 */
export const IN_VERIFIED_PERIODS = "bucket_ms >= ? AND bucket_ms < ? AND +bucket_ms >= ? AND +bucket_ms < ?";

export function verifiedPeriods(
  key: Pick<ChunkKey, "kind" | "interval">,
  buckets: TimeRange,
): [number, number, number, number] {
  const periods = wholePeriods(key, buckets);
  return [periods.startMs, periods.endMs, buckets.startMs, buckets.endMs];
}
