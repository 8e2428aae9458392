import { unreadable } from "../../error.ts";
import type { ForeignFile } from "../../foreign/file.ts";
import { isAscii, latin1Chunks, type TextBytes } from "../text.ts";

export type Delimiter = "," | ";" | "\t" | "|" | "blanks";

/** Most lines of a record; a single quotation mark is of another meaning. */
export const MAX_BREAKS = 12;

/** A longer record means that the file is not CSV; it is not kept in memory. */
const MAX_RECORD_CHARACTERS = 1_000_000;

/**
 * Yields the records of a text table in batches, with or without a byte order mark, with any line ends. Fields are
 * separated as in RFC 4180, by another character or by blanks; quoted fields may contain separators, doubled quotes and line
 * breaks. Empty lines are skipped.
 * @param width number of columns; 0 if it is not known
 */
export function* csvRecords(file: ForeignFile, delimiter: Delimiter, width: number, bytes: TextBytes) {
  let rest = "";
  // Bytes of other characters than ASCII are not commas, quotation marks or line ends.
  for (const more of latin1Chunks(file)) {
    // Old Macintoshes end lines with carriage returns alone, and damaged files some.
    rest += more.includes("\r") ? more.replaceAll(/\r\n?/g, "\n") : more;
    const { records, end } = recordsIn(rest, delimiter, width, false);
    const text = rest;
    rest = rest.slice(end);
    if (rest.length > MAX_RECORD_CHARACTERS)
      throw unreadable("A line of this file does not end: it is not CSV, or a quotation mark is missing.");
    yield decodedRecords(records, text, bytes);
  }
  yield decodedRecords(recordsIn(rest, delimiter, width, true).records, rest, bytes);
}

/** The trimmed fields of a line. */
export function fieldsOf(line: string, delimiter: Delimiter): string[] {
  const [fields = [""]] = recordsIn(line, delimiter, 0, true).records;
  return fields.map((field) => field.trim());
}

/** @param text the text of the records: usually ASCII, so that no field has to be decoded */
function decodedRecords(records: string[][], text: string, bytes: TextBytes): string[][] {
  if (isAscii(text)) return records;
  return records.map((fields) => fields.map((field) => bytes.decode(field)));
}

function recordsIn(text: string, delimiter: Delimiter, width: number, isLast: boolean) {
  const records: string[][] = [];
  let end = 0;
  // Quoted fields between blanks end within their line.
  let quote = delimiter === "blanks" ? -1 : text.indexOf('"');
  while (end < text.length) {
    const lineEnd = text.indexOf("\n", end);
    // Searched again only when passed, because in a file without quotes each search covers the whole text.
    if (quote >= 0 && quote < end) quote = text.indexOf('"', end);
    const isQuoted = delimiter !== "blanks" && quote >= 0 && (lineEnd < 0 || quote < lineEnd);
    const found = isQuoted ? quotedRecord(text, end, delimiter, isLast) : "none";
    const isPlain = found === "none" || (found !== null && isOfRows(text.slice(end, found.end), delimiter, width));
    // Lines without quotes can be split at the separators.
    if (isPlain) {
      if (lineEnd < 0 && !isLast) break;
      const next = lineEnd < 0 ? text.length : lineEnd;
      const line = text.slice(end, next);
      const fields = line.trim() === "" ? [] : fieldsBetween(line, delimiter);
      if (fields.length > 0) records.push(isQuoted ? fields.map(withoutMark) : fields);
      end = next + 1;
      continue;
    }
    if (!found) break;
    if (found.fields.length > 1 || found.fields[0] !== "") records.push(found.fields);
    end = found.end;
  }
  return { records, end };
}

/** A text without the quotation mark that begins it alone. A digit may have become one: a number is none then. */
function withoutMark(field: string): string {
  return field.replace(/^\s*"(?=[^\d.,+-])(.*?)"?$/, "$1");
}

function fieldsBetween(line: string, delimiter: Delimiter): string[] {
  if (delimiter !== "blanks") return line.split(delimiter);
  if (!line.includes('"')) return line.trim().split(/\s+/);
  const fields = line.match(/"(?:[^"]|"")*"(?=\s|$)|\S+/g) ?? [];
  return fields.map((field) => field.replace(/^"(.*)"$/, "$1").replaceAll('""', '"'));
}

/** Whether all lines of a record are rows, so that the quotation mark of the first one is not that of a field. */
function isOfRows(record: string, delimiter: string, width: number): boolean {
  const lines = record.trimEnd().split("\n");
  return width > 1 && lines.length > 1 && lines.every((line) => line.split(delimiter).length === width);
}

/**
 * Returns the fields of a record with quoted ones; null if it is not complete, “none” if a quotation mark does not begin a field
 * that another one ends within some lines: damage, or inches.
 */
function quotedRecord(text: string, start: number, delimiter: string, isLast: boolean) {
  const fields: string[] = [];
  let at = start;
  for (;;) {
    let field = "";
    // Blanks may follow a separator.
    const content = text[at] === " " ? at + (/^ +(?=")/.exec(text.slice(at, at + 20))?.[0].length ?? 0) : at;
    if (text[content] === '"') {
      at = content;
      for (at += 1; ; at += 2) {
        const close = text.indexOf('"', at);
        const breaks = text.slice(at, close < 0 ? text.length : close).split("\n").length;
        if (breaks > MAX_BREAKS || (close < 0 && isLast)) return "none";
        if (close < 0) return null;
        field += text.slice(at, close);
        at = close;
        // A quotation mark at the end of the text may be the first of two.
        if (at + 1 >= text.length && !isLast) return null;
        if (text[at + 1] !== '"') break;
        field += '"';
      }
      at += 1;
      if (field.includes("\n") && ![delimiter, "\n", " ", undefined].includes(text[at])) return "none";
    }
    const next = nextMark(text, delimiter, at);
    field += text.slice(at, next);
    if (next >= text.length) return isLast ? { fields: [...fields, field], end: text.length } : null;
    fields.push(field);
    at = next + 1;
    if (text[next] === "\n") return { fields, end: at };
  }
}

function nextMark(text: string, delimiter: string, from: number): number {
  const comma = text.indexOf(delimiter, from);
  const line = text.indexOf("\n", from);
  if (comma < 0) return line < 0 ? text.length : line;
  return line < 0 ? comma : Math.min(comma, line);
}

/** Adds the empty cells at the end of a record, which workbooks do not store. */
export function toWidth(fields: string[], width: number): string[] {
  while (fields.length < width) fields.push("");
  return fields;
}

/**
 * Removes the empty fields at the end of a line that go beyond a number of columns: spreadsheets write separators after the
 * last column.
 */
export function withoutEmptyEnd(fields: string[], columns = fields.length): string[] {
  while (fields.length > columns && fields.at(-1) === "") fields.pop();
  return fields;
}
