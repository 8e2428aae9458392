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

/** A unit that a column may be in, and its values that occur in it. */
export interface PossibleUnit extends Length {
  readonly min: number;
  readonly max: number;
}

/** What all values of a column, of one quantity, say about its unit. */
export class ColumnSurvey {
  readonly units: readonly PossibleUnit[];
  /** The largest value of a column is not below this one, times the factor of its unit. */
  readonly #leastPeak: number;
  readonly #inside: number[];
  /** The numbers of values that occur in one unit alone. */
  readonly #only: number[];
  /** The largest value that occurs in each unit. */
  readonly #peaks: number[];
  #values = 0;
  #areWhole = true;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;

  constructor(units: readonly PossibleUnit[], leastPeak = 0) {
    this.units = units;
    this.#leastPeak = leastPeak;
    [this.#inside, this.#only, this.#peaks] = [units.map(() => 0), units.map(() => 0), units.map(() => 0)];
  }

  /** The survey of a variable of the service. @param stated units of the columns of the file */
  static of(variable: ScalarVariable, stated: readonly Length[]): ColumnSurvey {
    const { min, max, peak } = variableInfo(variable).plausible;
    const lengths = [...LENGTHS, ...stated.filter(({ factor }) => !lengthOf(factor))];
    const units = lengths.map(({ unit, factor }) => ({ unit, factor, min: min / factor, max: max / factor }));
    return new ColumnSurvey(units, peak);
  }

  /** What columns of one quantity, in one unit, say together. */
  static together(surveys: readonly ColumnSurvey[]): ColumnSurvey | null {
    const [first] = surveys;
    if (!first || surveys.length === 1) return first ?? null;
    const all = new ColumnSurvey(first.units, first.#leastPeak);
    for (const each of surveys) {
      all.#values += each.#values;
      all.#areWhole &&= each.#areWhole;
      all.#min = Math.min(all.#min, each.#min);
      all.#max = Math.max(all.#max, each.#max);
      for (const i of all.units.keys()) {
        all.#inside[i]! += each.#inside[i]!;
        all.#only[i]! += each.#only[i]!;
        all.#peaks[i] = Math.max(all.#peaks[i]!, each.#peaks[i]!);
      }
    }
    return all;
  }

  get values(): number {
    return this.#values;
  }

  /** Whether at least half of the values occur in a unit. */
  fitsHalf({ factor }: Length): boolean {
    return this.#shareOf(factor) >= HALF;
  }

  /** `240 values from 2.29 to 2.41` */
  get words(): string {
    const range =
      this.#min === this.#max ? `of ${short(this.#min)}` : `from ${short(this.#min)} to ${short(this.#max)}`;
    return `${this.#values === 1 ? "only value" : `${this.#values} values`} ${range}`;
  }

  add(value: number): void {
    if (Number.isNaN(value)) return;
    let [fits, last] = [0, 0];
    for (let i = 0; i < this.units.length; i++) {
      const { min, max } = this.units[i]!;
      if (value < min || value > max) continue;
      this.#inside[i]!++;
      if (value > this.#peaks[i]!) this.#peaks[i] = value;
      fits++;
      last = i;
    }
    if (fits === 0 && isNoValueNumber(value, () => false)) return;
    if (fits === 1) this.#only[last]!++;
    this.#values++;
    this.#areWhole &&= Number.isInteger(value);
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
  }

  /** The units that fit; null if none does. */
  fitting(): readonly PossibleUnit[] | null {
    // Nobody measures ZTD to a metre: a decimal comma may have split its numbers.
    const fine = this.units.filter(({ min, max }) => !this.#areWhole || max - min > COARSE || this.#max <= 0);
    const high = fine.filter(({ factor }) => this.#peakOf(factor) * factor >= this.#leastPeak * EXACT);
    // Zeros alone tell nothing.
    const possible = high.length > 0 ? high : fine;
    const fittingMost = [MOST, HALF].map((least) => possible.filter(({ factor }) => this.#shareOf(factor) >= least));
    return fittingMost.find((found) => found.length > 0) ?? null;
  }

  /** The two units of a column if nearly all values that do not fit the first one fit only the second one; else empty. */
  mixed(): readonly (PossibleUnit & { readonly values: number })[] {
    const all = this.units.map((unit, i) => ({ ...unit, values: this.#only[i]!, inside: this.#inside[i]! }));
    const [most, ...others] = all.toSorted((a, b) => b.inside - a.inside);
    const outside = this.#values - (most?.inside ?? 0);
    const other = others.find(({ values }) => values >= FEW_ROWS && values >= MOST * outside);
    return most && other ? [most, other] : [];
  }

  #shareOf(factor: number): number {
    return (this.#inside[this.units.findIndex((unit) => unit.factor === factor)] ?? 0) / this.#values;
  }

  #peakOf(factor: number): number {
    return this.#peaks[this.units.findIndex((unit) => unit.factor === factor)] ?? 0;
  }
}

/** A range of values, in their unit, in which whole numbers are too coarse to be measured. */
const COARSE = 2;
/** For the rounding of a division. */
const EXACT = 1 - 1e-9;
/** Fewer values outside of a unit may be errors. */
const FEW_ROWS = 3;

/** Six digits of a number. */
export function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}
