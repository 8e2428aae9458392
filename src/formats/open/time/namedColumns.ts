import type { ColumnRole } from "#shared/file/columns.ts";
import { isNumeric } from "../table/notation.ts";
import { countIn } from "./cf.ts";
import { type DateOrder, dateOrder, momentIn, momentOf } from "./moment.ts";
import * as NAMES from "./names.ts";
import { type SampleTable, statedUnitMs } from "./ofDay.ts";
import { dateText, timeReader } from "./reader.ts";
import { scaleInHeading, UTC } from "./scale.ts";

/** Part of a name that may belong to a time of day, such as `local_time`. */
export const TIME_WORD = /(^|_)(time|clock|hours?|hh|hhmm|minutes?)(_|$)/;
const CLOCK_FIELD = /^\d{1,2}:\d\d(:\d\d([.,:]\d+)?)?$/;

export type Columns = ReadonlyMap<ColumnRole, number>;

/** Columns by their roles; an absent column has the index -1, and is left out. */
function at(columns: Partial<Record<ColumnRole, number>>): Columns {
  return new Map((Object.entries(columns) as [ColumnRole, number][]).filter(([, index]) => index >= 0));
}

/** The columns that may tell the time of a row, by their names and first fields: each with the others of its kind. */
export function namedColumns(table: SampleTable) {
  const names = table.names.map(NAMES.timeName);
  const find = (pattern: RegExp): number => names.findIndex((name) => pattern.test(name));

  const timed = [...names.keys()].filter((i) => NAMES.isMomentName(names[i] ?? ""));
  // A time in UTC is used before the same in a zone without a known difference from it.
  const hasNoUtc = (i: number): number =>
    Number(scaleInHeading(table.names[i] ?? "").some(({ scale }) => scale === "other"));
  const moments = timed.toSorted((a, b) => hasNoUtc(a) - hasNoUtc(b));
  const kinds = new Map(moments.map((i) => [i, timeKind(table, i)]));
  const ofKind = (kind: Kind): number[] => moments.filter((i) => kinds.get(i) === kind);
  const texts = [...ofKind("date").filter((i) => NAMES.DATE.test(names[i] ?? "")), ...ofKind("date")];

  const year = find(NAMES.YEAR);
  const monthNamed = find(NAMES.MONTH);
  const month = monthNamed < 0 && year >= 0 && names[year + 1] === "mm" ? year + 1 : monthNamed;
  const [day, dayOfYear] = [find(NAMES.DAY), find(NAMES.DAY_OF_YEAR)];
  const parts = at({ year, month, day, dayOfYear });
  // Months without a day are those of means: days may be in a column under another name.
  const months = day < 0 && dayOfYear < 0 ? firstTimes(table, parts) : [];
  const isOfMonths = new Set(months).size === months.length;

  const [gpsWeek, secondOfWeek] = [find(NAMES.GPS_WEEK), find(NAMES.SECOND_OF_WEEK)];
  const halfDay = find(NAMES.HALF_DAY);
  const clock = ofKind("clock")[0] ?? -1;
  const hour = hourColumn(names, kinds, [day, dayOfYear]);
  const minute = minuteColumn(names, hour);
  const second = names[minute + 1] === "s" && minute >= 0 ? minute + 1 : find(NAMES.SECOND);
  const sod = find(NAMES.SECOND_OF_DAY);
  // Without hours, seconds are those of the day, and so are minutes above 59.
  const isAlone = sod < 0 && clock < 0 && hour < 0;
  const isOfDay = isAlone && minute >= 0 && firstFields(table, minute).some((field) => Number(field) > 59);
  const unix = unixColumn(table, names);
  const counted = ofKind("none").find((i) => i !== hour && i !== unix && statedUnitMs(table, i) !== null) ?? -1;
  const named = isOfDay ? minute : isAlone && minute < 0 ? second : sod;
  const secondOfDay = named < 0 && isAlone ? counted : named;
  // Named like times, although their fields are not.
  const unread = [
    ...ofKind("none").filter((i) => i !== hour && i !== secondOfDay && i !== unix && !NAMES.DATE.test(names[i] ?? "")),
    ...(hour < 0 && minute >= 0 && minute !== secondOfDay ? [minute] : []),
    ...names.flatMap((name, i) => (TIME_WORD.test(name) && !moments.includes(i) && hasClock(table, i) ? [i] : [])),
  ];
  const dates = [
    ...[...new Set(texts)].map((i) => at({ [orderOf(table, i) ?? "time"]: i })),
    at({
      mjd: table.names.findIndex((name, i) => NAMES.MJD.test(names[i] ?? "") || /\b(datenum|matlab)\b/i.test(name)),
    }),
    at({ unixTime: unix }),
    at({ gpsWeek, secondOfWeek }),
    ...(isOfMonths ? [parts] : []),
    at({ decimalYear: year >= 0 && isFraction(firstFields(table, year)) ? year : find(NAMES.DECIMAL_YEAR) }),
  ];
  const isNamed = dates.some((columns) => firstTimes(table, columns).some(isReadable));
  return {
    dates: isNamed ? dates : onlyDates(table),
    // The finest first.
    ofDay: [
      ...ofKind("clock").map((i) =>
        at({ clock: i, second: NAMES.SECOND.test(names[i + 1] ?? "") ? i + 1 : -1, halfDay }),
      ),
      at({ secondOfDay }),
      hour < 0 ? at({}) : at({ hour, minute, second: minute < 0 ? -1 : second, halfDay }),
    ],
    unread,
    isDaily: unread.length === 0 && [clock, hour, secondOfDay].every((index) => index < 0),
  };
}

