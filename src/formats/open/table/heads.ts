import { unitInName } from "#shared/file/units.ts";
import type { ColumnFacts } from "../meaning/columns.ts";
import { codesAlone, isVariable, type StationHeading, stationHeadings } from "../meaning/stationHeadings.ts";
import { isTimeName } from "../time/names.ts";
import { COMMENT, hasFields, HEAD_LINES, MAX_TITLES, MAX_UNITS, SAMPLE_ROWS } from "./lines.ts";
import { endingOf, withoutEnding } from "./notation.ts";
import { type Delimiter, fieldsOf, toWidth, withoutEmptyEnd } from "./records.ts";
import { isContinued, OF_STATISTIC, placeName, stackedNames, titlesOf, withClock } from "./stacked.ts";
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
  /** The unit after each number of a column, in its fields; absent without one. */
  readonly endings?: readonly (string | null)[];
  /** The text of each column that means no value, by a comment; absent without one. */
  readonly missing?: readonly (string | null)[];
  /** What may be the station in the heading of each column; empty without one. */
  readonly stations: readonly (StationHeading | null)[];
  /** What the attributes of a file, or the description of its format, say about columns; absent for a text. */
  readonly facts?: readonly (ColumnFacts | null)[];
  readonly comments: readonly string[];
  /** What the numbers of all rows are, if the first rows do not have all; empty if they are too many. */
  readonly parameters?: readonly Parameter[];
  /** The name of a known format that does not state the scale of its times. */
  readonly withoutScale?: string;
  /** Number of lines with fields before the rows. */
  readonly skipped: number;
  /** The row above the rows, in a sheet of a workbook. */
  readonly above?: string;
  /** What to say about the lines above the heading. */
  readonly remark?: string;
}

export const DELIMITERS = [";", "\t", ",", "|", "blanks"] as const;

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

/** Rows of a table that describes another one, with its heading (SMHI). */
const MAX_DESCRIPTION = 3;
const ABOVE = "Lines above the last empty line describe the table below it, and are not shown.";

/** Returns the possible interpretations of the beginning of a text. @param first the first lines of the file */
export function tableHeads(first: readonly string[]): TableHead[] {
  const end = first.findLastIndex((line) => line.trim() !== "");
  const start = first.findLastIndex((line, at) => line.trim() === "" && at < end) + 1;
  const isLine = first.slice(0, start).map(hasFields);
  const isLong = isLine.some(
    (_, at) => isLine.slice(at, at + MAX_DESCRIPTION + 1).filter(Boolean).length > MAX_DESCRIPTION,
  );
  const skipped = isLine.filter(Boolean).length;
  if (start === 0 || isLong || end - start < skipped) return headsIn(first);
  const above = first.slice(0, start).filter((line) => line.trim() !== "");
  const comments = above.map((line) => line.replace(COMMENT, "").trim());
  const below = headsIn(first.slice(start), comments).flatMap((head) => {
    const lines = above.map((line) => fieldsOf(line, head.delimiter ?? ","));
    // What has a time, or the same columns, is another table.
    const isOther = (line: string[]): boolean =>
      line.some(isTimeName) || line.filter((field) => field !== "" && head.names.includes(field)).length > 1;
    if (head.header === null || !head.names.some(isTimeName) || lines.some(isOther)) return [];
    const remark = lines.some(({ length }) => length > 2) ? { remark: ABOVE } : {};
    return [{ ...head, ...remark, skipped: head.skipped + skipped }];
  });
  return [...below, ...headsIn(first)];
}

function headsIn(first: readonly string[], above: readonly string[] = []): TableHead[] {
  const lines = first.filter(hasFields).slice(0, HEAD_LINES);
  const [comments, remark] = [[...above, ...commentsOf(first)], lines.length === 0 ? null : headComment(first)];
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
    (of) => {
      const titles = titlesOf(of.records);
      return isContinued(of.records.slice(titles), 1) ? null : below(titles + 1)(of);
    },
    (of) => {
      const comments = of.comments.filter((text) => text.replace(LABEL, "") !== of.remark);
      const names = of.remark === null ? [] : withoutEmptyEnd(fieldsOf(of.remark, of.delimiter ?? ","), 0);
      return headOf({ ...of, comments }, 0, names);
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
 * The names below the title of a group of columns, such as “Troposphere”, say what the columns are if one of them is a
 * quantity: a title such as “Difference” makes it another one.
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
  const isStated = delimiter === null || head.units.some((unit) => unit !== null);
  const units = isStated ? head.units : commentUnits(comments, names, delimiter);
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
  const rows = [first, ...more.filter((row) => row.length === names.length)].slice(0, SAMPLE_ROWS);
  const texts = rows.map((row) => row.map((field) => field.trim()));
  const endings = names.map((_, i) => endingOf(texts.map((row) => row[i] ?? "")));
  const plain = texts.map((row) => row.map((field, i) => withoutEnding(field, endings[i])));
  const named = names.map((name, i) => name || placeName(names, plain, i));
  const units = names.map((_, i) => stated?.[i]?.trim().replace(PROCESSING, "") || endings[i] || null);
  const columns = named.map((_, i) => plain.map((row) => row[i] ?? ""));
  const beside = header === null ? [] : stationHeadings(named);
  const stations = header === null || beside.length > 0 ? beside : codesAlone(named, columns, comments);
  return {
    delimiter: null,
    header,
    names: named,
    rows: plain,
    units,
    endings,
    stations,
    comments: [],
    skipped: at,
  };
}

/** The interpretation of a table whose format names the columns. @param columns names alone belong to places and times */
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
