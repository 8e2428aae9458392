import { type ScalarVariable, variableInfo } from "#shared/service/variables.ts";
import { isNoValueNumber } from "./noValue.ts";

/** A unit of a length, or of water, by its factor to mm. */
export interface Length {
  readonly unit: string;
  readonly factor: number;
}

/** The units that a file may mean if it states none. */
export const LENGTHS = [
  { unit: "mm", factor: 1 },
  { unit: "cm", factor: 10 },
  { unit: "m", factor: 1_000 },
] as const satisfies readonly Length[];

/** The one of these with a factor to mm. */
export function lengthOf(factor: number | undefined): (typeof LENGTHS)[number] | undefined {
  return LENGTHS.find((length) => length.factor === factor);
}

/** A unit fits a column if this share of its values is plausible in it. */
const MOST = 0.9;
/** If no unit fits most values, because the column has others too, it may fit this share. */
const HALF = 0.5;

/** What all values of a column, of one variable of the service, say about its unit. */
export class ColumnSurvey {
  readonly #range: { readonly min: number; readonly max: number; readonly peak: number };
  readonly #variable: ScalarVariable;
  readonly #scale: number;
  readonly lengths: readonly Length[];
  readonly #inside: number[];
  /** The largest plausible value in each unit, in mm. */
  readonly #peaks: number[];
  #values = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;

  /** @param stated units of the columns of the file @param scale see `ColumnFacts` */
  constructor(variable: ScalarVariable, stated: readonly Length[], scale = 1) {
    this.#variable = variable;
    this.#scale = scale;
    this.#range = variableInfo(variable).plausible;
    this.lengths = [...LENGTHS, ...stated.filter(({ factor }) => !lengthOf(factor))];
    this.#inside = this.lengths.map(() => 0);
    this.#peaks = this.lengths.map(() => 0);
  }

  /** What columns of one quantity, in one unit, say together. */
  static together(surveys: readonly ColumnSurvey[]): ColumnSurvey | null {
    const [first] = surveys;
    if (!first || surveys.length === 1) return first ?? null;
    const all = new ColumnSurvey(first.#variable, first.lengths, first.#scale);
    for (const each of surveys) {
      all.#values += each.#values;
      all.#min = Math.min(all.#min, each.#min);
      all.#max = Math.max(all.#max, each.#max);
      for (const i of all.lengths.keys()) {
        all.#inside[i]! += each.#inside[i]!;
        all.#peaks[i] = Math.max(all.#peaks[i]!, each.#peaks[i]!);
      }
    }
    return all;
  }

  get values(): number {
    return this.#values;
  }

  /** Whether at least half of the values are plausible in a unit. */
  fitsHalf({ factor }: Length): boolean {
    const inside = this.#inside[this.lengths.findIndex((length) => length.factor === factor)] ?? 0;
    return inside >= HALF * this.#values;
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
    for (let i = 0; i < this.lengths.length; i++) {
      const inMm = value * this.#scale * this.lengths[i]!.factor;
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

  /** The units that fit; null if none does. */
  fitting(): readonly Length[] | null {
    const high = this.lengths.filter((_, i) => this.#peaks[i]! >= this.#range.peak);
    // Zeros alone tell nothing.
    const possible = high.length > 0 ? high : this.lengths;
    const fittingMost = [MOST, HALF].map((least) =>
      possible.filter((length) => this.#inside[this.lengths.indexOf(length)]! / this.#values >= least),
    );
    return fittingMost.find((found) => found.length > 0) ?? null;
  }
}

/** Six digits of a number. */
export function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}