/**
 * Since 2017, in seconds, milli-, micro- or nanoseconds since 1970. Before 2027, seconds since the start of GPS time are smaller.
 */
export const UNIX_DIGITS = /^1[5-8]\d{8}(\d{3}|\d{6}|\d{9})?(\.\d+)?$/;

/** The column of a time since 1970 by its name, or by its digits under the name of any time without a scale; -1 without one. */
function unixColumn(table: SampleTable, names: readonly string[]): number {
  const named = names.findIndex((name) => NAMES.UNIX.test(name));
  if (named >= 0) return named;
  const found = names.findIndex(
    (name, i) =>
      (NAMES.MOMENT.test(name) || NAMES.STAMP.test(name)) &&
      firstFields(table, i).every((field) => UNIX_DIGITS.test(field.trim())) &&
      countIn(table.names[i] ?? "") === null &&
      !scaleInHeading(table.names[i] ?? "").some(({ scale }) => scale !== UTC),
  );
  // A text says how it is read, and may have a zone.
  return found >= 0 && onlyDates(table).length > 0 ? -1 : found;
}

/** Whether years have decimals that are not all zero. */
function isFraction(fields: readonly string[]): boolean {
  return fields.every((field) => /^\d{4}[.,]\d+$/.test(field)) && fields.some((field) => /[.,]0*[1-9]/.test(field));
}

/** The only column whose fields are dates, whatever its name; empty if there are none or several. */
function onlyDates(table: SampleTable): Columns[] {
  // A row of data is not a heading.
  if (table.names.some((name) => isNumeric(name) || DATE_FIELD.test(name) || isReadable(momentOf(name)))) return [];
  const found = table.names.flatMap((_, i) => {
    const all = firstFields(table, i);
    const fields = all.filter((field) => field.trim() !== "");
    if (2 * fields.length < all.length) return [];
    const order = fields.every((field) => DATE_FIELD.test(field.trim())) ? dateOrder(fields) : null;
    const isDate = order !== null && fields.every((field) => isReadable(momentIn(order, field)));
    // One date for all rows may belong to something else, except beside times of day.
    const isOfRows = new Set(fields).size > 1 || fields.length === 1 || onlyClock(table, fields) !== undefined;
    return isDate && isOfRows ? [at({ [order]: i })] : [];
  });
  // The end of an interval does not tell the time of its row.
  const starts = found.filter(
    (columns) => ![...columns.values()].some((i) => NAMES.END.test(NAMES.timeName(table.names[i] ?? ""))),
  );
  return starts.length === 1 ? starts : found.length === 1 ? found : [];
}

const DATE_FIELD =
  /^((?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])T?(?:[01]\d|2[0-4])(?:[0-5]\d){0,2}Z?$|\d{4}[-/.]\d|\d{1,2}([-/.])\d{1,2}\2\d\d)/;

