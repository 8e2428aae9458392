/** The fields of a row by a line of a file; null for other lines, and for lines that the next one continues. */
export type LineReader = (line: string) => string[] | null;

/** A format of the field whose columns its description names, not the file. */
export interface Recipe {
  readonly name: string;
  /** Recognizes a file by its first lines; null for others. */
  open(lines: readonly string[]): RecipeTable | null;
}

export interface RecipeTable {
  readonly columns: readonly Column[];
  /** `asked`: no description states it. */
  readonly scale: "GPS" | "UTC" | "asked";
  /** Starts to read lines: those of some formats depend on the line before. */
  reader(): LineReader;
}

export type Column = readonly [name: string, unit: string | null];

export function tableOf(
  scale: RecipeTable["scale"],
  columns: readonly Column[],
  reader: () => LineReader,
): RecipeTable {
  return { scale, columns, reader };
}

export function columnsIn(unit: string | null, ...names: readonly string[]): Column[] {
  return names.map((name) => [name, unit]);
}

/** Columns with their units, separated by commas: `pressure hPa, hail`. */
export function columnsOf(text: string): Column[] {
  return text.split(", ").map((each) => {
    const [name = "", unit = null] = each.split(/ (.*)/);
    return [name, unit];
  });
}
