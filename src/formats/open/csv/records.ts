import { FormatFailure } from "../../error.ts";
import { chunksOf, type ForeignFile } from "../../foreign/file.ts";
import { isAscii, type TextBytes } from "../text.ts";

/** A longer record means that the file is no CSV; it is not kept in memory. */
const MAX_RECORD_CHARACTERS = 1_000_000;

/**
 * Yields the records of a CSV file by RFC 4180 in batches, with or without a byte order mark. Quoted fields may
 * contain commas, doubled quotes and line breaks. Empty lines are skipped.
 */
export function* csvRecords(file: ForeignFile, bytes: TextBytes): Iterable<string[][]> {
  let rest = "";
  let isFirst = true;
  // Bytes of other characters than ASCII are no commas, quotation marks or line ends.
  for (const chunk of chunksOf(file)) {
    const text = chunk.toString("latin1");
    rest += isFirst ? text.replace(/^\u00ef\u00bb\u00bf/, "") : text;
    isFirst = false;
    const { records, end } = recordsIn(rest, false);
    const whole = rest;
    rest = rest.slice(end);
    if (rest.length > MAX_RECORD_CHARACTERS)
      throw new FormatFailure(
        "unreadable",
        "A line of this file does not end: it is not CSV, or a quotation mark is missing.",
      );
    yield decoded(records, whole, bytes);
  }
  yield decoded(recordsIn(rest, true).records, rest, bytes);
}

/** @param text the text of the records: usually ASCII, so that no field has to be decoded */
function decoded(records: string[][], text: string, bytes: TextBytes): string[][] {
  if (isAscii(text)) return records;
  return records.map((fields) => fields.map((field) => bytes.decode(field)));
}

/** Returns the complete records of a text, and the start of the first incomplete one. */
function recordsIn(text: string, isLast: boolean): { records: string[][]; end: number } {
  const records: string[][] = [];
  let end = 0;
  let quote = text.indexOf('"');
  while (end < text.length) {
    const lineEnd = text.indexOf("\n", end);
    // Searched again only when passed, because in a file without quotes each search covers the whole text.
    if (quote >= 0 && quote < end) quote = text.indexOf('"', end);
    // Lines without quotes can be split at commas.
    if (lineEnd >= 0 && (quote < 0 || quote > lineEnd)) {
      const line = text.slice(end, text[lineEnd - 1] === "\r" ? lineEnd - 1 : lineEnd);
      if (line !== "") records.push(line.split(","));
      end = lineEnd + 1;
      continue;
    }
    const found = quotedRecord(text, end, isLast);
    if (!found) break;
    if (found.fields.length > 1 || found.fields[0] !== "") records.push(found.fields);
    end = found.end;
  }
  return { records, end };
}

function quotedRecord(text: string, start: number, isLast: boolean): { fields: string[]; end: number } | null {
  const fields: string[] = [];
  let at = start;
  for (;;) {
    let field = "";
    if (text[at] === '"') {
      for (at += 1; ; at += 2) {
        const close = text.indexOf('"', at);
        if (close < 0) return isLast ? { fields: [...fields, field + text.slice(at)], end: text.length } : null;
        field += text.slice(at, close);
        at = close;
        // A quotation mark at the end of the text may be the first of two.
        if (at + 1 >= text.length && !isLast) return null;
        if (text[at + 1] !== '"') break;
        field += '"';
      }
      at += 1;
    }
    const next = nextMark(text, at);
    field += text.slice(at, next).replace(/\r$/, "");
    if (next >= text.length) return isLast ? { fields: [...fields, field], end: text.length } : null;
    fields.push(field);
    at = next + 1;
    if (text[next] === "\n") return { fields, end: at };
  }
}

function nextMark(text: string, from: number): number {
  const comma = text.indexOf(",", from);
  const line = text.indexOf("\n", from);
  if (comma < 0) return line < 0 ? text.length : line;
  return line < 0 ? comma : Math.min(comma, line);
}
