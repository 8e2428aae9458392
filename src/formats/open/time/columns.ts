import type { ColumnRole } from "#shared/file/columns.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#shared/time/utc.ts";
import { quoted } from "../notes.ts";
import { isNumeric } from "../table/notation.ts";
import { DATE_ORDERS, type DateOrder, dateOrder, momentIn, momentOf, MONTH } from "./moment.ts";
import * as NAMES from "./names.ts";
import { scaleInHeading } from "./scale.ts";
import { resolutionMs, type SampleTable, statedUnitMs, type TimeReader } from "./ofDay.ts";
import { dateText, timeReader } from "./reader.ts";

/** Part of a name that may be of a time of day, such as `local_time`. */
const TIME_WORD = /(^|_)(time|clock|hours?|hh|hhmm|minutes?)(_|$)/;
const CLOCK_FIELD = /^\d{1,2}:\d\d(:\d\d([.,]\d+)?)?$/;

export type Columns = ReadonlyMap<ColumnRole, number>;

/** The columns that tell the time of a row. */
export interface TimeColumns {
  readonly columns: Columns;
  /** Columns that are named like a time, but tell another one than these, or cannot be read. */
  readonly unused: readonly number[];
}

/** Whether a column that does not tell the time of its row repeats it as text, and is not a quantity. */
export function isTimeText({ names, rows }: SampleTable, index: number): boolean {
  const name = NAMES.timeName(names[index] ?? "");
  const isNamed = [NAMES.MOMENT, NAMES.DATE, NAMES.CLOCK].some((pattern) => pattern.test(name));
  return isNamed && !rows.some((row) => isNumeric(row[index] ?? ""));
}

/**
 * Finds the columns of time by their names, and by the first rows where a name may be a date or a time of day.
 *
 * @returns null if no column has a date, or if a column that is named like a time of day cannot be read: the rows of a table
 * with times of day are not at midnight
 */
export function timeColumns(table: SampleTable): TimeColumns | null {
  const named = namedColumns(table);
  const ofDay = named.ofDay.find((columns) => timesOfDay(table, columns).some(isReadable));
  const isFine = ofDay !== undefined && !(ofDay.size === 1 && ofDay.has("hour"));
  const readable = named.dates.flatMap((columns) => {
    const times = timesOf(table, columns).filter(isReadable);
    return times.length === 0 ? [] : [{ columns, times, hasOwnTime: times.some((ms) => ms % DAY_MS !== 0) }];
  });
  // Decimals of a year are rounded to minutes or hours: any other date is exact.
  const exact = readable.filter(({ columns }) => !columns.has("decimalYear"));
  const dates = exact.length > 0 ? exact : readable;
  const own = dates.filter((date) => date.hasOwnTime);
  const days = dates.filter((date) => !date.hasOwnTime);
  // A date beside a time of day is the time of the row, whatever other moment the row has.
  const first = isFine ? days.filter(({ columns }) => DATE_ORDERS.some((role) => columns.has(role))) : [];
  for (const { columns, times, hasOwnTime } of [...first, ...own, ...days]) {
    const clock = ofDay ?? (hasOwnTime ? undefined : onlyClock(table, times));
    const both = clock && new Map([...columns, ...clock]);
    const least = hasOwnTime ? times.length : 1;
    if (both && timesOf(table, both).filter(isReadable).length >= least)
      return { columns: both, unused: unusedColumns(table, both) };
    if (hasOwnTime || named.isDaily) return { columns, unused: unusedColumns(table, columns) };
  }
  return null;
}

/** The only column of clock times, whatever its name, if it tells rows of one date apart. */
function onlyClock(table: SampleTable, dates: readonly unknown[]): Columns | undefined {
  const [clock, other] = table.names.flatMap((_, i) => (hasClock(table, i) ? [i] : []));
  if (clock === undefined || other !== undefined || new Set(dates).size === dates.length) return undefined;
  return new Set(table.rows.map((row) => row[clock])).size > 1 ? at(["clock", clock]) : undefined;
}

/** Whether GPS weeks and their seconds tell the times of these columns, which then are in GPS time. */
export function isByGpsWeek(table: SampleTable, used: Columns): boolean {
  if (used.has("gpsWeek")) return true;
  const weeks = namedColumns(table).dates.find((columns) => columns.has("gpsWeek"));
  const [times, own] = [timesOf(table, used), weeks ? timesOf(table, weeks) : []];
  return own.length > 0 && own.every((ms, i) => Math.abs(ms - (times[i] ?? Number.NaN)) < SECOND_MS);
}

