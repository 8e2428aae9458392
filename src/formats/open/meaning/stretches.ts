import { timelessName } from "../fileNames.ts";
import { CODE, MAX_STATIONS } from "./stations.ts";

/** Mean number of rows of a stretch: shorter ones may belong to texts that describe single rows. */
const LEAST_ROWS = 3;

const LETTER = /\p{L}/u;

interface Column {
  readonly at: number;
  /** Of the last row. */
  text: string | null;
  name: string;
  readonly names: Set<string>;
}

/**
 * Finds texts that stay the same over stretches of rows, and never return: rows of one station after rows of another, which
 * their times do not tell apart. Texts that differ in numbers and months alone belong to one series.
 */
export class Stretches {
  #columns: Column[];
  readonly #width: number;
  #rows = 0;

  /** @param columns indices of fields @param width number of columns, which the cells above the rows, and their place, follow */
  constructor(columns: readonly number[], width: number) {
    this.#columns = columns.map((at) => ({ at, text: null, name: "", names: new Set() }));
    this.#width = width;
  }

  add(fields: readonly string[]): void {
    this.#rows++;
    this.#columns = this.#columns.filter((column) => this.#isKept(column, fields[column.at] ?? ""));
  }

  /** The columns of at least two stretches, that with the most ones first. */
  columns(): readonly number[] {
    return this.#columns
      .filter(({ names }) => names.size > 1 && names.size * LEAST_ROWS <= this.#rows)
      .toSorted((a, b) => b.names.size - a.names.size)
      .map(({ at }) => at);
  }

  #isKept(column: Column, text: string): boolean {
    if (text === column.text) return true;
    column.text = text;
    const timeless = timelessName(text);
    const isExact = column.at > this.#width || (CODE.test(text) && LETTER.test(timeless));
    const name = isExact ? text : timeless;
    if (name === column.name) return true;
    column.name = name;
    if (!LETTER.test(name) || column.names.has(name)) return false;
    column.names.add(name);
    return column.names.size <= MAX_STATIONS;
  }
}
