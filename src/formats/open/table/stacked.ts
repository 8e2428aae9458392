import { unitInName } from "#shared/file/units.ts";
import { isNoValueWord } from "../meaning/noValue.ts";
import { STATISTICS } from "../meaning/quantities.ts";
import { stationNamed } from "../meaning/stations.ts";
import { momentOf } from "../time/moment.ts";
import { isTimeName } from "../time/names.ts";
import { isNumeric } from "./notation.ts";
import { type Delimiter, toWidth, withoutEmptyEnd } from "./records.ts";
import { isUnit } from "./unitRows.ts";

// Names of columns in several records.

/** The number of titles above a heading: single cells, or a name and a value, as `Station,KALL`. */
export function titlesOf(records: readonly (readonly string[])[]): number {
  const first = records.findIndex((record) => {
    const cells = withoutEmptyEnd([...record], 0);
    return cells.length > 2 || (cells.length === 2 && (cells[0] === "" || cells.some(isTimeName)));
  });
  return Math.max(0, first);
}

/**
 * Whether the record after the records of a heading has words below some names of the first one, and nothing below its first name:
 * words of no other row, above numbers.
 */
export function isContinued(records: readonly (readonly string[])[], count: number): boolean {
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
 * Joins the names in the records of a heading, as pandas writes those of several levels: a last one may name the
 * columns of the index alone, and merged cells a group of columns. Empty if the records have other widths, or are rows.
 * @param titles number of records with a single cell above them
 */
export function stackedNames(
  { delimiter, records }: { readonly delimiter: Delimiter | null; readonly records: readonly string[][] },
  titles: number,
  count: number,
): string[] {
  const stored = records.slice(titles, count);
  const width = delimiter === null ? Math.max(...stored.map((level) => level.length)) : 0;
  const levels = stored.map((level) => toWidth([...level], width));
  const [first = [], last = []] = [levels[0], levels.at(-1)];
  const isHeading = levels.every((level) => level.length === first.length && !level.some(isNumeric));
  if (delimiter === "blanks" || levels.length < 2 || !isHeading) return [];
  const isOfIndex = last[0] !== "" && last.includes("");
  return first.map((_, at) => {
    // What is above the times of a table beside others belongs to all its columns.
    const isAside = levels.slice(0, -1).every((level) => !level[at] || (!level[at + 1] && !isTimeName(level[at])));
    if (isAside && isTimeName(last[at] ?? "")) return last[at] ?? "";
    if (isOfIndex && last[at] && last.indexOf(last[at]) === last.lastIndexOf(last[at])) return last[at];
    const parts = levels.map((level, depth) => {
      const below = levels[depth + 1];
      const group = level.findLastIndex((name, i) => i <= at && name !== "");
      const next = level.findIndex((name, i) => i > at && name !== "");
      // A word is also of the later columns that would otherwise have the names of other columns, and of the columns between them;
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

export const OF_STATISTIC = new RegExp(String.raw`\b(${STATISTICS})\b`, "i");

// Columns that a heading does not name.

/**
 * Completes a heading with fewer names than the rows have fields: with the time of day, or the second of the GPS week, if
 * it has one name for date and time (RTKLIB), or with the number of the row (R).
 */
export function withClock(
  names: readonly string[] | null,
  [first = [], ...more]: readonly (readonly string[])[],
): readonly string[] | null {
  if (names === null || first.length <= names.length) return names;
  const isAll = (at: number, test: (one: string, next: string) => boolean): boolean =>
    [first, ...more].every((row) => row.length !== first.length || test(row[at] ?? "", row[at + 1] ?? ""));
  const week = names.findIndex((name, at) => /^gpst?$/i.test(name) && isAll(at, (text) => /^\d{4}$/.test(text)));
  if (week >= 0) return names.toSpliced(week, 1, "gps_week", "tow");
  // R writes rows with their number, which has no name.
  if (isAll(0, (text) => /^\d+$/.test(text))) return withClock(["", ...names], [first, ...more]);
  if (first.length > names.length + 1) return names;
  const split = names.findIndex((_, at) =>
    isAll(at, (date, clock) => CLOCK.test(clock) && momentOf(`${date} ${clock}`) > 0),
  );
  return split < 0 ? names : names.toSpliced(split + 1, 0, "clock");
}

const CLOCK = /^\d\d:\d\d(:\d\d([.,]\d+)?)?$/;

/** Names a column without a name: nothing if it is empty, or the first one with the numbers of the rows, as pandas writes. */
export function placeName(names: readonly string[], rows: readonly (readonly string[])[], at: number): string {
  const isFirst = names.slice(0, at).every((name) => name === "");
  const isNothing = rows.every((row) => (isFirst ? /^\d*$/ : /^$/).test(row[at] ?? ""));
  return isNothing ? "" : `Column ${at + 1}`;
}
