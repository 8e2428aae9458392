import { bytesIn, type ForeignFile } from "../../foreign/file.ts";
import type { TextBytes } from "../text.ts";
import { MAX_BREAKS } from "./records.ts";

/** `sep=;` tells Excel the separator. */
export const COMMENT = /^\s*(#|%|!|\/\/|\*|sep=.?\s*$)/;
export const SAMPLE_ROWS = 40;
/** Lines before the heading, and between it and the rows. */
export const [MAX_TITLES, MAX_UNITS] = [12, 3];
/** Number of inspected lines that are not comments. */
export const HEAD_LINES = SAMPLE_ROWS + MAX_TITLES + MAX_UNITS;

/** A line between heading and rows, as databases print it. */
const [SIGNS, RULE] = [/^[-+=|:\s]*$/, /^[-+=|:\s]*[-=]{3}[-+=|:\s]*$/];

export function isRemark(record: readonly string[]): boolean {
  const [first = ""] = record;
  return COMMENT.test(first) || (SIGNS.test(first) && RULE.test(record.join("|")));
}

export function hasFields(line: string): boolean {
  return line.trim() !== "" && !isRemark([line]);
}

/** First number of bytes to read; doubled until there are enough lines. */
const FIRST_BYTES = 64 * 1024;
/** A text without enough lines in this size is not a table. */
const MAX_BYTES = 4 * 1024 * 1024;

export type FirstLines = ReturnType<typeof firstLines>;

/** Reads lines until `count` of them are rows of fields, because comments and headings may have any length. */
export function firstLines(file: ForeignFile, count: number, bytes: TextBytes) {
  for (let size = FIRST_BYTES; ; size *= 2) {
    const isWhole = file.bytes <= size;
    const text = bytesIn(file, 0, size).toString("latin1");
    // All lines tell the encoding, of which the last one may be cut within a character.
    bytes.decode(isWhole ? text : text.slice(0, Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"))));
    const all = text.split(/\r?\n|\r/).map((line) => bytes.decode(line));
    // The last line is empty, or may be incomplete.
    const lines = withBreaks(isWhole && all.at(-1) !== "" ? all : all.slice(0, -1));
    if (isWhole || size >= MAX_BYTES || lines.filter(hasFields).length >= count) return { lines, isWhole };
  }
}

/** Joins the lines of a quoted field, as a heading with its unit below it in one cell of Excel. */
function withBreaks(lines: readonly string[]): string[] {
  const joined: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const further = lines.slice(at + 1, at + MAX_BREAKS);
    const more = hasOpenQuote(lines[at]!) ? further.findIndex(hasOpenQuote) + 1 : 0;
    joined.push(lines.slice(at, at + more + 1).join("\n"));
    at += more;
  }
  return joined;
}

function hasOpenQuote(line: string): boolean {
  return line.split('"').length % 2 === 0;
}
