import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { Pyramid } from "../pyramid/pyramid.ts";
import type { DecimatedSeries } from "#shared/series/rows.ts";

/** Collects values into columns of equal duration. */
interface Decimator {
  rows(timesMs: Float64Array, values: Float64Array): void;
  /**
   * Adds a whole pyramid, or nothing and returns false: if a block spans more than two columns or leaves the range, its
   * rows must be used instead.
   */
  pyramid(pyramid: Pyramid): boolean;
  finish(approximate: boolean): DecimatedSeries;
}

export function createDecimator(range: TimeRange, columns: number): Decimator {
  const lengthMs = range.endMs - range.startMs;
  const widthMs = lengthMs / columns;
  // A margin for rounding.
  const shortMs = 0.999 * widthMs;
  const count = new Uint32Array(columns);
  const sum = new Float64Array(columns);
  const min = new Float64Array(columns).fill(Infinity);
  const max = new Float64Array(columns).fill(-Infinity);
  // Multiply first: divided by a rounded width, a time at a border would fall into the column before it. Rounding may
  // still put the last times of the range one column too far.
  const columnOf = (timeMs: number): number =>
    Math.min(columns - 1, Math.floor(((timeMs - range.startMs) * columns) / lengthMs));

  const widen = (column: number, low: number, high: number): void => {
    if (low < min[column]!) min[column] = low;
    if (high > max[column]!) max[column] = high;
  };

  const fits = ({ start, end, firstMs, lastMs, count: counts }: Pyramid): boolean => {
    for (let b = start; b < end; b++) {
      if (counts[b] === 0) continue;
      const startMs = firstMs[b]!;
      const endMs = lastMs[b]!;
      if (startMs < range.startMs || endMs >= range.endMs) return false;
      // A block that is no longer than a column touches two of them at most.
      const isShort = endMs - startMs < shortMs;
      if (!isShort && columnOf(endMs) - columnOf(startMs) > 1) return false;
    }
    return true;
  };

  return {
    rows(timesMs, values) {
      for (let i = 0; i < values.length; i++) {
        const value = values[i]!;
        if (value !== value) continue;
        const column = columnOf(timesMs[i]!);
        count[column]!++;
        sum[column]! += value;
        widen(column, value, value);
      }
    },
    pyramid(pyramid) {
      if (!fits(pyramid)) return false;
      const { start, end, firstMs, lastMs, count: counts, figures } = pyramid;
      const blocks = end - start;
      for (let b = start; b < end; b++) {
        const n = counts[b]!;
        if (n === 0) continue;
        const low = figures[2 * start + b]!;
        const high = figures[2 * start + blocks + b]!;
        const mean = figures[2 * start + 2 * blocks + b]!;
        const startMs = firstMs[b]!;
        const endMs = lastMs[b]!;
        const first = columnOf(startMs);
        const last = columnOf(endMs);
        widen(first, low, high);
        // If the first and last value are in different columns, each gets the block's extremes and its share of the count.
        const inLast = first === last ? 0 : shareOfLast(n, startMs, endMs, range.startMs + last * widthMs);
        count[first]! += n - inLast;
        sum[first]! += (n - inLast) * mean;
        if (inLast > 0) {
          widen(last, low, high);
          count[last]! += inLast;
          sum[last]! += inLast * mean;
        }
      }
      return true;
    },
    finish(approximate) {
      const mean = sum;
      for (let c = 0; c < columns; c++) {
        if (count[c] === 0) min[c] = max[c] = mean[c] = Number.NaN;
        else mean[c]! /= count[c]!;
      }
      return { range, count, min, max, mean, approximate };
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
