import { grown } from "#shared/arrays.ts";
import { numbersOf, type SeriesRows } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";

interface Collected {
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
  /** NaN for rows without one; null if not collected. */
  readonly sigma: Float64Array | null;
}

/** Concatenates the rows of one variable that have a finite value, and their formal uncertainties. */
export class RowCollector {
  readonly #variable;
  #capacity;
  #timesMs;
  #values;
  #sigma;
  #n = 0;

  /**
   * Copies blocks as they are read, so that a year of rows is in memory only once.
   *
   * @param rows expected number; more rows reallocate the arrays
   */
  constructor(variable: Variable, rows: number, hasSigma = false) {
    this.#variable = variable;
    this.#capacity = rows;
    this.#timesMs = new Float64Array(rows);
    this.#values = new Float64Array(rows);
    this.#sigma = hasSigma ? new Float64Array(rows) : null;
  }

  add(rows: SeriesRows): void {
    const { timesMs } = rows;
    this.#ensureCapacity(timesMs.length);
    const values = numbersOf(rows, this.#variable);
    const sigma = this.#sigma && numbersOf(rows, "ztd_sigma");
    for (let i = 0; i < timesMs.length; i++) {
      // The cache keeps infinities as received, but they cannot be used in computations.
      const value = values[i]!;
      if (!Number.isFinite(value)) continue;
      this.#timesMs[this.#n] = timesMs[i]!;
      this.#values[this.#n] = value;
      if (this.#sigma && sigma) this.#sigma[this.#n] = sigma[i]!;
      this.#n++;
    }
  }

  finish(): Collected {
    return {
      timesMs: this.#timesMs.subarray(0, this.#n),
      values: this.#values.subarray(0, this.#n),
      sigma: this.#sigma?.subarray(0, this.#n) ?? null,
    };
  }

  #ensureCapacity(more: number): void {
    if (this.#n + more <= this.#capacity) return;
    this.#capacity = Math.max(2 * this.#capacity, this.#n + more);
    this.#timesMs = grown(this.#timesMs, this.#capacity);
    this.#values = grown(this.#values, this.#capacity);
    this.#sigma = this.#sigma && grown(this.#sigma, this.#capacity);
  }
}
