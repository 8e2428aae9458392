import { byteReader, byteWriter } from "./codec/bytes.ts";
import { BLOCK_ROWS, columnKernel } from "./codec/kernel/kernel.ts";
import { bytesOf } from "./codec/memory.ts";
import { decodeRunsTo, encodeRuns } from "./codec/runs.ts";
import { DamagedData } from "./errors.ts";

/** Rows per block. */
export const PYRAMID_BLOCK = BLOCK_ROWS;

/**
 * What a plot needs of one variable of one chunk: blocks of 64 rows, from `start` to before `end` of arrays that other
 * chunks may share. `firstMs` and `lastMs` are the times of the first and last row of a block that has a value; a block
 * without any has count 0 and NaN elsewhere.
 */
export interface Pyramid {
  readonly start: number;
  readonly end: number;
  readonly firstMs: Float64Array;
  readonly lastMs: Float64Array;
  readonly count: Float64Array;
  /**
   * From 3 × `start`: min of every block, then max of every block, then mean. Single precision, min and max rounded
   * outward: never above, never below the true ones.
   */
  readonly figures: Float32Array;
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
  const { figures, all } = columnKernel().summarize(timesMs, values);
  const blocks = Math.ceil(values.length / PYRAMID_BLOCK);
  const [count, min, max, mean] = all as unknown as readonly [number, number, number, number];
  return {
    pyramid: { start: 0, end: blocks, ...placed(figures, blocks) },
    summary: count === 0 ? { count, min: null, max: null, mean: null } : { count, min, max, mean },
  };
}

/** One as `buildPyramid` made it. */
export function encodePyramid({ firstMs, lastMs, count, figures }: Pyramid): Uint8Array {
  const out = byteWriter(firstMs.length * 13 + 64);
  for (const column of [firstMs, lastMs, count]) out.block(encodeRuns(column));
  out.bytes(bytesOf(figures));
  return out.finish();
}

/**
 * Pyramids that lie one after the other, each of as many bytes as `lengths` says. They share their memory: a year has
 * hundreds of them, and to ask for memory for each would take most of the time.
 *
 * @throws DamagedData
 */
export function decodePyramids(bytes: Uint8Array, lengths: readonly number[]): Pyramid[] {
  const source = byteReader(bytes);
  const { firstMs, lastMs, count, figures } = room(Math.floor(bytes.length / FIGURE_BYTES));
  const figureBytes = bytesOf(figures);
  let start = 0;
  let endsAt = 0;
  return lengths.map((length) => {
    endsAt += length;
    const end = decodeRunsTo(source, firstMs, start);
    const torn = decodeRunsTo(source, lastMs, start) !== end || decodeRunsTo(source, count, start) !== end;
    if (torn || source.at() + FIGURE_BYTES * (end - start) !== endsAt) throw new DamagedData("a torn pyramid");
    figureBytes.set(source.bytes(endsAt - source.at()), FIGURE_BYTES * start);
    const pyramid = { start, end, firstMs, lastMs, count, figures };
    start = end;
    return pyramid;
  });
}

/** What a block's figures take in the file; its times take a little besides. */
const FIGURE_BYTES = 12;

/** All in one memory: four small ones would cost more than what is computed into them. */
function room(n: number): Omit<Pyramid, "start" | "end"> {
  return placed(new ArrayBuffer(n * 36), n);
}

function placed(memory: ArrayBuffer, n: number): Omit<Pyramid, "start" | "end"> {
  return {
    firstMs: new Float64Array(memory, 0, n),
    lastMs: new Float64Array(memory, n * 8, n),
    count: new Float64Array(memory, n * 16, n),
    figures: new Float32Array(memory, n * 24, 3 * n),
  };
}
