/** Separator of the fields of a line. */
type Delimiter = "," | ";" | "\t" | "blanks";

/** An interpretation of the beginning of a text table. */
export interface TableHead {
  readonly delimiter: Delimiter;
  /** The header line, or null. */
  readonly header: string | null;
  readonly names: readonly string[];
  /** The first rows with as many fields as there are names. */
  readonly rows: readonly (readonly string[])[];
}

const COMMENT = /^\s*(#|%|!|\/\/|\*)/;
const DELIMITERS = [";", "\t", ",", "blanks"] as const;
/** Number of inspected rows. */
const ROWS = 8;

/** Whether a line is a comment, which may be the header. */
export function isComment(line: string): boolean {
  return COMMENT.test(line);
}

/**
 * Returns the possible interpretations of the beginning of a table. Column names may be in the first line that is no
 * comment, in the last comment before it, or absent.
 *
 * @param text the beginning of the file; its last line may be incomplete
 */
export function tableHeads(text: string): TableHead[] {
  const all = text.split(/\r?\n|\r/).slice(0, -1);
  const rows = all.flatMap((line, i) => (line.trim() === "" || isComment(line) ? [] : [{ line, i }]));
  const lines = rows.slice(0, ROWS + 1).map(({ line }) => line);
  const remark = all
    .slice(0, rows[0]?.i ?? 0)
    .findLast(isComment)
    ?.replace(COMMENT, "");
  const heads = DELIMITERS.flatMap((delimiter) => [
    ...(lines.length > 1 ? [headOf(lines[0] ?? null, lines.slice(1), delimiter)] : []),
    ...(remark === undefined || lines.length === 0 ? [] : [headOf(remark, lines, delimiter)]),
  ]);
  return [...heads, ...DELIMITERS.map((delimiter) => headOf(null, lines, delimiter))].filter((head) => head !== null);
}

function headOf(header: string | null, lines: readonly string[], delimiter: Delimiter): TableHead | null {
  const named = header === null ? null : withoutEmptyEnd(fieldsOf(header, delimiter), 0);
  const [first = [], ...more] = lines.map((line) => withoutEmptyEnd(fieldsOf(line, delimiter), named?.length));
  const names = named ?? first.map((_, i) => `Column ${i + 1}`);
  if (names.length < 2 || first.length !== names.length) return null;
  return {
    delimiter,
    header,
    names,
    rows: [first, ...more.filter((row) => row.length === names.length)].slice(0, ROWS),
  };
}

/**
 * Removes the empty fields at the end of a line that go beyond a number of columns: spreadsheets write separators after the
 * last column.
 */
export function withoutEmptyEnd(fields: string[], columns = fields.length): string[] {
  while (fields.length > columns && fields.at(-1) === "") fields.pop();
  return fields;
}

/** Splits a line into fields, with respect to quotes. */
export function fieldsOf(line: string, delimiter: Delimiter): string[] {
  if (delimiter === "blanks") return line.trim().split(/\s+/);
  if (!line.includes('"')) return line.split(delimiter).map((field) => field.trim());
  const fields: string[] = [];
  const pattern = new RegExp(`\\s*(?:"((?:[^"]|"")*)"|([^${delimiter}]*?))\\s*(?:${delimiter}|$)`, "y");
  for (let at = 0; at <= line.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const [whole = "", quoted, plain = ""] = pattern.exec(line) ?? [];
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (!whole.endsWith(delimiter)) break;
  }
  return fields;
}

const NO_VALUE = /^(|nan|na|n\/a|null|none|-|-9{3,}(\.\d*)?|\*+)$/i;

/** Parses a number; NaN for common notations of "no value". */
export function numberOf(field: string, hasDecimalComma: boolean): number {
  const text = field.trim();
  if (NO_VALUE.test(text)) return Number.NaN;
  return Number(hasDecimalComma ? text.replace(",", ".") : text);
}

export function isNoValue(field: string): boolean {
  return NO_VALUE.test(field.trim());
}
