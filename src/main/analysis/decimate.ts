import type { Pyramid } from "#shared/series/pyramid.ts";
import type { VariableColumns } from "#shared/series/rows.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { lowerBound } from "#shared/arrays.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** The pixel column of a moment of the range: columns are half-open, like the range that they divide. */
export function columnOf(momentMs: number, range: TimeRange, columns: number): number {
  // Multiply first: divided by a rounded width, a moment at a border would fall into the column before it. Rounding may
  // still put the last moments of the range one column too far.
  const column = Math.floor(((momentMs - range.startMs) * columns) / (range.endMs - range.startMs));
  return Math.min(columns - 1, column);
}

/** Collects values into columns of equal duration. */
interface PixelColumns {
  /**
   * Adds a value for each time. Values that are NaN or outside the range are ignored.
   *
   * @param timesMs ascending
   */
  add(timesMs: Float64Array, values: Float64Array): void;
  /**
   * Adds a whole pyramid, or nothing and returns false: if a block spans more than two columns or leaves the range, its
   * rows must be added instead.
   */
  addPyramid(pyramid: Pyramid): boolean;
  /** Must be called only once. */
  finish(): VariableColumns;
}

export function pixelColumns(range: TimeRange, columns: number): PixelColumns {
  const widthMs = (range.endMs - range.startMs) / columns;
  const count = new Uint32Array(columns);
  const min = new Float64Array(columns).fill(Infinity);
  const max = new Float64Array(columns).fill(-Infinity);
  const sum = new Float64Array(columns);

  // oxlint-disable-next-line max-params -- called for each block: with an object, a click to a year takes twice as long
  const addFigures = (column: number, n: number, low: number, high: number, mean: number): void => {
    count[column]! += n;
    sum[column]! += n * mean;
    if (low < min[column]!) min[column] = low;
    if (high > max[column]!) max[column] = high;
  };

  const fits = (firstMs: UtcMs, lastMs: UtcMs): boolean => {
    if (firstMs < range.startMs || lastMs >= range.endMs) return false;
    // A block that is no longer than a column touches two of them at most. A margin for rounding.
    const isShort = lastMs - firstMs < 0.999 * widthMs;
    return isShort || columnOf(lastMs, range, columns) - columnOf(firstMs, range, columns) <= 1;
  };

  return {
    add(timesMs, values) {
      const end = lowerBound(timesMs, range.endMs);
      let i = lowerBound(timesMs, range.startMs);
      while (i < end) {
        const column = columnOf(timesMs[i]!, range, columns);
        // Rows before this time are in the same column, with a margin for rounding. A division for every row would take
        // most of the time.
        const safeMs = range.startMs + (column + 0.999) * widthMs;
        let [n, low, high, total] = [count[column]!, min[column]!, max[column]!, sum[column]!];
        do {
          const value = values[i++]!;
          if (value !== value) continue;
          n++;
          total += value;
          if (value < low) low = value;
          if (value > high) high = value;
        } while (i < end && timesMs[i]! < safeMs);
        count[column] = n;
        min[column] = low;
        max[column] = high;
        sum[column] = total;
      }
    },
    addPyramid({ start, end, firstMs, lastMs, count: counts, summaries }) {
      for (let b = start; b < end; b++) if (counts[b] !== 0 && !fits(firstMs[b]!, lastMs[b]!)) return false;
      const blocks = end - start;
      for (let b = start; b < end; b++) {
        const n = counts[b]!;
        if (n === 0) continue;
        const startMs = firstMs[b]!;
        const endMs = lastMs[b]!;
        const low = summaries[2 * start + b]!;
        const high = summaries[2 * start + blocks + b]!;
        const mean = summaries[2 * start + 2 * blocks + b]!;
        const first = columnOf(startMs, range, columns);
        const last = columnOf(endMs, range, columns);
        // If the first and last value are in different columns, each gets the block's extremes and its share of the
        // count.
        const inLast = first === last ? 0 : shareOfLast(n, startMs, endMs, range.startMs + last * widthMs);
        addFigures(first, n - inLast, low, high, mean);
        if (inLast > 0) addFigures(last, inLast, low, high, mean);
      }
      return true;
    },
    finish() {
      for (let c = 0; c < columns; c++) {
        // 0 / 0 would be another NaN than that of other missing values.
        if (count[c] === 0) min[c] = max[c] = sum[c] = Number.NaN;
        else sum[c]! /= count[c]!;
      }
      return { count, min, max, mean: sum };
    },
  };
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
  const pixels = pixelColumns(range, columns);
  pixels.add(timesMs, values);
  return pixels.finish();
}
