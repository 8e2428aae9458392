import type { SeriesRows } from "#shared/series/rows.ts";
import { variableKind, type Variable } from "#shared/service/variables.ts";
import { encodeDoubles, encodeMoments, encodeTexts, type EncodedColumn } from "./pages.ts";

/** A row group is held in memory: rows of one, and characters of its texts. */
const MAX_ROWS = 131_072;
const MAX_CHARACTERS = 16 << 20;

/** Rows of one station on their way into a row group. */
export class RowBuffer {
  readonly #variables: readonly Variable[];
  readonly #times = new Float64Array(MAX_ROWS);
  readonly #scalars = new Map<Variable, Float64Array>();
  readonly #texts = new Map<Variable, (string | null)[]>();
  #rows = 0;
  #characters = 0;

  constructor(variables: readonly Variable[]) {
    this.#variables = variables;
    for (const variable of variables) {
      if (variableKind(variable) === "scalar") this.#scalars.set(variable, new Float64Array(MAX_ROWS));
      else this.#texts.set(variable, []);
    }
  }

  get rows(): number {
    return this.#rows;
  }

  get isFull(): boolean {
    return this.#rows === MAX_ROWS || this.#characters > MAX_CHARACTERS;
  }

  /** Takes rows from `from` on, up to `to` (exclusive), as many as there is room for, and tells how many. */
  take(rows: SeriesRows, from: number, to: number): number {
    // Texts have no known length: a few rows at a time, so that the bound is not missed by far.
    const room = Math.min(MAX_ROWS - this.#rows, this.#texts.size > 0 ? 1_000 : MAX_ROWS);
    const end = Math.min(to, from + room);
    this.#times.set(rows.timesMs.subarray(from, end), this.#rows);
    for (const [variable, values] of this.#scalars) {
      const column = rows.columns[variable];
      if (column?.kind === "scalar") values.set(column.values.subarray(from, end), this.#rows);
      else values.fill(Number.NaN, this.#rows, this.#rows + end - from);
    }
    for (const [variable, values] of this.#texts) {
      const column = rows.columns[variable];
      for (let row = from; row < end; row++) {
        const text = column?.kind === "text" ? (column.values[row] ?? null) : null;
        values.push(text);
        this.#characters += text?.length ?? 0;
      }
    }
    this.#rows += end - from;
    return end - from;
  }

  /** The columns `time` and those of the variables, in their order; the buffer is empty afterwards. */
  encode(): EncodedColumn[] {
    const columns = [
      encodeMoments(this.#times.subarray(0, this.#rows)),
      ...this.#variables.map((variable) => {
        const scalars = this.#scalars.get(variable);
        return scalars ? encodeDoubles(scalars.subarray(0, this.#rows)) : encodeTexts(this.#texts.get(variable)!);
      }),
    ];
    for (const values of this.#texts.values()) values.length = 0;
    this.#rows = 0;
    this.#characters = 0;
    return columns;
  }
}