/** The columns of a time of day by their names, if others have dates without one; else empty. */
export function missingTimeOfDay(table: SampleTable, others: Columns): Columns {
  const times = timesOf(table, others).filter(isReadable);
  const isDaily = times.length > 0 && times.every((ms) => ms % DAY_MS === 0);
  const hasOwn = (["clock", "hour", "secondOfDay"] as const).some((role) => others.has(role));
  if (!isDaily || hasOwn) return new Map();
  return namedColumns(table).ofDay.find((columns) => timesOfDay(table, columns).some(isReadable)) ?? new Map();
}

/** Columns that are named like times of day, and cannot be read. */
export function unreadClocks(table: SampleTable): readonly number[] {
  return namedColumns(table).unread;
}

/** A column that is named like a time and cannot be read; -1 if all can be. */
export function unreadableTime(table: SampleTable): number {
  const [unread] = namedColumns(table).unread;
  return unread ?? table.names.findIndex((name) => NAMES.isTimeName(name));
}

/** Remarks on what the times of these columns are of. */
export function momentRemarks({ names, rows }: SampleTable, used: Columns): string[] {
  const columns = [...used.values()];
  const ends = columns.map((i) => names[i] ?? "").filter((name) => NAMES.END.test(NAMES.timeName(name)));
  const at = used.get("time") ?? -1;
  const plain = dateText(names[at] ?? "");
  const isMonths = at >= 0 && rows.every((row) => MONTH.test(plain(row[at] ?? "").trim()));
  const isOfMonths = isMonths || (used.has("month") && !used.has("day") && !used.has("dayOfYear"));
  return [
    ...ends.map((name) => `The times in ${quoted(name)} are the ends of intervals.`),
    ...(isOfMonths ? ["Months have no day: their times are those of the first one."] : []),
  ];
}

/** The column with the end of each row's interval, which is after its time; null without one. */
export function endColumn(
  table: SampleTable,
  time: TimeReader,
  used: Columns,
): { readonly at: number; readonly read: TimeReader } | null {
  // A middle beside a start does not begin an interval.
  const isStart = (i: number): boolean => NAMES.START.test(NAMES.timeName(table.names[i] ?? ""));
  if (table.names.some((_, i) => isStart(i) && ![...used.values()].includes(i))) return null;
  for (const [i, name] of table.names.entries()) {
    const order = NAMES.END.test(NAMES.timeName(name)) ? dateOrder(columnOf(table, i)) : null;
    if (order === null) continue;
    const read: TimeReader = (fields) => momentIn(order, fields[i] ?? "");
    if (table.rows.every((row) => read(row) > time(row))) return { at: i, read };
  }
  return null;
}

interface NamedColumns {
  /** Columns that may have the date, each with the other columns of its kind. */
  readonly dates: readonly Columns[];
  /** Columns that may have the time of day, the same, the finest first. */
  readonly ofDay: readonly Columns[];
  /** Columns whose fields are not times, although they are named like times. */
  readonly unread: readonly number[];
  /** No column is named like a time of day. */
  readonly isDaily: boolean;
}

function at(...roles: (readonly [ColumnRole, number])[]): Columns {
  return new Map(roles.filter(([, index]) => index >= 0));
}

