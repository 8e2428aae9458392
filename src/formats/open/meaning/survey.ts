import { type ScalarVariable, variableInfo } from "#shared/service/variables.ts";
import type { Evidence } from "./evidence.ts";
import { isNoValueNumber } from "./noValue.ts";

/** Units of lengths in files, and of water, by their factor to mm. */
export const LENGTHS = [
  { unit: "mm", factor: 1 },
  { unit: "cm", factor: 10 },
  { unit: "m", factor: 1_000 },
] as const;
export type Length = (typeof LENGTHS)[number];

/** The length with a factor to mm. */
export function lengthOf(factor: number | undefined): Length | undefined {
  return LENGTHS.find((length) => length.factor === factor);
}

/** A unit fits a column if this share of its values is plausible in it. */
const MOST = 0.9;
/** If no unit fits most values, because the column has others too, it may fit this share. */
const HALF = 0.5;

/** What all values of a column, of one variable of the service, say about its unit. */
export class ColumnSurvey {
  readonly #range: { readonly min: number; readonly max: number; readonly peak: number };
  readonly #inside = LENGTHS.map(() => 0);
  /** The largest plausible value in each unit, in mm. */
  readonly #peaks = LENGTHS.map(() => 0);
  #values = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;

  constructor(variable: ScalarVariable) {
    this.#range = variableInfo(variable).plausible;
  }

  get values(): number {
    return this.#values;
  }

  /** `240 values from 2.29 to 2.41` */
  get words(): string {
    const range =
      this.#min === this.#max ? `of ${short(this.#min)}` : `from ${short(this.#min)} to ${short(this.#max)}`;
    return `${this.#values === 1 ? "only value" : `${this.#values} values`} ${range}`;
  }

  add(value: number): void {
    if (Number.isNaN(value)) return;
    const { min, max } = this.#range;
    let fits = false;
    for (let i = 0; i < LENGTHS.length; i++) {
      const inMm = value * LENGTHS[i]!.factor;
      if (inMm < min || inMm > max) continue;
      this.#inside[i]!++;
      if (inMm > this.#peaks[i]!) this.#peaks[i] = inMm;
      fits = true;
    }
    if (!fits && isNoValueNumber(value, () => false)) return;
    this.#values++;
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
  }

  evidence(): Evidence<Length> {
    const share = (length: Length): number => (this.#inside[LENGTHS.indexOf(length)] ?? 0) / Math.max(1, this.#values);
    const isHigh = (length: Length): boolean => (this.#peaks[LENGTHS.indexOf(length)] ?? 0) >= this.#range.peak;
    const high = LENGTHS.filter(isHigh);
    // Zeros alone tell nothing.
    const possible: readonly Length[] = high.length > 0 ? high : LENGTHS;
    const least = [MOST, HALF].find((each) => possible.some((length) => share(length) >= each)) ?? 0;
    const fitting = possible.filter((length) => share(length) >= least);
    return { by: `its ${this.words}`, allows: (length) => least === 0 || fitting.includes(length) };
  }
}

/** Six digits of a number. */
export function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}
