import { unreadable } from "../../error.ts";
import { listed, type Notes, quotedName } from "../notes.ts";
import type { TableLayout } from "./layout.ts";
import { type Notation, numberIn, withoutEnding } from "./notation.ts";

/** Reads the numbers of rows, and counts which columns have some: columns with nothing but texts are not series. */
export class Numbers {
  readonly #layout: TableLayout;
  readonly #isChosenNone;
  readonly #columns;
  #example = "";
  #ambiguous = 0;
  #inOtherUnit = 0;

  constructor(layout: TableLayout) {
    const { head, notation, noValue, numbers } = layout;
    this.#layout = layout;
    this.#isChosenNone = noneLike(noValue, notation);
    this.#columns = numbers.map(({ at, heading }) => {
      return {
        heading,
        isStatedNone: noneLike(head.missing?.[at] ?? null, notation),
        ending: head.endings?.[at],
        numbers: 0,
        texts: 0,
      };
    });
  }

  /** NaN for no value, null for a quantity that this row is not of. */
  of(fields: readonly string[]): (number | null)[] {
    return this.#layout.numbers.map(({ at, isOfRow, convert }, n) => {
      if (isOfRow?.(fields) === false) return null;
      const value = this.#read(fields[at] ?? "", n);
      const converted = convert ? convert(value, fields) : value;
      if (Number.isNaN(converted) && !Number.isNaN(value)) this.#inOtherUnit++;
      return converted;
    });
  }

  /** Whether each column has numbers, or nothing. @throws FormatFailure if none has */
  areNumbers(): boolean[] {
    const found = this.#columns.map(({ numbers, texts }) => numbers > 0 || texts === 0);
    if (found.includes(true)) return found;
    throw unreadable(
      `This table has no column of numbers that could be shown, but texts such as ${quotedName(this.#example)}. Export plain numbers, each quantity in a column of its own, such as ztd_mm.`,
    );
  }

  addNotes(notes: Notes): void {
    const [shown, others] = [true, false].map((isShown) =>
      this.#columns.filter(({ numbers, texts }) => (numbers > 0 || texts === 0) === isShown),
    );
    if (others?.length) notes.add(`Columns of texts are not shown: ${listed(others.map(({ heading }) => heading))}.`);
    const unread = shown?.reduce((sum, { texts }) => sum + texts, 0) ?? 0;
    notes.count("Fields that are not numbers are shown as missing", unread);
    const which = this.#layout.notation.hasDecimalComma ? "2.370 beside decimal commas" : "2,370 beside decimal points";
    notes.count(`Numbers such as ${which} are shown as missing, because they may be thousands`, this.#ambiguous);
    notes.count("Numbers in a unit that cannot be converted to that of others are shown as missing", this.#inOtherUnit);
  }

  #read(field: string, n: number): number {
    const column = this.#columns[n];
    if (this.#isChosenNone?.(field) || column?.isStatedNone?.(field)) return Number.NaN;
    const value = numberIn(withoutEnding(field.trimEnd(), column?.ending), this.#layout.notation);
    if (value === "ambiguous") this.#ambiguous++;
    if (typeof value !== "number" || !column) return Number.NaN;
    column[Number.isNaN(value) ? "texts" : "numbers"]++;
    if (Number.isNaN(value)) this.#example ||= field;
    return value;
  }
}

/** Recognizes a text for no value, in any notation of a number; null without one. */
function noneLike(noValue: string | null, notation: Notation): ((field: string) => boolean) | null {
  if (noValue === null) return null;
  const noNumber = numberIn(noValue, notation);
  return (field) =>
    field.trim() === noValue || (typeof noNumber === "number" && numberIn(field, notation) === noNumber);
}
