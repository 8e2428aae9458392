import { runEndMs, type Runs } from "#shared/time/runs.ts";

/** Walks along an axis of runs with ascending moments and tells their positions. */
export class AxisCursor {
  readonly #runs: Runs;
  #run = 0;
  /** Position of the first moment of the current run. */
  #base = 0;

  constructor(runs: Runs) {
    this.#runs = runs;
  }

  /** Position of a moment that is not before any asked earlier; -1 where the axis does not hold it. */
  seek(momentMs: number): number {
    const { counts, startsMs, stepsMs } = this.#runs;
    while (this.#run < counts.length && momentMs > runEndMs(this.#runs, this.#run)) {
      this.#base += counts[this.#run]!;
      this.#run += 1;
    }
    if (this.#run >= counts.length) return -1;
    const distance = momentMs - startsMs[this.#run]!;
    if (distance === 0) return this.#base;
    const index = distance / stepsMs[this.#run]!;
    return distance > 0 && Number.isInteger(index) ? this.#base + index : -1;
  }

  /**
   * How many of `timesMs` from `from` on follow each other on the axis without a gap, after a `seek` of the first one;
   * at most `most`.
   */
  stretch(timesMs: Float64Array, from: number, most: number): number {
    const step = this.#runs.stepsMs[this.#run]!;
    const end = Math.min(timesMs.length, from + most);
    const last = runEndMs(this.#runs, this.#run);
    let i = from + 1;
    for (let next = timesMs[from]! + step; i < end && next <= last && timesMs[i] === next; next += step) i++;
    return i - from;
  }
}
