import { crc32 } from "node:zlib";
import type { Variable, VariableKind } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { ALL_TIME, bucketStart } from "../chunks/bucket.ts";
import { clipExtents, type Extent } from "../chunks/coverage.ts";
import { bucketLength, type ChunkKey, variablesOfKind } from "./keys.ts";

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

/** Every bucket starts at a multiple of it: in this unit, weighted sums are exact integers. */
export const QUARTER_MS = 21_600_000;

/** Sums over one variable. All are linear: added chunks are added, removed chunks subtracted. */
export const SUM = { values: 0, weighted: 1, pyramids: 2, coverage: 3 } as const;
const SUMS_PER_VARIABLE = 4;

/** Sums over all data of one kind, station and period. */
export interface PeriodTotals {
  chunks: number;
  rows: number;
  /** Sum of the checksums of the chunks. */
  heads: number;
  /** The `SUM`s of each variable of the kind, variable after variable. */
  readonly sums: Float64Array;
}

/** The part of a chunk that the register counts. */
export interface CountedChunk {
  readonly bucketMs: UtcMs;
  readonly rows: number;
  readonly checksum: number;
  readonly variables: readonly Variable[];
  /** Column `parts` of the table `chunk`. */
  readonly parts: Uint32Array;
}

/** Numbers of each variable in `parts`. */
export const PART = { values: 0, pyramid: 1, count: 2 } as const;
export const NUMBERS_PER_PART = 3;

export function emptyTotals(kind: VariableKind): PeriodTotals {
  return { chunks: 0, rows: 0, heads: 0, sums: new Float64Array(variablesOfKind(kind).length * SUMS_PER_VARIABLE) };
}

export function sumIndex(kind: VariableKind, variable: Variable, sum: number): number {
  return variablesOfKind(kind).indexOf(variable) * SUMS_PER_VARIABLE + sum;
}

/** Adds a chunk to the totals, or subtracts it. */
export function addChunk(totals: PeriodTotals, kind: VariableKind, chunk: CountedChunk, sign: 1 | -1): void {
  totals.chunks += sign;
  totals.rows += sign * chunk.rows;
  totals.heads += sign * chunk.checksum;
  chunk.variables.forEach((variable, i) => {
    const values = chunk.parts[i * NUMBERS_PER_PART + PART.count] ?? 0;
    const pyramid = chunk.parts[i * NUMBERS_PER_PART + PART.pyramid] ?? 0;
    addSum(totals, sumIndex(kind, variable, SUM.values), sign * values);
    addSum(totals, sumIndex(kind, variable, SUM.weighted), sign * values * (chunk.bucketMs / QUARTER_MS));
    addSum(totals, sumIndex(kind, variable, SUM.pyramids), sign * pyramid);
  });
}

export function addSum({ sums }: PeriodTotals, index: number, value: number): void {
  sums[index] = (sums[index] ?? 0) + value;
}

/** Adds the extents of each period to `sums`, or subtracts them. */
export function addExtents(
  sums: Map<UtcMs, number>,
  key: Pick<ChunkKey, "kind" | "interval">,
  covered: readonly Extent[],
  sign: 1 | -1,
): void {
  const length = periodLength(key);
  for (const { startMs, endMs, fetchedAtMs } of covered) {
    for (let at = bucketStart(startMs, length); at < endMs; at += length) {
      const part = { startMs: Math.max(startMs, at), endMs: Math.min(endMs, at + length), fetchedAtMs };
      sums.set(at, (sums.get(at) ?? 0) + sign * extentChecksum(part));
    }
  }
}

/** Returns the sums of extents by period, of the part within whole periods. */
export function extentSums(
  key: Pick<ChunkKey, "kind" | "interval">,
  covered: readonly Extent[],
  periods: TimeRange = ALL_TIME,
): Map<UtcMs, number> {
  const sums = new Map<UtcMs, number>();
  addExtents(sums, key, clipExtents(covered, periods), 1);
  return sums;
}

export function extentChecksum({ startMs, endMs, fetchedAtMs }: Extent): number {
  return crc32(`${startMs} ${endMs} ${fetchedAtMs}`);
}

/** Decodes the `SUM`s of a row of the register. */
export function numbersOf(bytes: Uint8Array, kind: VariableKind): Float64Array {
  const { sums } = emptyTotals(kind);
  // Copied, because the bytes may not be aligned.
  new Uint8Array(sums.buffer).set(bytes.subarray(0, sums.byteLength));
  return sums;
}
