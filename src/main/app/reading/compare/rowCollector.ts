import type { Column } from "#shared/series/rows.ts";

interface Collected {
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
  /** NaN for rows without one; null if not requested. */
  readonly sigma: Float64Array | null;
}

/** Concatenates rows that have a value. */
interface RowCollector {
  add(timesMs: Float64Array, values: Column | undefined, sigma: Column | undefined): void;
  finish(): Collected;
}

/**
 * Copies blocks as they are read, so that a year of rows is in memory only once.
 *
 * @param rows expected number; more rows reallocate the arrays
 */
export function createRowCollector(rows: number, hasSigma: boolean): RowCollector {
  let capacity = rows;
  let timesMs = new Float64Array(capacity);
  let values = new Float64Array(capacity);
  let sigma = hasSigma ? new Float64Array(capacity) : null;
  let n = 0;

  const ensureCapacity = (more: number): void => {
    if (n + more <= capacity) return;
    capacity = Math.max(2 * capacity, n + more);
    timesMs = grown(timesMs, capacity);
    values = grown(values, capacity);
    sigma = sigma && grown(sigma, capacity);
  };

  return {
    add(times, ofValues, ofSigma) {
      const rowsHere = times.length;
      ensureCapacity(rowsHere);
      const given = numbersOf(ofValues, rowsHere);
      const deviations = sigma && numbersOf(ofSigma, rowsHere);
      if (isAllFinite(given)) {
        timesMs.set(times, n);
        values.set(given, n);
        if (sigma && deviations) sigma.set(deviations, n);
        n += rowsHere;
        return;
      }
      for (let i = 0; i < rowsHere; i++) {
        // The cache keeps infinities as received, but they cannot be used in computations.
        const value = given[i]!;
        if (!Number.isFinite(value)) continue;
        timesMs[n] = times[i]!;
        values[n] = value;
        if (sigma && deviations) sigma[n] = deviations[i]!;
        n++;
      }
    },
    finish: () => ({
      timesMs: timesMs.subarray(0, n),
      values: values.subarray(0, n),
      sigma: sigma?.subarray(0, n) ?? null,
    }),
  };
}

function grown(array: Float64Array<ArrayBuffer>, capacity: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(capacity);
  larger.set(array);
  return larger;
}

/** Values of a column; NaN for rows without one. */
function numbersOf(column: Column | undefined, n: number): Float64Array {
  if (column?.kind !== "scalar") return new Float64Array(n).fill(Number.NaN);
  const { values, present } = column;
  return present ? values.map((value, i) => (present[i] === 1 ? value : Number.NaN)) : values;
}

function isAllFinite(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return false;
  return true;
}
