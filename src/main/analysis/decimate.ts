import type { ScalarColumn, VariableColumns } from "#shared/series/rows.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { lowerBound } from "#shared/time/search.ts";

/** The values in each of `count.length` equal columns of the range. */
export interface Decimated extends VariableColumns {
  readonly range: TimeRange;
}

/** The pixel column of a moment: columns are half-open, like the range that they divide. */
export function columnOf(momentMs: number, range: TimeRange, columns: number): number {
  return Math.floor(((momentMs - range.startMs) * columns) / (range.endMs - range.startMs));
}

/** Decimates rows block by block, in order of time. */
interface PixelColumns {
  /**
   * Adds a value for each time. Values that are NaN or outside the range are ignored.
   *
   * @param timesMs ascending
   */
  add(timesMs: Float64Array, values: Float64Array): void;
  finish(): Decimated;
}

export function pixelColumns(range: TimeRange, columns: number): PixelColumns {
  const count = new Uint32Array(columns);
  const min = new Float64Array(columns).fill(Infinity);
  const max = new Float64Array(columns).fill(-Infinity);
  const mean = new Float64Array(columns);
  return {
    add(timesMs, values) {
      const to = lowerBound(timesMs, range.endMs);
      for (let i = lowerBound(timesMs, range.startMs); i < to;) {
        // Rounding may put the very last row one column too far.
        const c = Math.min(columns - 1, columnOf(timesMs[i]!, range, columns));
        const end = endOfColumn(timesMs, i, to, range, columns);
        let [held, low, high, sum] = [count[c]!, min[c]!, max[c]!, mean[c]!];
        for (; i < end; i++) {
          const value = values[i]!;
          if (value !== value) continue;
          held++;
          sum += value;
          if (value < low) low = value;
          if (value > high) high = value;
        }
        count[c] = held;
        min[c] = low;
        max[c] = high;
        mean[c] = sum;
      }
    },
    finish() {
      for (let c = 0; c < columns; c++) {
        if (count[c] === 0) min[c] = max[c] = mean[c] = Number.NaN;
        else mean[c]! /= count[c]!;
      }
      return { range, count, min, max, mean };
    },
  };
}

/**
 * Returns the first row after `from` and before `to` that is in a later column. Columns are ascending, so it is found in
 * leaps: a division for every row would take most of the time.
 */
function endOfColumn(timesMs: Float64Array, from: number, to: number, range: TimeRange, columns: number): number {
  const column = columnOf(timesMs[from]!, range, columns);
  let known = from;
  let leap = 1;
  while (known + leap < to && columnOf(timesMs[known + leap]!, range, columns) === column) {
    known += leap;
    leap *= 2;
  }
  let behind = Math.min(to, known + leap);
  while (known + 1 < behind) {
    const middle = (known + behind) >>> 1;
    if (columnOf(timesMs[middle]!, range, columns) === column) known = middle;
    else behind = middle;
  }
  return behind;
}

/**
 * Decimates all rows exactly. Values that are NaN or not present are ignored.
 *
 * @param timesMs ascending
 */
export function decimate(timesMs: Float64Array, column: ScalarColumn, range: TimeRange, columns: number): Decimated {
  const pixels = pixelColumns(range, columns);
  pixels.add(timesMs, numbersOf(column));
  return pixels.finish();
}

/** NaN for rows without a value of this variable. */
function numbersOf({ values, present }: ScalarColumn): Float64Array {
  return present === null ? values : values.map((value, i) => (present[i] === 1 ? value : Number.NaN));
}
