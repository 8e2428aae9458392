import type { Column } from "#shared/series/rows.ts";

interface Collected {
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
  /** NaN where a row has none; null where none is wanted. */
  readonly sigma: Float64Array | null;
}

/** Puts rows with a value one after the other. */
export interface Collector {
  add(timesMs: Float64Array, values: Column | undefined, sigma: Column | undefined): void;
  finish(): Collected;
}

/**
 * Takes blocks as they are read, so that no second copy of a year is held.
 *
 * @param rows that are expected: of more the memory is taken again
 */
export function collector(rows: number, hasSigma: boolean): Collector {
  let capacity = rows;
  let timesMs = new Float64Array(capacity);
  let values = new Float64Array(capacity);
  let sigma = hasSigma ? new Float64Array(capacity) : null;
  let n = 0;

  const makeRoom = (more: number): void => {
    if (n + more <= capacity) return;
    capacity = Math.max(2 * capacity, n + more);
    timesMs = grown(timesMs, capacity);
    values = grown(values, capacity);
    sigma = sigma && grown(sigma, capacity);
  };

  return {
    add(times, ofValues, ofSigma) {
      const rowsHere = times.length;
      makeRoom(rowsHere);
      const given = numbersOf(ofValues, rowsHere);
      const deviations = sigma && numbersOf(ofSigma, rowsHere);
      if (isWhole(given)) {
        timesMs.set(times, n);
        values.set(given, n);
        if (sigma && deviations) sigma.set(deviations, n);
        n += rowsHere;
        return;
      }
      for (let i = 0; i < rowsHere; i++) {
        // Infinities are kept as they came, but nothing can be computed with them.
        if (!Number.isFinite(given[i]!)) continue;
        timesMs[n] = times[i]!;
        values[n] = given[i]!;
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

/** NaN where a row has none. */
function numbersOf(column: Column | undefined, n: number): Float64Array {
  if (column?.kind !== "scalar") return new Float64Array(n).fill(Number.NaN);
  const { values, present } = column;
  return present ? values.map((value, i) => (present[i] === 1 ? value : Number.NaN)) : values;
}

function isWhole(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i]!)) return false;
  return true;
}
