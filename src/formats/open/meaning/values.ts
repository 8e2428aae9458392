import { count } from "#shared/text.ts";
import { type Notes, quotedName } from "../notes.ts";
import type { ColumnMeaning } from "./columns.ts";
import { isNoValueNumber } from "./noValue.ts";

/** Converts values of a file to the unit in which they are shown, without the numbers that mean no value. */
export class Finisher {
  readonly column: Omit<ColumnMeaning, "words">;
  /** Numbers that meant no value, and values outside of the plausible range, so far. */
  missing = 0;
  implausible = 0;
  /** Plausible numbers that may mean no value, so far. */
  readonly doubtful: number[] = [];

  constructor(column: Omit<ColumnMeaning, "words">) {
    this.column = column;
  }

  finished(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
    const { factor, plausible } = this.column;
    const isPlausible = plausible && ((value: number) => value >= plausible.min && value <= plausible.max);
    const { min, max } = plausible ?? { min: Number.NaN, max: Number.NaN };
    const finished = new Float64Array(values.length);
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      const isUsual = value >= min && value <= max;
      if (Number.isNaN(value)) finished[i] = value;
      else if (!isUsual && isNoValueNumber(value, isPlausible)) {
        this.missing++;
        finished[i] = Number.NaN;
      } else {
        if (!isUsual && plausible) this.implausible++;
        finished[i] = factor === 1 ? value : scaled(value, factor);
      }
    }
    this.doubtful.push(...farSigns(values.filter((_, i) => !Number.isNaN(finished[i]))));
    return finished;
  }
}

/** Notes which values are none, may be none, or are implausible. @param among the words after a count, if not all were looked at */
export function noteValues(finishers: readonly Finisher[], notes: Notes, among = ""): void {
  const missing = finishers.reduce((sum, each) => sum + each.missing, 0);
  notes.count(`Numbers such as -999.9 mean that there is no value${among}`, missing);
  for (const { column, implausible, doubtful } of finishers) {
    const { plausible, factor, quantity } = column;
    const name = quotedName(quantity.name);
    notes.count(
      `Numbers such as ${doubtful[0]} in ${name} may mean that there is no value, and are shown${among}`,
      doubtful.length,
    );
    if (implausible === 0 || plausible === null) continue;
    const [min, max] = [plausible.min * factor, plausible.max * factor].map((value) => count(scaled(value, 1)));
    const range = `${min} to ${max}${quantity.unit === null ? "" : ` ${quantity.unit}`}`;
    notes.count(`Values of ${name} outside of ${range} are implausible, and shown${among}`, implausible);
  }
}

function isSign(value: number): boolean {
  return isNoValueNumber(value, () => false);
}

/** The numbers that mean no value in other columns, and are farther from all others than these from each other. */
function farSigns(values: Float64Array): Float64Array {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (Number.isNaN(value) || isSign(value)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return values.filter((value) => isSign(value) && (value < 2 * min - max || value > 2 * max - min));
}

/** The shortest decimal of a single-precision number: 2404.4 for 2404.39990234375. */
export function shortestDecimal(single: number): number {
  for (let unit = 1; unit <= 1e9; unit *= 10) {
    const decimal = Math.round(single * unit) / unit;
    if (Math.fround(decimal) === single) return decimal;
  }
  return single;
}

/** Scales a decimal and rounds it to fifteen digits, to get the intended decimal: 2263.4 for 2.2634 × 1000. */
export function scaled(value: number, factor: number): number {
  return Number((value * factor).toPrecision(15));
}
