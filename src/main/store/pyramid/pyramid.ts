import { defined } from "#shared/defined.ts";
import { byteReader, byteWriter } from "../codec/bytes.ts";
import { BLOCK_ROWS, columnKernel } from "../codec/kernel/kernel.ts";
import { bytesOf } from "../codec/memory.ts";
import { decodeRunsTo, encodeRuns } from "../codec/runs.ts";
import { DamagedData } from "../errors.ts";
import { type Blocks, blocksIn, FIGURE_BYTES, pyramidKernel } from "./kernel/kernel.ts";

/** Rows per block. */
export const PYRAMID_BLOCK = BLOCK_ROWS;

/**
 * Statistics of one variable of one chunk for plots: blocks of 64 rows, from `start` to `end` (exclusive) in arrays
 * that other chunks may share, the figures from 3 × `start` on. `firstMs` and `lastMs` are the times of the first and
 * last value of a block; a block without any has count 0 and NaN elsewhere.
 */
export interface Pyramid extends Blocks {
  readonly start: number;
  readonly end: number;
}

export interface ColumnSummary {
  readonly count: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
}

/** Returns the pyramid of a column and, from the same pass, the statistics of the whole column. */
export function buildPyramid(
  timesMs: Float64Array,
  values: Float64Array,
): { readonly pyramid: Pyramid; readonly summary: ColumnSummary } {
  const { figures, all } = columnKernel().summarize(timesMs, values);
  const blocks = Math.ceil(values.length / PYRAMID_BLOCK);
  const [count, min, max, mean] = all as unknown as readonly [number, number, number, number];
  return {
    pyramid: { start: 0, end: blocks, ...blocksIn(figures, 0, blocks) },
    summary: count === 0 ? { count, min: null, max: null, mean: null } : { count, min, max, mean },
  };
}

/** Encodes a result of `buildPyramid`. */
export function encodePyramid({ firstMs, lastMs, count, figures }: Pyramid): Uint8Array {
  const out = byteWriter(firstMs.length * 13 + 64);
  for (const column of [firstMs, lastMs, count]) out.block(encodeRuns(column));
  out.bytes(bytesOf(figures));
  return out.finish();
}

/**
 * Decodes consecutive pyramids of these lengths in bytes. They share their memory: a year has hundreds of them, and
 * allocating each would take most of the time.
 *
 * @throws DamagedData
 */
export function decodePyramids(bytes: Uint8Array, lengths: readonly number[]): Pyramid[] {
  const blocks = allocateBlocks(Math.floor(bytes.length / FIGURE_BYTES));
  const { firstMs, lastMs, count, figures } = blocks;
  const kernel = pyramidKernel();
  const found: Pyramid[] = [];
  let at = 0;
  let start = 0;
  const add = (end: number): void => {
    at += defined(lengths[found.length]);
    found.push({ start, end, firstMs, lastMs, count, figures });
    start = end;
  };
  while (found.length < lengths.length) {
    const from = start;
    const ends = kernel.read(bytes, at, lengths, found.length);
    copyBlocks(kernel.blocks, ends.at(-1) ?? 0, blocks, from);
    for (const end of ends) add(from + end);
    // The kernel stops at a pyramid that it cannot read; if it read none, the first one is for `decodeOne`.
    if (ends.length === 0) add(decodeOne(bytes.subarray(at, at + defined(lengths[found.length])), blocks, start));
  }
  return found;
}

function copyBlocks(from: Blocks, n: number, to: Blocks, at: number): void {
  to.firstMs.set(from.firstMs.subarray(0, n), at);
  to.lastMs.set(from.lastMs.subarray(0, n), at);
  to.count.set(from.count.subarray(0, n), at);
  to.figures.set(from.figures.subarray(0, 3 * n), 3 * at);
}

/**
 * @returns the end of its blocks
 * @throws DamagedData
 */
function decodeOne(bytes: Uint8Array, { firstMs, lastMs, count, figures }: Blocks, start: number): number {
  const source = byteReader(bytes);
  const end = decodeRunsTo(source, firstMs, start);
  const torn = decodeRunsTo(source, lastMs, start) !== end || decodeRunsTo(source, count, start) !== end;
  if (torn || source.at() + FIGURE_BYTES * (end - start) !== bytes.length) throw new DamagedData("a torn pyramid");
  bytesOf(figures).set(source.rest(), FIGURE_BYTES * start);
  return end;
}

/** Allocates blocks in one buffer: four small ones would cost more than computing their contents. */
function allocateBlocks(n: number): Blocks {
  return blocksIn(new ArrayBuffer(n * 36), 0, n);
}