function namedColumns(table: SampleTable): NamedColumns {
  const names = table.names.map(NAMES.timeName);
  const find = (pattern: RegExp): number => names.findIndex((name) => pattern.test(name));

  const timed = names.flatMap((name, i) =>
    NAMES.MOMENT.test(name) || NAMES.DATE.test(name) || NAMES.CLOCK.test(name) ? [i] : [],
  );
  // A time in UTC is used before the same in a zone without a known difference from it.
  const hasNoUtc = (i: number): number =>
    Number(scaleInHeading(table.names[i] ?? "").some(({ scale }) => scale === "other"));
  const moments = timed.toSorted((a, b) => hasNoUtc(a) - hasNoUtc(b));
  const kinds = new Map(moments.map((i) => [i, kindOf(table, i)]));
  const ofKind = (kind: Kind): number[] => moments.filter((i) => kinds.get(i) === kind);
  const texts = [...ofKind("date").filter((i) => NAMES.DATE.test(names[i] ?? "")), ...ofKind("date")];

  const year = find(NAMES.YEAR);
  const monthNamed = find(NAMES.MONTH);
  const month = monthNamed < 0 && year >= 0 && names[year + 1] === "mm" ? year + 1 : monthNamed;
  const [day, dayOfYear] = [find(NAMES.DAY), find(NAMES.DAY_OF_YEAR)];
  const parts = at(["year", year], ["month", month], ["day", day], ["dayOfYear", dayOfYear]);
  // Months without a day are those of means: days may be in a column under another name.
  const months = day < 0 && dayOfYear < 0 ? timesOf(table, parts) : [];
  const isOfMonths = new Set(months).size === months.length;

  const [week, ofWeek] = [find(NAMES.GPS_WEEK), find(NAMES.SECOND_OF_WEEK)];
  const halfDay = find(NAMES.HALF_DAY);
  const clock = ofKind("clock")[0] ?? -1;
  const hour = hourColumn(names, kinds, [day, dayOfYear]);
  const minute = minuteColumn(names, hour);
  const second = names[minute + 1] === "s" && minute >= 0 ? minute + 1 : find(NAMES.SECOND);
  const sod = find(NAMES.SECOND_OF_DAY);
  // Without hours, seconds are those of the day, and so are minutes above 59.
  const isAlone = sod < 0 && clock < 0 && hour < 0;
  const isOfDay = isAlone && minute >= 0 && columnOf(table, minute).some((field) => Number(field) > 59);
  const counted = ofKind("none").find((i) => i !== hour && statedUnitMs(table, i) !== null) ?? -1;
  const named = isOfDay ? minute : isAlone && minute < 0 ? second : sod;
  const secondOfDay = named < 0 && isAlone ? counted : named;
  const unread = [
    ...ofKind("none").filter((i) => i !== hour && i !== secondOfDay && !NAMES.DATE.test(names[i] ?? "")),
    ...(hour < 0 && minute >= 0 && minute !== secondOfDay ? [minute] : []),
    ...names.flatMap((name, i) => (TIME_WORD.test(name) && !moments.includes(i) && hasClock(table, i) ? [i] : [])),
  ];
  const dates = [
    ...[...new Set(texts)].map((i) => at([orderOf(table, i) ?? "time", i])),
    at(["mjd", find(NAMES.MJD)]),
    at(["unixTime", find(NAMES.UNIX)]),
    ...(week >= 0 && ofWeek >= 0 ? [at(["gpsWeek", week], ["secondOfWeek", ofWeek])] : []),
    ...(isOfMonths ? [parts] : []),
    at(["decimalYear", year >= 0 && isFraction(columnOf(table, year)) ? year : find(NAMES.DECIMAL_YEAR)]),
  ];
  const isNamed = dates.some((columns) => timesOf(table, columns).some(isReadable));
  return {
    dates: isNamed ? dates : onlyDates(table),
    ofDay: [
      ...ofKind("clock").map((i) =>
        at(["clock", i], ["second", NAMES.SECOND.test(names[i + 1] ?? "") ? i + 1 : -1], ["halfDay", halfDay]),
      ),
      at(["secondOfDay", secondOfDay]),
      hour < 0
        ? new Map()
        : at(["hour", hour], ["minute", minute], ["second", minute < 0 ? -1 : second], ["halfDay", halfDay]),
    ],
    unread,
    isDaily: unread.length === 0 && [clock, hour, secondOfDay].every((index) => index < 0),
  };
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
    const all = columnOf(table, i);
    const fields = all.filter((field) => field.trim() !== "");
    if (2 * fields.length < all.length) return [];
    const order = fields.every((field) => DATE_FIELD.test(field.trim())) ? dateOrder(fields) : null;
    const isDate = order !== null && fields.every((field) => isReadable(momentIn(order, field)));
    // One date for all rows may be of something else, except beside times of day.
    const isOfRows = new Set(fields).size > 1 || fields.length === 1 || onlyClock(table, fields) !== undefined;
    return isDate && isOfRows ? [at([order, i])] : [];
  });
  // The end of an interval does not tell the time of its row.
  const starts = found.filter(
    (columns) => ![...columns.values()].some((i) => NAMES.END.test(NAMES.timeName(table.names[i] ?? ""))),
  );
  return starts.length === 1 ? starts : found.length === 1 ? found : [];
}

