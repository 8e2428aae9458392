import type { ColumnRole } from "#shared/file/columns.ts";
import { GPS_START_MS } from "#shared/time/gpsTime.ts";
import { DAY_MS, parseUtc, SECOND_MS } from "#shared/time/utc.ts";
import { type DateOrder, dayOfYearMs, fullYear, momentIn, monthNamed } from "./moment.ts";
import { plainName } from "../meaning/stations.ts";
import { countIn, momentMs, readTimeUnits } from "./cf.ts";
import {
  type ColumnIndices,
  decimalOf,
  isTimeOfDay,
  resolutionMs,
  type SampleTable,
  type TimeReader,
  timeOfDayReader,
  unitMsOf,
} from "./ofDay.ts";

/** Modified Julian date of 1970-01-01. */
const MJD_1970 = 40_587;
/** The same as Excel counts days. */
const EXCEL_1970 = 25_569;
/** The same date in days since the starts of other counts, in ascending order: modified Julian, MATLAB's, Julian. */
const DAYS_1970 = [MJD_1970, 719_529, 2_440_587.5] as const;
const [MATLAB_DAY, JULIAN_DATE] = [600_000, 2_000_000];
/** The largest difference between a fraction of a day and a time of day that mean the same, for five decimals of a day. */
const SAME_TIME_MS = SECOND_MS;

export function timeReader(columns: ColumnIndices, table: SampleTable): TimeReader | null {
  const date = dateReader(columns, table);
  const timeOfDay = timeOfDayReader(columns, table);
  if (date === null || timeOfDay === null) return date;
  const partMs = resolutionMs(columns);
  return (fields) => {
    const dateMs = date(fields);
    const ofDayMs = timeOfDay(fields);
    // A date that has a time of day, too, has to agree with the columns, which may be the hour alone.
    const fractionMs = dateMs - Math.floor(dateMs / DAY_MS) * DAY_MS;
    const laterMs = fractionMs - ofDayMs;
    if (fractionMs !== 0 && Math.abs(laterMs) > SAME_TIME_MS)
      return laterMs > 0 && laterMs < partMs ? dateMs : Number.NaN;
    return dateMs - fractionMs + ofDayMs;
  };
}

/**
 * The text of a date in a column whose name states the format of its digits: `yydoy`, `ddmmyy`, or what its numbers count:
 * `time (seconds since 2000-01-01)`. Decimals of a date that are times of day in all of the first fields are not fractions of
 * it: `20261013.0015`.
 */
export function dateText({ names, rows, units }: SampleTable, at: number): (field: string) => string {
  const [heading = "", fields] = [names[at], rows.map((row) => row[at] ?? "")];
  const count = countIn(units?.[at] ?? "") ?? countIn(heading);
  const counted = count === null ? null : readTimeUnits(count, null);
  if (counted !== null && typeof counted !== "string")
    return (field) => {
      const ms = momentMs(decimalOf(field), counted);
      return Number.isNaN(ms) ? field : new Date(ms).toISOString().slice(0, -1);
    };
  const name = plainName(heading);
  const clocks = fields.filter((field) => field.trim() !== "").map(clockIn);
  const isClock = clocks.every((clock) => clock !== null) && clocks.some((clock) => clock !== "000000");
  if (isClock) {
    // A single one may be both.
    const isSure = new Set(clocks).size > 2;
    return (field) => (isSure ? `${field.trim().slice(0, 8)} ${clockIn(field)}` : "");
  }
  const parts = /^((yy){1,2}|mm|dd|doy|ddd|_)+$/.test(name) ? (name.match(/(yy)+|mm|doy|d+/g) ?? []) : [];
  const isDate =
    parts.some((part) => part.startsWith("y")) && new Set(parts.map(([letter]) => letter)).size === parts.length;
  if (!isDate) return (field) => field;
  const digits = new RegExp(`^${parts.map((part) => `(?<${part[0]}>\\d{${part.length}})`).join("")}$`);
  const width = parts.join("").length;
  const isDotted = /^yy(yy)?\.d/i.test(heading.trim());
  return (field) => {
    // Numbers have no leading zeros, and decimals no zeros at their end: 2026.27 is day 270.
    const [, whole = "", decimals] = /^(\d+)\.(\d{1,3})$/.exec(field.trim()) ?? [];
    const text = decimals === undefined ? field.trim() : whole + decimals.padEnd(3, "0");
    const { y, m, d } = digits.exec(isDotted ? text : field.trim().padStart(width, "0"))?.groups ?? {};
    return y === undefined ? field : [fullYear(Number(y)), m, d].filter((part) => part !== undefined).join("-");
  };
}

