import { unreadable } from "../error.ts";
import { listed, type Notes, quotedName } from "./notes.ts";

/** Counts which columns of a table have numbers: columns with nothing but texts are not series. */
export class TextColumns {
  readonly #names: readonly string[];
  readonly #numbers: Float64Array;
  readonly #texts: Float64Array;
  #example = "";

  constructor(names: readonly string[]) {
    this.#names = names;
    this.#numbers = new Float64Array(names.length);
    this.#texts = new Float64Array(names.length);
  }

  /** Counts a field with a value. @param n index of the column */
  count(n: number, isNumber: boolean, field: string): void {
    const counts = isNumber ? this.#numbers : this.#texts;
    counts[n] = (counts[n] ?? 0) + 1;
    if (!isNumber) this.#example ||= field;
  }

  /** Replaces the columns that have only texts by null. @throws FormatFailure if no column of numbers is left */
  without<T>(columns: readonly T[]): (T | null)[] {
    const kept = columns.map((column, n) => (this.#isText(n) ? null : column));
    if (kept.some((column) => column !== null)) return kept;
    throw unreadable(
      `This table has no column of numbers that could be shown, but texts such as ${quotedName(this.#example)}. Export plain numbers, each quantity in a column of its own, such as ztd_mm.`,
    );
  }

  addNotes(notes: Notes): void {
    const names = this.#names.filter((_, n) => this.#isText(n));
    if (names.length > 0) notes.add(`Columns of texts are not shown: ${listed(names)}.`);
    const unread = this.#texts.reduce((sum, texts, n) => (this.#isText(n) ? sum : sum + texts), 0);
    notes.count("Fields that are not numbers are shown as missing", unread);
  }

  #isText(n: number): boolean {
    return this.#numbers[n] === 0 && (this.#texts[n] ?? 0) > 0;
  }
}
