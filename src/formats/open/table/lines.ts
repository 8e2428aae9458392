import { bytesIn, type ForeignFile } from "../../foreign/file.ts";
import type { TextBytes } from "../text.ts";

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
export const DELIMITERS = [";", "\t", ",", "blanks"] as const;
/** Number of inspected rows. */
const ROWS = 8;
/** Number of inspected lines that are no comments: the rows, and a header. */
export const HEAD_LINES = ROWS + 1;

/** Whether a line is a comment, which may be the header. */
export function isComment(line: string): boolean {
  return COMMENT.test(line);
}

/** Whether a line is a heading or a row: neither empty nor a comment. */
export function hasFields(line: string): boolean {
  return line.trim() !== "" && !isComment(line);
}

/** Returns the text of the last comment before the first row; null if there is no comment. */
export function headComment(lines: readonly string[]): string | null {
  const end = lines.findIndex(hasFields);
  const found = lines.slice(0, end < 0 ? lines.length : end).findLast(isComment);
  return found?.replace(COMMENT, "") ?? null;
}

/**
 * Returns the possible interpretations of the beginning of a table. Column names may be in the first line that is no
 * comment, in the last comment before it, or absent.
 *
 * @param first the first lines of the file
 */
export function tableHeads(first: readonly string[]): TableHead[] {
  const lines = first.filter(hasFields).slice(0, HEAD_LINES);
  const remark = headComment(first);
  const heads = DELIMITERS.flatMap((delimiter) => [
    ...(lines.length > 1 ? [headOf(lines[0] ?? null, lines.slice(1), delimiter)] : []),
    ...(remark === null || lines.length === 0 ? [] : [headOf(remark, lines, delimiter)]),
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

const DECIMAL_COMMA = /^[+-]?\d+,\d+$/;
const DECIMAL_POINT = /^[+-]?\d*\.\d+$/;
/** Three digits after a separator, of decimals or of thousands. */
const [COMMA_AND_THREE, POINT_AND_THREE] = [/^[+-]?[1-9]\d{0,2},\d{3}$/, /^[+-]?[1-9]\d{0,2}\.\d{3}$/];
/** Points between thousands before a decimal comma. */
const THOUSANDS = /^[+-]?\d{1,3}(\.\d{3})+,\d*$/;
const NO_VALUE = /^(|nan|na|n\/a|null|none|-|\*+)$/i;
/** A number that means no value. */
const FILL_VALUE = /^-9{3,}([.,]\d*)?$/;

/** How the numbers of a table are written. */
export interface Notation {
  readonly hasDecimalComma: boolean;
  /** Numbers that may have either separator of decimals or of thousands; null: none. */
  readonly ambiguous: RegExp | null;
}

/** If the first rows have no decimals, a decimal comma is assumed unless commas separate fields. */
export function notationOf({ delimiter, rows }: TableHead): Notation {
  const has = (pattern: RegExp, except: RegExp): boolean =>
    rows.some((row) => row.some((field) => pattern.test(field) && !except.test(field)));
  const [hasComma, hasPoint] = [has(DECIMAL_COMMA, COMMA_AND_THREE), has(DECIMAL_POINT, POINT_AND_THREE)];
  if (hasComma) return { hasDecimalComma: true, ambiguous: hasPoint ? null : POINT_AND_THREE };
  if (hasPoint) return { hasDecimalComma: false, ambiguous: COMMA_AND_THREE };
  const hasEither = has(DECIMAL_COMMA, /^$/) || (delimiter !== "," && !has(DECIMAL_POINT, /^$/));
  return { hasDecimalComma: hasEither, ambiguous: null };
}

/** Parses a number; NaN for common notations of "no value". */
export function numberOf(field: string, hasDecimalComma: boolean): number {
  const text = field.trim();
  if (isNoValue(text)) return Number.NaN;
  if (!hasDecimalComma) return Number(text);
  return Number((THOUSANDS.test(text) ? text.replaceAll(".", "") : text).replace(",", "."));
}

/** Whether a field is a number, with a decimal point or comma. */
export function isNumeric(field: string): boolean {
  return !Number.isNaN(numberOf(field, field.includes(",")));
}

export function isNoValue(field: string): boolean {
  return NO_VALUE.test(field.trim()) || isFillValue(field);
}

/** Whether a field is a number that means no value, such as -999.9. */
export function isFillValue(field: string): boolean {
  return FILL_VALUE.test(field.trim());
}

/** First number of bytes to read; doubled until there are enough lines. */
const FIRST_BYTES = 64 * 1024;
/** A text without enough lines in this size is no table. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The complete lines at the beginning of a text. */
export interface FirstLines {
  readonly lines: readonly string[];
  /** Whether these are all lines of the file. */
  readonly isWhole: boolean;
}

/** Reads lines until `count` of them are rows of fields, because comments and headings may be of any length. */
export function firstLines(file: ForeignFile, count: number, bytes: TextBytes): FirstLines {
  for (let size = FIRST_BYTES; ; size *= 2) {
    const isWhole = file.bytes <= size;
    const text = bytesIn(file, 0, size).toString("latin1");
    const all = text.split(/\r?\n|\r/).map((line) => bytes.decode(line));
    // The last line is empty, or may be incomplete.
    const lines = isWhole && all.at(-1) !== "" ? all : all.slice(0, -1);
    if (isWhole || size >= MAX_BYTES || lines.filter(hasFields).length >= count) return { lines, isWhole };
  }
}