/** Decimals of a date as digits of a clock time; null for others. */
function clockIn(field: string): string | null {
  const [all, decimals = ""] = /^\d{8}(?:\.(\d{1,6}))?$/.exec(field.trim()) ?? [];
  const clock = decimals.padEnd(6, "0");
  return all !== undefined && clock < "24" && isTimeOfDay(Number(clock)) ? clock : null;
}

function dateReader(columns: ColumnIndices, table: SampleTable): TimeReader | null {
  const number = (role: ColumnRole, msOf: (value: number) => number, except = /^$/): TimeReader | null => {
    const index = columns.get(role);
    if (index === undefined) return null;
    return (fields) => (except.test(fields[index] ?? "") ? Number.NaN : Math.round(msOf(decimalOf(fields[index]))));
  };
  const text = (role: DateOrder): TimeReader | null => {
    const index = columns.get(role);
    if (index === undefined) return null;
    const plain = dateText(table, index);
    return (fields) => momentIn(role, plain(fields[index] ?? ""));
  };
  return (
    number("mjd", (days) => (days - DAYS_1970[Number(days > MATLAB_DAY) + Number(days > JULIAN_DATE)]!) * DAY_MS) ??
    weekReader(columns, table) ??
    number("unixTime", unixMs, ROUNDED) ??
    number("excelDay", (days) => (days - EXCEL_1970) * DAY_MS) ??
    number("decimalYear", momentOfYear) ??
    text("time") ??
    text("dayFirst") ??
    text("monthFirst") ??
    partsReader(columns)
  );
}

/** In 1992, when the first delays were estimated: smaller numbers have started again from 0, in 1999 or 2019. */
const FIRST_WEEK = 626;

/** Creates a reader of a GPS week, counted from 1980 without rollover, with its second. */
function weekReader(columns: ColumnIndices, table: SampleTable): TimeReader | null {
  const [week, second] = [columns.get("gpsWeek"), columns.get("secondOfWeek")];
  if (week === undefined || second === undefined) return null;
  const unit = unitMsOf(table, second) / SECOND_MS;
  return (fields) => {
    const [weeks, seconds] = [decimalOf(fields[week]), decimalOf(fields[second]) * unit];
    const isValid =
      Number.isInteger(weeks) && weeks >= FIRST_WEEK && weeks < 5_000 && seconds >= 0 && seconds <= WEEK_S;
    return isValid ? Math.round(GPS_START_MS + weeks * WEEK_S * SECOND_MS + seconds * SECOND_MS) : Number.NaN;
  };
}

const WEEK_S = 604_800;

/**
 * Creates a reader of a year with its month and day, or with its day of the year; days may have fractions. Months without a
 * day begin at their first one.
 */
function partsReader(columns: ColumnIndices): TimeReader | null {
  const [year, month, day, dayOfYear] = (["year", "month", "day", "dayOfYear"] as const).map((r) => columns.get(r));
  if (year === undefined) return null;
  const read = (dayAt: number, startOf: (fullYear: number, wholeDay: number, fields: readonly string[]) => number) => {
    return (fields: readonly string[]): number => {
      const days = decimalOf(fields[dayAt]);
      const wholeDays = Math.floor(days);
      return startOf(fullYear(decimalOf(fields[year])), wholeDays, fields) + Math.round((days - wholeDays) * DAY_MS);
    };
  };
  if (dayOfYear !== undefined) return read(dayOfYear, dayOfYearMs);
  if (month === undefined) return null;
  const startOf = (ofYear: number, ofMonth: number, fields: readonly string[]): number => {
    const digits = [monthOf(fields[month] ?? ""), ofMonth].map((part) => String(part).padStart(2, "0"));
    return parseUtc(`${ofYear}-${digits.join("-")}`) ?? Number.NaN;
  };
  if (day === undefined) return (fields) => startOf(fullYear(decimalOf(fields[year])), 1, fields);
  return read(day, startOf);
}

/** The number of a month, by its number or its English name. */
function monthOf(text: string): number {
  return monthNamed(text) || decimalOf(text);
}

/** A number of seconds without its last digits, as Excel writes it in narrow columns: 1.767E+09. */
const ROUNDED = /^\s*\d([.,]\d{1,6})?e\+?\d+\s*$/i;

/** Converts a time since 1970 in seconds, or, if that is beyond the year 5138, in milli-, micro- or nanoseconds. */
function unixMs(value: number): number {
  const size = Math.abs(value);
  const ms = value * (size < 1e11 ? SECOND_MS : size < 1e14 ? 1 : size < 1e17 ? 1e-3 : 1e-6);
  // Seconds since 1904 would be of the end of this century.
  return ms < Date.UTC(2060, 0, 1) ? ms : Number.NaN;
}

function momentOfYear(year: number): number {
  const whole = Math.floor(year);
  const startMs = dayOfYearMs(whole, 1);
  return startMs + (year - whole) * (dayOfYearMs(whole + 1, 1) - startMs);
}
