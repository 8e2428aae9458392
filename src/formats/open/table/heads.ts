import { unitInName } from "#shared/file/units.ts";
import type { ColumnFacts } from "../meaning/columns.ts";
import { isNoValueWord } from "../meaning/noValue.ts";
import { STATISTICS } from "../meaning/quantities.ts";
import { codesAlone, isVariable, type StationHeading, stationHeadings } from "../meaning/stationHeadings.ts";
import { stationNamed } from "../meaning/stations.ts";
import { momentOf } from "../time/moment.ts";
import { isTimeName } from "../time/names.ts";
import { COMMENT, hasFields, HEAD_LINES, MAX_TITLES, MAX_UNITS, SAMPLE_ROWS } from "./lines.ts";
import { isNumeric } from "./notation.ts";
import { placeName, withClock } from "./nameless.ts";
import { type Delimiter, fieldsOf, toWidth, withoutEmptyEnd } from "./records.ts";
import { isStationCell, titlesOf } from "./titles.ts";
import { commentUnits, isUnit, isUnitLine, isTypeRow, isUnitRow, PROCESSING, UNITS } from "./unitRows.ts";

/** What the number of a row is, and the unit of the first such row; null without one. */
export interface Parameter {
  readonly text: string;
  readonly unit: string | null;
}

/** An interpretation of the beginning of a table. */
export interface TableHead {
  /** null for a table that is not a text. */
  readonly delimiter: Delimiter | null;
  /** The stated names of the columns, as one text; null without names. */
  readonly header: string | null;
  readonly names: readonly string[];
  /** The name of each column without the title above it, if its values agree; absent without titles. */
  readonly own?: readonly (string | null)[];
  /** The first rows with as many fields as there are names. */
  readonly rows: readonly (readonly string[])[];
  /** What a row or a comment says about the unit of each column; empty without one. */
  readonly units: readonly (string | null)[];
  /** The text of each column that means no value, by a comment; absent without one. */
  readonly missing?: readonly (string | null)[];
  /** What may be the station in the heading of each column; empty without one. */
  readonly stations: readonly (StationHeading | null)[];
  /** What the attributes of a file, or the description of its format, say about columns; absent for a text. */
  readonly facts?: readonly (ColumnFacts | null)[];
  /** The comments before the rows. */
  readonly comments: readonly string[];
  /** What the numbers of all rows are, if the first rows do not have all; empty if they are too many. */
  readonly parameters?: readonly Parameter[];
  /** The name of a known format that does not state the scale of its times. */
  readonly withoutScale?: string;
  /** Number of lines with fields before the rows. */
  readonly skipped: number;
  /** The row above the rows, in a sheet of a workbook. */
  readonly above?: string;
}

export const DELIMITERS = [";", "\t", ",", "|", "blanks"] as const;

/** What a comment calls the names of the columns. */
const LABEL = /^(columns?|fields?|names|header)\s*[:=]\s*/i;

/** Returns the text of the last comment before the first row that is not of units; null if there is no comment. */
export function headComment(lines: readonly string[]): string | null {
  const [last = null, before = null] = commentsOf(lines).toReversed();
  const isUnits = (delimiter: Delimiter): boolean => {
    const [below = [], above = []] = [last, before].map((text) => fieldsOf(text ?? "", delimiter));
    const isWide = below.length === above.length && below.length > 1;
    return isWide && (isUnitLine(below) || below.every((field) => field === "" || isUnit(field)));
  };
  const isOfUnits = UNITS.test(last ?? "") || (before !== null && DELIMITERS.some(isUnits));
  return (isOfUnits ? before : last)?.replace(LABEL, "") ?? null;
}

/** The comments before the first line with fields. */
function commentsOf(lines: readonly string[]): string[] {
  const end = lines.findIndex(hasFields);
  const above = lines.slice(0, end < 0 ? lines.length : end);
  return above.flatMap((line) => (COMMENT.test(line) ? [line.replace(COMMENT, "").trim()] : [])).filter(Boolean);
}

/** The beginning of a table, as records of one separator. */
interface Beginning {
  readonly delimiter: Delimiter | null;
  readonly records: readonly string[][];
  /** The comments and titles above the records. */
  readonly comments: readonly string[];
  /** The last comment, which may be the heading. */
  readonly remark: string | null;
}

/** Returns the possible interpretations of the beginning of a text. @param first the first lines of the file */
export function tableHeads(first: readonly string[]): TableHead[] {
  const lines = first.filter(hasFields).slice(0, HEAD_LINES);
  const [comments, remark] = [commentsOf(first), lines.length === 0 ? null : headComment(first)];
  return headsOf(
    DELIMITERS.map((delimiter) => {
      const records = lines.map((line) => fieldsOf(line, delimiter));
      return { delimiter, records, comments, remark };
    }),
  );
}

/** The same of records that are not lines of a text. */
export function recordHeads(records: readonly string[][]): TableHead[] {
  return headsOf([{ delimiter: null, records, comments: [], remark: null }]);
}

/**
 * Column names may be in the first record, in the last comment before it, in two or three records together, below those of a
 * title, or absent. Rows of units may follow them.
 */
