import type { Pyramid } from "#shared/series/pyramid.ts";
import type { VariableColumns } from "#shared/series/rows.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { lowerBound } from "#shared/arrays.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** The pixel column of a moment of the range: columns are half-open, like the range that they divide. */
export function pixelColumn(momentMs: number, range: TimeRange, columns: number): number {
  // Multiply first: divided by a rounded width, a moment at a border would fall into the column before it. Rounding may
  // still put the last moments of the range one column too far.
  const column = Math.floor(((momentMs - range.startMs) * columns) / (range.endMs - range.startMs));
  return Math.min(columns - 1, column);
}

/** Collects values into columns of equal duration. */
export class PixelColumns {
  readonly #range: TimeRange;
  readonly #columns: number;
  readonly #widthMs;
  readonly #count;
  readonly #min;
  readonly #max;
  readonly #sum;

  constructor(range: TimeRange, columns: number) {
    this.#range = range;
    this.#columns = columns;
    this.#widthMs = (range.endMs - range.startMs) / columns;
    this.#count = new Uint32Array(columns);
    this.#min = new Float64Array(columns).fill(Infinity);
    this.#max = new Float64Array(columns).fill(-Infinity);
    this.#sum = new Float64Array(columns);
  }

  /**
   * Adds a value for each time. Values that are NaN or outside the range are ignored.
   *
   * @param timesMs ascending
   */
  add(timesMs: Float64Array, values: Float64Array): void {
    const end = lowerBound(timesMs, this.#range.endMs);
    let i = lowerBound(timesMs, this.#range.startMs);
    while (i < end) {
      const column = pixelColumn(timesMs[i]!, this.#range, this.#columns);
      // Rows before this time are in the same column, with a margin for rounding. A division for every row would take
      // most of the time.
      const safeMs = this.#range.startMs + (column + 0.999) * this.#widthMs;
      let [n, low, high, total] = [this.#count[column]!, this.#min[column]!, this.#max[column]!, this.#sum[column]!];
      do {
        const value = values[i++]!;
        if (value !== value) continue;
        n++;
        total += value;
        if (value < low) low = value;
        if (value > high) high = value;
      } while (i < end && timesMs[i]! < safeMs);
      this.#count[column] = n;
      this.#min[column] = low;
      this.#max[column] = high;
      this.#sum[column] = total;
    }
  }

  /**
   * Adds a whole pyramid, or nothing and returns false: if a block spans more than two columns or leaves the range, its
   * rows must be added instead.
   */
  addPyramid({ start, end, firstMs, lastMs, count: counts, summaries }: Pyramid): boolean {
    for (let b = start; b < end; b++) if (counts[b] !== 0 && !this.#fits(firstMs[b]!, lastMs[b]!)) return false;
    const blocks = end - start;
    for (let b = start; b < end; b++) {
      const n = counts[b]!;
      if (n === 0) continue;
      const startMs = firstMs[b]!;
      const endMs = lastMs[b]!;
      const low = summaries[2 * start + b]!;
      const high = summaries[2 * start + blocks + b]!;
      const mean = summaries[2 * start + 2 * blocks + b]!;
      const first = pixelColumn(startMs, this.#range, this.#columns);
      const last = pixelColumn(endMs, this.#range, this.#columns);
      // If the first and last value are in different columns, each gets the block's extremes and its share of the
      // count.
      const inLast = first === last ? 0 : shareOfLast(n, startMs, endMs, this.#range.startMs + last * this.#widthMs);
      this.#addFigures(first, n - inLast, low, high, mean);
      if (inLast > 0) this.#addFigures(last, inLast, low, high, mean);
    }
    return true;
  }

  /** Must be called only once. */
  finish(): VariableColumns {
    for (let c = 0; c < this.#columns; c++) {
      // 0 / 0 would be another NaN than that of other missing values.
      if (this.#count[c] === 0) this.#min[c] = this.#max[c] = this.#sum[c] = Number.NaN;
      else this.#sum[c]! /= this.#count[c]!;
    }
    return { count: this.#count, min: this.#min, max: this.#max, mean: this.#sum };
  }

  // oxlint-disable-next-line max-params -- called for each block: with an object, a click to a year takes twice as long
  #addFigures(column: number, n: number, low: number, high: number, mean: number): void {
    this.#count[column]! += n;
    this.#sum[column]! += n * mean;
    if (low < this.#min[column]!) this.#min[column] = low;
    if (high > this.#max[column]!) this.#max[column] = high;
  }

  #fits(firstMs: UtcMs, lastMs: UtcMs): boolean {
    if (firstMs < this.#range.startMs || lastMs >= this.#range.endMs) return false;
    // A block that is no longer than a column touches two of them at most. A margin for rounding.
    const isShort = lastMs - firstMs < 0.999 * this.#widthMs;
    return (
      isShort || pixelColumn(lastMs, this.#range, this.#columns) - pixelColumn(firstMs, this.#range, this.#columns) <= 1
    );
  }
}

/**
 * Estimates the values of a block in its last column. At least its last value is in it, and at least its first is not.
 */
function shareOfLast(n: number, firstMs: UtcMs, lastMs: UtcMs, borderMs: UtcMs): number {
  const share = Math.round((n * (lastMs - borderMs)) / (lastMs - firstMs));
  return Math.max(1, Math.min(n - 1, share));
}

/**
 * Decimates all rows exactly. Values that are NaN or outside the range are ignored.
 *
 * @param timesMs ascending
 */
export function decimate(
  timesMs: Float64Array,
  values: Float64Array,
  range: TimeRange,
  columns: number,
): VariableColumns {
  const pixels = new PixelColumns(range, columns);
  pixels.add(timesMs, values);
  return pixels.finish();
}
