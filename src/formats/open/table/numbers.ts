import { unreadable } from "../../error.ts";
import { listed, type Notes, quotedName } from "../notes.ts";
import type { TableLayout } from "./layout.ts";
import { type Notation, numberIn, withoutEnding } from "./notation.ts";

const IN_OTHER_UNIT = "Numbers in a unit that cannot be converted to that of others are shown as missing";

/** Reads the numbers of rows, and counts which columns have some: columns with nothing but texts are not series. */
export function numberReader({ head, notation, noValue, numbers: all }: TableLayout, notes: Notes) {
  const isChosenNone = noneLike(noValue, notation);
  const columns = all.map(({ at, heading }) => {
    const isStatedNone = noneLike(head.missing?.[at] ?? null, notation);
    return { heading, isStatedNone, ending: head.endings?.[at], numbers: 0, texts: 0 };
  });
  const which = notation.hasDecimalComma ? "2.370 beside decimal commas" : "2,370 beside decimal points";
  const ambiguous = `Numbers such as ${which} are shown as missing, because they may be thousands`;
  let example = "";
  const read = (field: string, n: number): number => {
    const column = columns[n];
    if (isChosenNone?.(field) || column?.isStatedNone?.(field)) return Number.NaN;
    const value = numberIn(withoutEnding(field.trimEnd(), column?.ending), notation);
    if (value === "ambiguous") notes.count(ambiguous);
    if (typeof value !== "number" || !column) return Number.NaN;
    column[Number.isNaN(value) ? "texts" : "numbers"]++;
    if (Number.isNaN(value)) example ||= field;
    return value;
  };
  return {
    /** NaN for no value, null for a quantity that this row is not of. */
    of: (fields: readonly string[]): (number | null)[] =>
      all.map(({ at, isOfRow, convert }, n) => {
        if (isOfRow?.(fields) === false) return null;
        const value = read(fields[at] ?? "", n);
        const converted = convert ? convert(value, fields) : value;
        if (Number.isNaN(converted) && !Number.isNaN(value)) notes.count(IN_OTHER_UNIT);
        return converted;
      }),
    /** Whether each column has numbers, or nothing. @throws FormatFailure if none has */
    areNumbers(): boolean[] {
      const found = columns.map(({ numbers, texts }) => numbers > 0 || texts === 0);
      if (found.includes(true)) return found;
      throw unreadable(
        `This table has no column of numbers that could be shown, but texts such as ${quotedName(example)}. Export plain numbers, each quantity in a column of its own, such as ztd_mm.`,
      );
    },
    addNotes(): void {
      const others = columns.filter(({ numbers, texts }) => numbers === 0 && texts > 0);
      if (others.length > 0)
        notes.add(`Columns of texts are not shown: ${listed(others.map(({ heading }) => heading))}.`);
      const unread = columns.reduce((sum, { numbers, texts }) => sum + (numbers > 0 ? texts : 0), 0);
      notes.count("Fields that are not numbers are shown as missing", unread);
    },
  };
}

/** Recognizes a text for no value, in any notation of a number; null without one. */
function noneLike(noValue: string | null, notation: Notation): ((field: string) => boolean) | null {
  if (noValue === null) return null;
  const noNumber = numberIn(noValue, notation);
  return (field) =>
    field.trim() === noValue || (typeof noNumber === "number" && numberIn(field, notation) === noNumber);
}