/** The order of the dates of a column, by its fields or its heading: `Date(dd:mm:yyyy)` (AERONET). */
function orderOf(table: SampleTable, index: number): DateOrder | null {
  const [, first = ""] = /[([](d|m)+[^a-z]?(?:d|m)+[^a-z]?y+[)\]]/i.exec(table.names[index] ?? "") ?? [];
  const stated = first === "" ? null : /d/i.test(first) ? "dayFirst" : "monthFirst";
  return stated ?? dateOrder(firstFields(table, index).map(dateText(table, index)));
}

export function firstFields({ rows }: SampleTable, index: number): string[] {
  return rows.map((row) => row[index] ?? "");
}

/** An `h` is a height, except beside a day or before minutes. */
function hourColumn(names: readonly string[], kinds: ReadonlyMap<number, Kind>, days: readonly number[]): number {
  const named = names.findIndex((name, i) => NAMES.HOUR.test(name) && (kinds.get(i) ?? "none") === "none");
  if (named >= 0) return named;
  return names.findIndex((name, i) => {
    const isBesideDay = days.some((day) => day >= 0 && day === i - 1) || kinds.get(i - 1) === "date";
    return name === "h" && (isBesideDay || /^(mm?|mi|min|minute)$/.test(names[i + 1] ?? ""));
  });
}

/** After the hour, `mm` and `m` are minutes; beside a maximum, `min` is the minimum. */
function minuteColumn(names: readonly string[], hour: number): number {
  if (hour >= 0 && /^mm?$/.test(names[hour + 1] ?? "")) return hour + 1;
  const hasMaximum = names.some((name) => /^max(imum)?$/.test(name));
  const pattern = hour < 0 ? /^minutes?$/ : hasMaximum ? /^(minutes?|mins|mi|mn)$/ : NAMES.MINUTE;
  return names.findIndex((name) => pattern.test(name));
}

type Kind = "date" | "clock" | "none";

/** Whether a column that is named like a time has dates, which may have a time of day, or times of day. */
function timeKind(table: SampleTable, index: number): Kind {
  const fields = firstFields(table, index);
  const order = orderOf(table, index);
  const dates = order === null ? 0 : firstTimes(table, at({ [order]: index })).filter(isReadable).length;
  // Numbers named hour are hours, unless they have four digits.
  const isHour =
    NAMES.HOUR.test(NAMES.timeName(table.names[index] ?? "")) && !fields.some((field) => /[:h]|^\d{4}/i.test(field));
  const clocks = isHour ? 0 : timesOfDay(table, new Map([["clock", index]])).filter(isReadable).length;
  if (dates === 0 && clocks === 0) return "none";
  return dates >= clocks ? "date" : "clock";
}

/** The only column of clock times, whatever its name, if it tells rows of one date apart. */
export function onlyClock(table: SampleTable, dates: readonly unknown[]): Columns | undefined {
  const [clock, other] = table.names.flatMap((_, i) => (hasClock(table, i) ? [i] : []));
  if (clock === undefined || other !== undefined || new Set(dates).size === dates.length) return undefined;
  return new Set(table.rows.map((row) => row[clock])).size > 1 ? at({ clock }) : undefined;
}

export function hasClock(table: SampleTable, index: number): boolean {
  const fields = firstFields(table, index)
    .map((field) => field.trim())
    .filter((field) => field !== "");
  return fields.length > 0 && fields.every((field) => CLOCK_FIELD.test(field));
}

/** The times of day of the first rows, in milliseconds; NaN without one. */
export function timesOfDay({ names, rows }: SampleTable, columns: Columns): number[] {
  if (columns.size === 0) return [];
  const dated = { names: [...names, ""], rows: rows.map((row) => [...row, "1970-01-01"]) };
  return firstTimes(dated, new Map<ColumnRole, number>([...columns, ["time", names.length]]));
}

export function firstTimes(table: SampleTable, columns: Columns): number[] {
  const read = timeReader(columns, table);
  return read === null ? [] : table.rows.map(read);
}

/** Whether a time could be read, and may be that of a measurement: numbers of others are counts, such as 1767225. */
export function isReadable(ms: number): boolean {
  return ms >= FIRST_MS && ms < END_MS;
}

/** Soundings of humidity began in the forties: earlier days are counted from another start. */
const [FIRST_MS, END_MS] = [Date.UTC(1940, 0, 1), Date.UTC(2100, 0, 1)];
