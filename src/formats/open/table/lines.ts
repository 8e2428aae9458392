import { bytesIn, type ForeignFile } from "../../foreign/file.ts";
import type { RawQuantity } from "../meaning/quantities.ts";
import { unitNamed } from "#shared/file/units.ts";
import type { TextBytes } from "../text.ts";
import { isNumeric } from "./notation.ts";
import { type Delimiter, fieldsOf, recordsOf } from "./records.ts";
import { unitOfFields, withoutUnit } from "./valueUnits.ts";
import { momentOf } from "../time/moment.ts";
import { scaleNamed } from "../time/scale.ts";

/** An interpretation of the beginning of a table. */
export interface TableHead {
  /** null for a table that is not a text. */
  readonly delimiter: Delimiter | null;
  readonly header: string | null;
  readonly names: readonly string[];
  /** The first rows with as many fields as there are names. */
  readonly rows: readonly (readonly string[])[];
  /** What a row or a comment says about the unit of each column; empty without one. */
  readonly units: readonly (string | null)[];
  /** The unit within the fields of each column, which is taken off in `rows`. */
  readonly unitsInFields: readonly (string | null)[];
  /** The text of each column that means no value, by a comment; absent without one. */
  readonly missing?: readonly (string | null)[];
  /** Descriptions of columns by the attributes of a file; absent for a text. */
  readonly about?: readonly (RawQuantity | null)[];
  /** The comments before the rows. */
  readonly comments: readonly string[];
  /** The name of a known format that does not state the scale of its times. */
  readonly withoutScale?: string;
  /** Number of lines with fields before the rows. */
  readonly skipped: number;
}