function headsOf(beginnings: readonly Beginning[]): TableHead[] {
  const withTitles = (of: Beginning, titles: number): Beginning => {
    const separator = of.delimiter === "blanks" ? " " : (of.delimiter ?? " ");
    const above = of.records.slice(0, titles).map((fields) => fields.join(separator).trim());
    return { ...of, comments: [...of.comments, ...above] };
  };
  const below = (count: number) => (of: Beginning) =>
    headOf(withTitles(of, count - 1), count, withoutEmptyEnd([...(of.records[count - 1] ?? [])], 0));
  const interpretations: readonly ((of: Beginning) => TableHead | null)[] = [
    (of) => (isContinued(of.records, 1) ? null : below(1)(of)),
    (of) => (of.remark === null ? null : headOf(of, 0, withoutEmptyEnd(fieldsOf(of.remark, of.delimiter ?? ","), 0))),
    (of) => {
      const titles = titlesOf(of.records);
      return of.records.slice(0, titles).some(isStationCell) ? below(titles + 1)(of) : null;
    },
    ...[2, 3, 4].map((count) => (of: Beginning) => {
      const titles = titlesOf(of.records);
      if (isContinued(of.records.slice(titles), count - titles)) return null;
      const head = headOf(withTitles(of, titles), count, stackedNames(of, titles, count));
      return head && withGroups(head, of.records[count - 1] ?? []);
    }),
    ...Array.from({ length: MAX_TITLES - 1 }, (_, i) => below(i + 2)),
    (of) => headOf(of, 0, null),
  ];
  return interpretations.flatMap((interpret) => beginnings.map(interpret)).filter((head) => head !== null);
}

/**
 * Whether the record behind those of a heading has words below some names of the first one, and nothing below its first name:
 * words of no other row, above numbers.
 */
function isContinued(records: readonly (readonly string[])[], count: number): boolean {
  const [names = [], below = []] = [records[0], records[count]];
  const rows = records.slice(count + 1);
  const words = below.flatMap((field, at) => (field.trim() === "" ? [] : [{ field, at }]));
  const isNamed = (at: number): boolean => records.slice(0, count + 1).some((level) => (level[at] ?? "").trim() !== "");
  const isWide = below.length === names.length && [...names.keys()].every(isNamed);
  const isHeading = words.some(({ at }) => rows.some((row) => isNumeric(row[at] ?? "")));
  return (
    isWide &&
    isHeading &&
    below[0] === "" &&
    words.some(({ field }) => !isUnit(field)) &&
    words.every(({ field, at }) => isWord(field) && !rows.some((row) => row[at] === field))
  );
}

function isWord(field: string): boolean {
  return /\p{L}/u.test(field) && !isNumeric(field) && !isNoValueWord(field) && Number.isNaN(momentOf(field));
}

/**
 * Joins the names in the records of a heading, as pandas writes those of several levels: a last one may name the columns of
 * the index alone, and merged cells a group of columns. Empty if the records are of other widths, or rows.
 *
 * @param titles number of records with a single cell above them
 */
function stackedNames({ delimiter, records }: Beginning, titles: number, count: number): string[] {
  const stored = records.slice(titles, count);
  const width = delimiter === null ? Math.max(...stored.map((level) => level.length)) : 0;
  const levels = stored.map((level) => toWidth([...level], width));
  const [first = [], last = []] = [levels[0], levels.at(-1)];
  const isHeading = levels.every((level) => level.length === first.length && !level.some(isNumeric));
  if (delimiter === "blanks" || levels.length < 2 || !isHeading) return [];
  const isOfIndex = last[0] !== "" && last.includes("");
  return first.map((_, at) => {
    // What is above the times of a table beside others is of all its columns.
    const isAside = levels.slice(0, -1).every((level) => !level[at] || (!level[at + 1] && !isTimeName(level[at])));
    if (isAside && isTimeName(last[at] ?? "")) return last[at] ?? "";
    if (isOfIndex && last[at] && last.indexOf(last[at]) === last.lastIndexOf(last[at])) return last[at];
    const parts = levels.map((level, depth) => {
      const below = levels[depth + 1];
      const group = level.findLastIndex((name, i) => i <= at && name !== "");
      const next = level.findIndex((name, i) => i > at && name !== "");
      // A word is also of the columns behind it that others would have the names of otherwise, and of those between them;
      // of all, if it makes them other quantities.
      const own = below?.slice(0, next < 0 ? below.length : next);
      const isTold = own?.some((_, i) => i >= at && isTwin(below ?? [], i)) || OF_STATISTIC.test(level[group] ?? "");
      const isGroup = isTold && below?.[at] && below[group] && !isUnit(below[group]);
      const name = level[at] || (isGroup ? level[group] : "");
      // Words below some columns of a name tell what is beside its quantity, such as its quality, and not in its unit.
      const isBeside = below?.[at] && level.some((each, i) => each === name && i > 0 && below[i] === "");
      return isBeside ? unitInName(name ?? "").name : name;
    });
    // A level may be called what it has: as a label, the station follows the quantity.
    const station = isOfIndex && at > 0 ? levels.findIndex(([name = ""]) => stationNamed(name) !== null) : -1;
    const label = parts[station] ? `{${levels[station]?.[0]}="${parts[station]}"}` : "";
    return [...new Set([...parts.filter((_, depth) => depth !== station), label])].filter(Boolean).join(" ");
  });
}

