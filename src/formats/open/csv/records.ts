import { createReadStream } from "node:fs";
import { FormatFailure } from "../../error.ts";

/** Longer fields are no names, times or numbers: what they are part of is left out, not kept in memory. */
const MOST_RECORD_CHARACTERS = 1_000_000;

/**
 * The records of a CSV file by RFC 4180, as UTF-8 with or without a byte order mark, in batches. Quoted fields may hold
 * commas, quotes (doubled) and line breaks. An empty line is no record.
 */
export async function* csvRecords(path: string): AsyncIterable<string[][]> {
  let rest = "";
  let isFirst = true;
  for await (const piece of createReadStream(path, { encoding: "utf8", highWaterMark: 1 << 20 })) {
    rest += isFirst ? (piece as string).replace(/^\ufeff/, "") : (piece as string);
    isFirst = false;
    const { records, end } = recordsIn(rest, false);
    rest = rest.slice(end);
    if (rest.length > MOST_RECORD_CHARACTERS)
      throw new FormatFailure(
        "unreadable",
        "A line of this file does not end: it is not CSV, or a quotation mark is missing.",
      );
    yield records;
  }
  yield recordsIn(rest, true).records;
}

/** Whole records of a text, and where the first one begins that may go on. */
function recordsIn(text: string, isLast: boolean): { records: string[][]; end: number } {
  const records: string[][] = [];
  let end = 0;
  let quote = text.indexOf('"');
  while (end < text.length) {
    const lineEnd = text.indexOf("\n", end);
    // Looked for again only when it is passed: most files have none, and that takes as long as the text.
    if (quote >= 0 && quote < end) quote = text.indexOf('"', end);
    // Most lines have no quotes, and then a comma is a comma.
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
        // A quotation mark at the very end may be the first of two.
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
