import { defined } from "#shared/defined.ts";
import { type ScalarVariable, variableInfo } from "#shared/service/variables.ts";
import { isNoValueNumber, short } from "./noValue.ts";

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

/** What the values of a column say about a unit that it may be in. */
interface Unit extends Length {
  /** Its values that occur in it. */
  readonly min: number;
  readonly max: number;
  inside: number;
  /** The number of values that occur in no other unit. */
  only: number;
  /** The largest value that occurs in it, in mm. */
  peak: number;
}

/** What all values of a column, of one quantity, say about its unit. */
export class ColumnSurvey {
  readonly units: readonly Unit[];
  /** The largest value of a column is not below this one, in mm. */
  readonly #leastPeak: number;
  values = 0;
  #areWhole = true;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;

  private constructor(units: readonly Pick<Unit, keyof Length | "min" | "max">[], leastPeak: number) {
    this.units = units.map((unit) => ({ ...unit, inside: 0, only: 0, peak: 0 }));
    this.#leastPeak = leastPeak;
  }

  /** The survey of a variable of the service. @param stated units of the columns of the file */
  static of(variable: ScalarVariable, stated: readonly Length[]): ColumnSurvey {
    const { min, max, peak } = variableInfo(variable).plausible;
    const lengths = [...LENGTHS, ...stated.filter(({ factor }) => !lengthOf(factor))];
    const units = lengths.map(({ unit, factor }) => ({ unit, factor, min: min / factor, max: max / factor }));
    return new ColumnSurvey(units, peak);
  }

  static together(surveys: readonly ColumnSurvey[]): ColumnSurvey | null {
    const [first] = surveys;
    if (!first || surveys.length === 1) return first ?? null;
    const all = new ColumnSurvey(first.units, first.#leastPeak);
    for (const each of surveys) {
      all.values += each.values;
      all.#areWhole &&= each.#areWhole;
      all.#min = Math.min(all.#min, each.#min);
      all.#max = Math.max(all.#max, each.#max);
      for (const [i, unit] of all.units.entries()) {
        const { inside, only, peak } = defined(each.units[i]);
        unit.inside += inside;
        unit.only += only;
        unit.peak = Math.max(unit.peak, peak);
      }
    }
    return all;
  }

  fitsHalf({ factor }: Length): boolean {
    return this.units.some((unit) => unit.factor === factor && unit.inside >= Math.max(1, HALF * this.values));
  }

  /** `240 values from 2.29 to 2.41` */
  get words(): string {
    const range =
      this.#min === this.#max ? `of ${short(this.#min)}` : `from ${short(this.#min)} to ${short(this.#max)}`;
    return `${this.values === 1 ? "only value" : `${this.values} values`} ${range}`;
  }

  add(value: number): void {
    if (Number.isNaN(value)) return;
    let [fits, last]: [number, Unit | null] = [0, null];
    for (const unit of this.units) {
      if (value < unit.min || value > unit.max) continue;
      unit.inside++;
      unit.peak = Math.max(unit.peak, value * unit.factor);
      fits++;
      last = unit;
    }
    if (fits === 0 && isNoValueNumber(value, () => false)) return;
    if (fits === 1 && last) last.only++;
    this.values++;
    this.#areWhole &&= Number.isInteger(value);
    this.#min = Math.min(this.#min, value);
    this.#max = Math.max(this.#max, value);
  }

  fitting(): readonly Unit[] | null {
    // Nobody measures ZTD to a metre: a decimal comma may have split its numbers.
    const fine = this.units.filter(({ min, max }) => !this.#areWhole || max - min > COARSE || this.#max <= 0);
    const high = fine.filter(({ peak }) => peak >= this.#leastPeak * EXACT);
    // Zeros alone tell nothing.
    const possible = high.length > 0 ? high : fine;
    const fittingMost = [MOST, HALF].map((least) =>
      possible.filter(({ inside }) => inside >= Math.max(1, least * this.values)),
    );
    return fittingMost.find((found) => found.length > 0) ?? null;
  }

  /** The two units of a column if nearly all values that do not fit the first one fit only the second one; else empty. */
  mixed(): readonly (Unit & { readonly values: number })[] {
    const [most, ...others] = this.units.toSorted((a, b) => b.inside - a.inside);
    const outside = this.values - (most?.inside ?? 0);
    const other = others.find(({ only }) => only >= FEW_ROWS && only >= MOST * outside);
    return most && other ? [most, other].map((unit) => ({ ...unit, values: unit.only })) : [];
  }
}

/** A range of values, in their unit, in which whole numbers are too coarse to be measured. */
const COARSE = 2;
/** For the rounding of a division. */
const EXACT = 1 - 1e-9;
/** Fewer values outside of a unit may be errors. */
const FEW_ROWS = 3;