function isTwin(names: readonly string[], at: number): boolean {
  const name = names[at] ?? "";
  return name !== "" && names.indexOf(name) !== names.lastIndexOf(name);
}

/**
 * The names below the title of a group of columns, such as “Troposphere”, say what the columns are if one of them is a quantity:
 * a title such as “Difference” makes it another one.
 *
 * @param last the lowest names of the heading
 */
function withGroups(head: TableHead, last: readonly string[]): TableHead {
  const titles = head.names.map((name, at) =>
    last[at] && name.endsWith(` ${last[at]}`) ? name.slice(0, -last[at].length) : "",
  );
  const told = new Set(
    titles.filter((title, at) => title !== "" && !OF_STATISTIC.test(title) && isVariable(last[at] ?? "")),
  );
  const own = last.map((name, at) => (told.has(titles[at] ?? "") ? unitInName(name).name : null));
  const isClear = own.every(
    (name, at) => name === null || last.indexOf(last[at] ?? "") === last.lastIndexOf(last[at] ?? ""),
  );
  return isClear && head.stations.length === 0 ? { ...head, own } : head;
}

const OF_STATISTIC = new RegExp(String.raw`\b(${STATISTICS})\b`, "i");

/** Interprets the records below a heading. @param stated empty: there is no such heading, null: the table has no names */
function headOf(
  { delimiter, records, comments }: Beginning,
  below: number,
  stated: readonly string[] | null,
): TableHead | null {
  if (stated?.length === 0) return null;
  const own = records.slice(below).map((record) => withoutEmptyEnd([...record], stated?.length));
  const rows = delimiter === null ? own.map((record) => toWidth(record, stated?.length ?? 0)) : own;
  const names = withClock(stated, rows) ?? rows[0]?.map((_, i) => `Column ${i + 1}`) ?? [];
  const head = names.length < 2 ? null : recordHead(stated?.join(",") ?? null, names, rows, comments);
  if (head === null) return null;
  const units = delimiter === null || head.units.length > 0 ? head.units : commentUnits(comments, names, delimiter);
  const missing = comments.flatMap((comment) => {
    const text = MISSING.exec(comment)?.[1];
    const fields = text === undefined ? [] : fieldsOf(text, delimiter ?? ",").map((field) => field.trim() || null);
    return fields.length === names.length ? [fields] : [];
  })[0];
  return { ...head, delimiter, units, ...(missing ? { missing } : {}), comments, skipped: below + head.skipped };
}

/** Of GeoCSV 2.0.4: a field for each column, with the text that stands for a missing value. */
const MISSING = /^field_missing\s*:\s*(.*)$/i;

/** Interprets the records of a table below its names. @returns null if the first row has another number of fields */
export function recordHead(
  header: string | null,
  names: readonly string[],
  records: readonly (readonly string[])[],
  comments: readonly string[] = [],
): TableHead | null {
  const isUnits = (record: readonly string[]): boolean => header !== null && isUnitRow(record, names.length);
  const found = records.findIndex(
    (record) => !isUnits(record) && !(header !== null && isTypeRow(record, names.length)),
  );
  const at = found < 0 || found > MAX_UNITS ? 0 : found;
  const [first, ...more] = records.slice(at);
  if (first?.length !== names.length) return null;
  const stated = records.slice(0, at).find(isUnits);
  const units = stated ? names.map((_, i) => stated[i]?.trim().replace(PROCESSING, "") || null) : [];
  const rows = [first, ...more.filter((row) => row.length === names.length)].slice(0, SAMPLE_ROWS);
  const plain = rows.map((row) => row.map((field) => field.trim()));
  const named = names.map((name, i) => name || placeName(names, plain, i));
  const columns = named.map((_, i) => plain.map((row) => row[i] ?? ""));
  const beside = header === null ? [] : stationHeadings(named);
  const stations = header === null || beside.length > 0 ? beside : codesAlone(named, columns, comments);
  return {
    delimiter: null,
    header,
    names: named,
    rows: plain,
    units,
    stations,
    comments: [],
    skipped: at,
  };
}

/** The interpretation of a table whose format names the columns. @param columns names alone are of places and times */
export function formatHeads(
  format: string,
  columns: readonly (string | ColumnFacts)[],
  rows: readonly (readonly string[])[],
): TableHead[] {
  const names = columns.map((column) => (typeof column === "string" ? column : column.heading));
  const whole = rows.filter(({ length }) => length === names.length);
  const head = recordHead(`${format}: ${names.join(",")}`, names, whole);
  const facts = columns.map((column) => (typeof column === "string" ? null : column));
  const units = facts.map((column) => column?.raw.unit ?? null);
  return head ? [{ ...head, stations: [], facts, units }] : [];
}
