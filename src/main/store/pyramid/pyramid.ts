import { defined } from "#shared/defined.ts";
import type { Pyramid, PyramidBlocks } from "#shared/series/pyramid.ts";
import { byteReader, byteWriter } from "../codec/bytes.ts";
import { BLOCK_ROWS, columnKernel } from "../codec/kernel/kernel.ts";
import { bytesOf } from "#shared/arrays.ts";
import { decodeRunsTo, encodeRuns } from "../codec/runs.ts";
import { DamagedData } from "../errors.ts";

/** Bytes of the summaries of a block, in memory as in the file. */
const SUMMARY_BYTES = 12;
/** Bytes of a block in memory: three doubles and its summaries. */
const BLOCK_BYTES = 24 + SUMMARY_BYTES;

/** Returns the pyramid of a column and, from the same pass, its number of values. */
export function buildPyramid(
  timesMs: Float64Array,
  values: Float64Array,
): { readonly pyramid: Pyramid; readonly count: number } {
  const { summaries, all } = columnKernel().summarize(timesMs, values);
  const blocks = Math.ceil(values.length / BLOCK_ROWS);
  return { pyramid: { start: 0, end: blocks, ...blocksIn(summaries, blocks) }, count: defined(all[0]) };
}

/** Encodes a result of `buildPyramid`. */
export function encodePyramid({ firstMs, lastMs, count, summaries }: Pyramid): Uint8Array {
  const out = byteWriter(firstMs.length * 13 + 64);
  for (const column of [firstMs, lastMs, count]) out.block(encodeRuns(column));
  out.bytes(bytesOf(summaries));
  return out.finish();
}

/**
 * Decodes consecutive pyramids of these lengths in bytes. They share their memory: a year has hundreds of them, and
 * allocating each would take most of the time.
 *
 * @throws DamagedData
 */
export function decodePyramids(bytes: Uint8Array, lengths: readonly number[]): Pyramid[] {
  const capacity = Math.floor(bytes.length / SUMMARY_BYTES);
  const blocks = blocksIn(new ArrayBuffer(capacity * BLOCK_BYTES), capacity);
  const { firstMs, lastMs, count, summaries } = blocks;
  let at = 0;
  let start = 0;
  return lengths.map((length) => {
    const end = decodeOne(bytes.subarray(at, at + length), blocks, start);
    const pyramid = { start, end, firstMs, lastMs, count, summaries };
    at += length;
    start = end;
    return pyramid;
  });
}

/**
 * @returns the end of its blocks
 * @throws DamagedData
 */
function decodeOne(bytes: Uint8Array, { firstMs, lastMs, count, summaries }: PyramidBlocks, start: number): number {
  const source = byteReader(bytes);
  const end = decodeRunsTo(source, firstMs, start);
  const torn = decodeRunsTo(source, lastMs, start) !== end || decodeRunsTo(source, count, start) !== end;
  if (torn || source.at() + SUMMARY_BYTES * (end - start) !== bytes.length) throw new DamagedData("a torn pyramid");
  bytesOf(summaries).set(source.rest(), SUMMARY_BYTES * start);
  return end;
}

/** Lays the columns of `n` blocks out in a buffer; the summaries begin at a multiple of 8 bytes. */
function blocksIn(buffer: ArrayBuffer, n: number): PyramidBlocks {
  return {
    firstMs: new Float64Array(buffer, 0, n),
    lastMs: new Float64Array(buffer, n * 8, n),
    count: new Float64Array(buffer, n * 16, n),
    summaries: new Float32Array(buffer, n * 24, 3 * n),
  };
}