const DATE_FIELD =
  /^((?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])T?(?:[01]\d|2[0-4])(?:[0-5]\d){0,2}Z?$|\d{4}[-/.]\d|\d{1,2}([-/.])\d{1,2}\2\d\d)/;

/** The order of the dates of a column, by its fields or its heading: `Date(dd:mm:yyyy)` (AERONET), or MeteoSwiss's names. */
function orderOf(table: SampleTable, index: number): DateOrder | null {
  if (table.names[index] === "reference_timestamp" && table.names.includes("station_abbr")) return "dayFirst";
  const [, first = ""] = /[([](d|m)+[^a-z]?(?:d|m)+[^a-z]?y+[)\]]/i.exec(table.names[index] ?? "") ?? [];
  const stated = first === "" ? null : /d/i.test(first) ? "dayFirst" : "monthFirst";
  return stated ?? dateOrder(columnOf(table, index).map(dateText(table.names[index] ?? "")));
}

function columnOf({ rows }: SampleTable, index: number): string[] {
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
function kindOf(table: SampleTable, index: number): Kind {
  const fields = columnOf(table, index);
  const order = orderOf(table, index);
  const dates = order === null ? 0 : timesOf(table, at([order, index])).filter(isReadable).length;
  // Numbers named hour are hours, unless they have four digits.
  const isHour =
    NAMES.HOUR.test(NAMES.timeName(table.names[index] ?? "")) && !fields.some((field) => /:|^\d{4}/.test(field));
  const clocks = isHour ? 0 : timesOfDay(table, new Map([["clock", index]])).filter(isReadable).length;
  if (dates === 0 && clocks === 0) return "none";
  return dates >= clocks ? "date" : "clock";
}

/** Columns that are named like a time, and tell another one than the used columns, or cannot be read. */
export function unusedColumns(table: SampleTable, used: Columns): number[] {
  const { dates, ofDay, unread } = namedColumns(table);
  const times = timesOf(table, used);
  const inUse = new Set(used.values());
  const others = (groups: readonly Columns[]): Columns[] =>
    groups.filter((columns) => columns.size > 0 && ![...columns.values()].some((index) => inUse.has(index)));
  const isWrong = (own: readonly number[], mostMs: number): boolean =>
    own.some((ms, i) => {
      const laterMs = (times[i] ?? Number.NaN) - ms;
      return laterMs <= -SECOND_MS || laterMs >= mostMs;
    });
  const wrong = [
    ...others(dates.filter((columns) => !columns.has("decimalYear"))).filter((columns) => {
      const own = timesOf(table, columns);
      return isWrong(own, own.some((ms) => ms % DAY_MS > 0) ? MINUTE_MS : DAY_MS);
    }),
    ...others(ofDay).filter((columns) => {
      const own = timesOfDay(table, columns).map((ms, i) => ms + dayOf(times[i] ?? Number.NaN));
      return isWrong(own, resolutionMs(columns));
    }),
  ];
  const known = new Set([...dates, ...ofDay].flatMap((columns) => [...columns.values()]));
  const isDaily = times.every((ms) => !(ms % DAY_MS > 0));
  const maybe = table.names.flatMap((name, i) =>
    isDaily && !known.has(i) && TIME_WORD.test(NAMES.timeName(name)) ? [i] : [],
  );
  const found = new Set([...wrong.map((columns) => [...columns.values()][0] ?? -1), ...unread, ...maybe]);
  return [...found].filter((index) => !inUse.has(index));
}

/** Whether the fields of a column are clock times. */
export function hasClock(table: SampleTable, index: number): boolean {
  const fields = columnOf(table, index)
    .map((field) => field.trim())
    .filter((field) => field !== "");
  return fields.length > 0 && fields.every((field) => CLOCK_FIELD.test(field));
}

/** The times of day of the first rows, in milliseconds; NaN without one. */
function timesOfDay({ names, rows }: SampleTable, columns: Columns): number[] {
  if (columns.size === 0) return [];
  const dated = { names: [...names, ""], rows: rows.map((row) => [...row, "1970-01-01"]) };
  return timesOf(dated, new Map<ColumnRole, number>([...columns, ["time", names.length]]));
}

/** The times of the first rows; NaN without one. */
export function timesOf(table: SampleTable, columns: Columns): number[] {
  const read = timeReader(columns, table);
  return read === null ? [] : table.rows.map(read);
}

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

function isReadable(ms: number): boolean {
  return !Number.isNaN(ms);
}
