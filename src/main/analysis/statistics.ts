import type { ScalarColumn } from "#shared/series/rows.ts";
import type { ValueStatistics } from "#shared/series/statistics.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { lowerBound } from "#shared/arrays.ts";
import { percentilesOf } from "./sorting.ts";

/** Maximum number of values kept for the percentiles: eight years of 30 s. */
const MAX_KEPT = 8_400_000;

/**
 * Computes statistics of a series from its blocks. All are exact, except percentiles of more than `maxKept` values:
 * those are of every second, fourth … value.
 */
export class StatisticsCollector {
  readonly #range: TimeRange;
  readonly #sample;
  #n = 0;
  #mean = 0;
  #squares = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;

  constructor(range: TimeRange, maxKept: number = MAX_KEPT) {
    this.#range = range;
    this.#sample = evenSample(maxKept);
  }

  /** Adds a block, in any order; values outside the range, NaN and absent values are ignored. */
  add(timesMs: Float64Array, column: ScalarColumn): void {
    const values = valuesIn(timesMs, column, this.#range);
    if (values.length === 0) return;
    const block = centralMoments(values);
    // Merges the moments of two parts (Chan et al. 1983): a large offset (a ZTD of 2,400 mm) costs no digits.
    const total = this.#n + values.length;
    const shift = block.mean - this.#mean;
    this.#squares += block.squares + (shift * shift * this.#n * values.length) / total;
    this.#mean += (shift * values.length) / total;
    this.#n = total;
    this.#min = Math.min(this.#min, block.min);
    this.#max = Math.max(this.#max, block.max);
    this.#sample.add(values);
  }

  finish(): ValueStatistics {
    const percentile = percentilesOf(this.#sample.values());
    const isAny = this.#n > 0;
    return {
      n: this.#n,
      mean: isAny ? this.#mean : Number.NaN,
      std: this.#n < 2 ? Number.NaN : Math.sqrt(this.#squares / (this.#n - 1)),
      min: isAny ? this.#min : Number.NaN,
      max: isAny ? this.#max : Number.NaN,
      p5: percentile(0.05),
      p50: percentile(0.5),
      p95: percentile(0.95),
    };
  }
}

function valuesIn(timesMs: Float64Array, { values, present }: ScalarColumn, range: TimeRange): Float64Array {
  const from = lowerBound(timesMs, range.startMs);
  const to = lowerBound(timesMs, range.endMs);
  const kept = new Float64Array(Math.max(0, to - from));
  let n = 0;
  for (let i = from; i < to; i++) {
    const value = values[i]!;
    if (value === value && (present === null || present[i] === 1)) kept[n++] = value;
  }
  return kept.subarray(0, n);
}

/** In two passes, the second on the deviations from the approximate mean. */
function centralMoments(values: Float64Array) {
  let sum = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    sum += value;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const rough = sum / values.length;
  let rest = 0;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    const away = values[i]! - rough;
    rest += away;
    squares += away * away;
  }
  const off = rest / values.length;
  return { mean: rough + off, squares: squares - rest * off, min, max };
}

/** Keeps every value up to the maximum, then every second, fourth … */
function evenSample(maxKept: number) {
  let parts: Float64Array[] = [];
  let kept = 0;
  let stride = 1;
  let skip = 0;

  function values(): Float64Array {
    const all = new Float64Array(kept);
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  return {
    add(fresh: Float64Array) {
      const picked = stride === 1 ? fresh : thin(fresh, stride, skip);
      skip = stride === 1 ? 0 : skip + picked.length * stride - fresh.length;
      parts.push(picked);
      kept += picked.length;
      while (kept > maxKept) {
        const half = thin(values(), 2, 0);
        parts = [half];
        kept = half.length;
        stride *= 2;
      }
    },
    values,
  };
}

function thin(values: Float64Array, step: number, from: number): Float64Array {
  const picked = new Float64Array(Math.max(0, Math.ceil((values.length - from) / step)));
  for (let i = 0; i < picked.length; i++) picked[i] = values[from + i * step]!;
  return picked;
}
