import { crc32 } from "node:zlib";
import type { Variable, VariableKind } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketStart } from "../chunks/bucket.ts";
import type { Extent } from "../chunks/coverage.ts";
import { type ChunkKey, variablesOfKind } from "./keys.ts";
import { periodLength } from "./periods.ts";

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
