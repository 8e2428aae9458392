import { byteReader, byteWriter } from "./codec/bytes.ts";
import { bytesOf, floatsOf } from "./codec/memory.ts";
import { decodeRuns, encodeRuns } from "./codec/runs.ts";
import { DamagedData } from "./errors.ts";

/** Rows per block. */
export const PYRAMID_BLOCK = 64;

/**
 * What a plot needs of one variable of one chunk: blocks of 64 rows. `firstMs` and `lastMs` are the times of the first
 * and last row of a block that has a value; a block without any has count 0 and NaN elsewhere. min and max are single
 * precision, rounded outward: never above, never below the true ones.
 */
export interface Pyramid {
  readonly firstMs: Float64Array;
  readonly lastMs: Float64Array;
  readonly count: Float64Array;
  readonly min: Float32Array;
  readonly max: Float32Array;
  readonly mean: Float32Array;
}

export interface ColumnSummary {
  readonly count: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
}

/** The pyramid of a column and, from the same pass, its figures as a whole. */
export function buildPyramid(
  timesMs: Float64Array,
  values: Float64Array,
): { readonly pyramid: Pyramid; readonly summary: ColumnSummary } {
  const blocks = Math.ceil(values.length / PYRAMID_BLOCK);
  const pyramid = emptyPyramid(blocks);
  let count = 0;
  let sum = 0;
  let min = Infinity;
  let max = -Infinity;
  for (let b = 0; b < blocks; b++) {
    const start = b * PYRAMID_BLOCK;
    const end = Math.min(values.length, start + PYRAMID_BLOCK);
    let low = Infinity;
    let high = -Infinity;
    let total = 0;
    let n = 0;
    let first = -1;
    let last = -1;
    for (let i = start; i < end; i++) {
      const value = values[i]!;
      if (value !== value) continue;
      if (first < 0) first = i;
      last = i;
      n++;
      total += value;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    pyramid.firstMs[b] = timesMs[first < 0 ? start : first]!;
    pyramid.lastMs[b] = timesMs[last < 0 ? start : last]!;
    pyramid.count[b] = n;
    pyramid.min[b] = n > 0 ? floatBelow(low) : Number.NaN;
    pyramid.max[b] = n > 0 ? -floatBelow(-high) : Number.NaN;
    pyramid.mean[b] = n > 0 ? total / n : Number.NaN;
    count += n;
    sum += total;
    min = Math.min(min, low);
    max = Math.max(max, high);
  }
  const summary = count === 0 ? { count, min: null, max: null, mean: null } : { count, min, max, mean: sum / count };
  return { pyramid, summary };
}

export function encodePyramid(pyramid: Pyramid): Uint8Array {
  const out = byteWriter(pyramid.min.length * 13 + 64);
  for (const column of [pyramid.firstMs, pyramid.lastMs, pyramid.count]) out.block(encodeRuns(column));
  for (const column of [pyramid.min, pyramid.max, pyramid.mean]) out.bytes(bytesOf(column));
  return out.finish();
}

/** @throws DamagedData */
export function decodePyramid(bytes: Uint8Array): Pyramid {
  const source = byteReader(bytes);
  const firstMs = decodeRuns(source.block());
  const lastMs = decodeRuns(source.block());
  const count = decodeRuns(source.block());
  const figures = floatsOf(source.rest());
  const n = firstMs.length;
  if (lastMs.length !== n || count.length !== n || figures.length !== 3 * n) throw new DamagedData("a torn pyramid");
  return {
    firstMs,
    lastMs,
    count,
    min: figures.subarray(0, n),
    max: figures.subarray(n, 2 * n),
    mean: figures.subarray(2 * n),
  };
}

/** All in one memory: six small ones would cost more than what is computed into them. */
function emptyPyramid(n: number): Pyramid {
  const memory = new ArrayBuffer(n * 36);
  return {
    firstMs: new Float64Array(memory, 0, n),
    lastMs: new Float64Array(memory, n * 8, n),
    count: new Float64Array(memory, n * 16, n),
    min: new Float32Array(memory, n * 24, n),
    max: new Float32Array(memory, n * 28, n),
    mean: new Float32Array(memory, n * 32, n),
  };
}

const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

/** The largest single that is not above the value. */
function floatBelow(value: number): number {
  float[0] = value;
  if (float[0] <= value) return float[0];
  if (float[0] === 0) return -1.401298464324817e-45;
  bits[0]! += float[0] > 0 ? -1 : 1;
  return float[0];
}