/** `sep=;` tells Excel the separator. */
const COMMENT = /^\s*(#|%|!|\/\/|\*|sep=.?\s*$)/;
export const DELIMITERS = [";", "\t", ",", "|", "blanks"] as const;
export const SAMPLE_ROWS = 40;
/** Lines before the heading, and between it and the rows. */
const [MAX_TITLES, MAX_UNITS] = [12, 3];
/** Number of inspected lines that are not comments. */
export const HEAD_LINES = SAMPLE_ROWS + MAX_TITLES + MAX_UNITS;

/** Whether a line is a comment, which may be the header. */
function isComment(line: string): boolean {
  return COMMENT.test(line);
}

/** A line between heading and rows, as databases print it. */
const RULE = /^\s*[-+=|: ]*[-=]{3}[-+=|: ]*$/;

export function isRemark(record: readonly string[]): boolean {
  return isComment(record[0] ?? "") || (record.length === 1 && RULE.test(record[0] ?? ""));
}

/** Whether a line is a heading or a row: neither empty nor a remark. */
export function hasFields(line: string): boolean {
  return line.trim() !== "" && !isRemark([line]);
}

/** Returns the text of the last comment before the first row that is not of units; null if there is no comment. */
export function headComment(lines: readonly string[]): string | null {
  const end = lines.findIndex(hasFields);
  const texts = lines.slice(0, end < 0 ? lines.length : end).filter(isComment);
  const [last = null, before = null] = texts.map((line) => line.replace(COMMENT, "")).toReversed();
  const [below = [], above = []] = [last, before].map((text) => fieldsOf(text?.trim() ?? "", "blanks"));
  return below.length === above.length && isUnitLine(below) ? before : last;
}

/**
 * Returns the possible interpretations of the beginning of a table. Column names may be in the first line that is no
 * comment, in the last comment before it, below lines of a title, or absent. Rows of units may follow them.
 *
 * @param first the first lines of the file
 */
export function tableHeads(first: readonly string[]): TableHead[] {
  const lines = first.filter(hasFields).slice(0, HEAD_LINES);
  const comments = first.slice(0, first.findIndex(hasFields)).map((line) => line.replace(COMMENT, "").trim());
  const remark = lines.length === 0 ? null : headComment(first);
  const headings: readonly (readonly [below: number, header: (delimiter: Delimiter) => string | null])[] = [
    [1, () => lines[0] ?? null],
    [0, () => remark],
    ...[2, 3].map((below) => [below, (by: Delimiter) => stackedHeading(lines.slice(0, below), by)] as const),
    ...[...lines.keys()].slice(1, MAX_TITLES).map((at) => [at + 1, () => lines[at] ?? null] as const),
  ];
  const named = headings.flatMap(([below, headerOf]) =>
    DELIMITERS.map((delimiter) => {
      const header = headerOf(delimiter);
      // Lines above the heading are titles.
      const titles = header === lines[below - 1] ? lines.slice(0, below - 1) : [];
      return header === null ? null : headOf({ header, lines, below, delimiter, comments: [...comments, ...titles] });
    }),
  );
  const unnamed = DELIMITERS.map((delimiter) => headOf({ header: null, lines, below: 0, delimiter, comments }));
  return [...named, ...unnamed].filter((head) => head !== null);
}

/**
 * Joins the names in the lines of a heading, as pandas writes those of several levels: a last line may name the columns of the
 * index alone. null if the lines are of other widths, or rows.
 */
function stackedHeading(lines: readonly string[], delimiter: Delimiter): string | null {
  if (delimiter === "blanks") return null;
  const levels = lines.map((line) => fieldsOf(line, delimiter));
  const [first = [], last = []] = [levels[0], levels.at(-1)];
  if (levels.some((level) => level.length !== first.length || level.some(isNumeric))) return null;
  const isOfIndex = last.includes("");
  const names = first.map((_, at) => {
    if (isOfIndex && last[at] !== "") return last[at];
    return levels
      .map((level) => level[at])
      .filter(Boolean)
      .join(" ");
  });
  return names.map((name) => `"${name}"`).join(delimiter);
}

interface HeadLines {
  readonly header: string | null;
  readonly lines: readonly string[];
  /** Index of the line below the header. */
  readonly below: number;
  readonly delimiter: Delimiter;
  readonly comments: readonly string[];
}

function headOf({ header, lines, below, delimiter, comments }: HeadLines): TableHead | null {
  const named = header === null ? null : withoutEmptyEnd(fieldsOf(header, delimiter), 0);
  const records = recordsOf(lines.slice(below), delimiter).map((record) => withoutEmptyEnd(record, named?.length));
  const names = withClock(named, records) ?? records[0]?.map((_, i) => `Column ${i + 1}`) ?? [];
  const head = recordHead(header, names, records);
  if (names.length < 2 || head === null) return null;
  const units = head.units.length > 0 ? head.units : commentUnits(comments, names.length, delimiter);
  const missing = comments.flatMap((comment) => {
    const text = MISSING.exec(comment)?.[1];
    const fields = text === undefined ? [] : fieldsOf(text, delimiter).map((field) => field.trim() || null);
    return fields.length === names.length ? [fields] : [];
  })[0];
  return { ...head, delimiter, units, ...(missing ? { missing } : {}), comments, skipped: below + head.skipped };
}

/** Of GeoCSV 2.0.4: a field for each column, with the text that stands for a missing value. */
const MISSING = /^field_missing\s*:\s*(.*)$/i;

/**
 * Completes a heading with fewer names than the rows have fields: with the time of day, or the second of the GPS week, if
 * it has one name for date and time (RTKLIB), or with the number of the row (R).
 */
function withClock(names: string[] | null, [first = [], ...more]: readonly (readonly string[])[]): string[] | null {
  if (names === null || first.length <= names.length) return names;
  const isAll = (at: number, test: (one: string, next: string) => boolean): boolean =>
    [first, ...more].every((row) => row.length !== first.length || test(row[at] ?? "", row[at + 1] ?? ""));
  // R writes rows with their number, which has no name.
  if (isAll(0, (text) => /^\d+$/.test(text))) return withClock(["", ...names], [first, ...more]);
  if (first.length > names.length + 1) return names;
  const split = names.findIndex((_, at) =>
    isAll(at, (date, clock) => CLOCK.test(clock) && momentOf(`${date} ${clock}`) > 0),
  );
  if (split >= 0) return names.toSpliced(split + 1, 0, "clock");
  const week = names.findIndex((name, at) => /^gpst?$/i.test(name) && isAll(at, (text) => /^\d{4}$/.test(text)));
  return week < 0 ? names : names.toSpliced(week, 1, "gps_week", "tow");
}

const CLOCK = /^\d\d:\d\d(:\d\d([.,]\d+)?)?$/;

/** Interprets the records of a table below its names. @returns null if the first row has another number of fields */
export function recordHead(
  header: string | null,
  names: readonly string[],
  records: readonly (readonly string[])[],
): TableHead | null {
  const isUnits = (record: readonly string[]): boolean => header !== null && isUnitRow(record, names.length);
  const found = records.findIndex((record) => !isUnits(record));
  const at = found < 0 || found > MAX_UNITS ? 0 : found;
  const [first, ...more] = records.slice(at);
  if (first?.length !== names.length) return null;
  const units = at === 0 ? [] : names.map((_, i) => records[0]?.[i]?.trim().replace(/^(TS|RN)$/i, "") || null);
  const rows = [first, ...more.filter((row) => row.length === names.length)].slice(0, SAMPLE_ROWS);
  const unitsInFields = names.map((_, i) => unitOfFields(rows.map((row) => row[i] ?? "")));
  const plain = rows.map((row) =>
    row.map((field, i) => (unitsInFields[i] ? withoutUnit(field, unitsInFields[i]) : field).trim()),
  );
  return { delimiter: null, header, names, rows: plain, units, unitsInFields, comments: [], skipped: at };
}

/**
 * Whether a record has units, or how values were made, and neither times nor numbers: the lines of units and of processing in
 * TOA5 (Campbell Scientific, manual of the CR1000; compared with a file of the R package csdf), and the second line of
 * ERDDAP's `.csv`.
 */
function isUnitRow(record: readonly string[], width: number): boolean {
  const fields = record.map((field) => field.trim()).filter((field) => field !== "");
  const isWide = record.length === width && fields.length > 0;
  if (!isWide || fields.some((field) => /\d{3}|^[-+.\d]+$/.test(field))) return false;
  return (
    fields.some(isUnit) ||
    /^(ts|rn)$/i.test(fields[0] ?? "") ||
    fields.every((field) => /^(avg|smp|max|min|tmx|tmn|med|mom|std|tot|sum|mean|cov|wvc|ts|rn)$/i.test(field))
  );
}

/** Whether the fields of a comment are units, beside abbreviations of parts of a time: the second line of buoys (NDBC). */
function isUnitLine(fields: readonly string[]): boolean {
  const others = fields.filter((field) => !/^(yr|mo|dy|hr|mn|sc)$/i.test(field));
  const units = others.filter(isUnit).length;
  return units > 2 && 2 * units > others.length;
}

function isUnit(text: string): boolean {
  const plain = text.replace(/^[([](.*)[)\]]$/, "$1");
  return (
    unitNamed(plain) !== null ||
    scaleNamed(plain) !== null ||
    /^(hectopascal|tecu|unitless|yyyy.*|iso\s?8601)$/i.test(plain)
  );
}

/** Units in a comment before the rows: `field_unit: UTC, mm` of GeoCSV 2.0.4 (IRIS; compared with files of its services). */
function commentUnits(comments: readonly string[], width: number, delimiter: Delimiter): (string | null)[] {
  for (const comment of comments) {
    const text = /^(?:field_?)?units?\s*[:=]\s*(.*)$/i.exec(comment)?.[1] ?? comment;
    for (const separator of [delimiter, "," as const]) {
      const fields = fieldsOf(text, separator).map((field) => field.trim());
      const isStated = text !== comment || isUnitLine(fields) || fields.every((field) => field === "" || isUnit(field));
      if (fields.length === width && isStated && fields.some(isUnit))
        return fields.map((field) => (field === "" ? null : field));
    }
  }
  return [];
}

/**
 * Removes the empty fields at the end of a line that go beyond a number of columns: spreadsheets write separators after the
 * last column.
 */
export function withoutEmptyEnd(fields: string[], columns = fields.length): string[] {
  while (fields.length > columns && fields.at(-1) === "") fields.pop();
  return fields;
}

/** First number of bytes to read; doubled until there are enough lines. */
const FIRST_BYTES = 64 * 1024;
/** A text without enough lines in this size is not a table. */
const MAX_BYTES = 4 * 1024 * 1024;

export interface FirstLines {
  readonly lines: readonly string[];
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
