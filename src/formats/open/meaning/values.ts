import type { ColumnMeaning } from "./columns.ts";
import { isNoValueNumber } from "./noValue.ts";

/** Converts values of a file to the unit in which they are shown, without the numbers that mean no value. */
export class Finisher {
  readonly column: Omit<ColumnMeaning, "words">;
  /** Numbers that meant no value, and values outside of the plausible range, so far. */
  missing = 0;
  implausible = 0;

  constructor(column: Omit<ColumnMeaning, "words">) {
    this.column = column;
  }

  finished(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
    const { factor, plausible } = this.column;
    const isPlausible = plausible && ((value: number) => value >= plausible.min && value <= plausible.max);
    return values.map((value) => {
      if (Number.isNaN(value)) return value;
      if (isPlausible?.(value) !== true && isNoValueNumber(value, isPlausible)) {
        this.missing++;
        return Number.NaN;
      }
      if (isPlausible?.(value) === false) this.implausible++;
      return factor === 1 ? value : scaled(value, factor);
    });
  }
}

/** Scales a decimal and rounds it to fifteen digits, to get the intended decimal: 2263.4 for 2.2634 × 1000. */
export function scaled(value: number, factor: number): number {
  return Number((value * factor).toPrecision(15));
}
