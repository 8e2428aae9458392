import type { ColumnRole } from "#shared/file/columns.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, parseUtc, SECOND_MS } from "#shared/time/utc.ts";
import { GPS_START_MS } from "#shared/time/gpsTime.ts";
import { dayOfYearMs, epochMs, fullYear } from "../epoch.ts";
import { plainName } from "../meaning/stations.ts";

/** Reads the time of a row in milliseconds since 1970; NaN if it cannot be read, such as February 30. */
export type TimeReader = (fields: readonly string[]) => number;

/** Column indices by role. */
type ColumnIndices = ReadonlyMap<ColumnRole, number>;

export const TIME_ROLES: ReadonlySet<ColumnRole> = new Set<ColumnRole>([
  ...(["time", "dayFirst", "monthFirst", "clock", "halfDay", "year", "month", "day", "dayOfYear"] as const),
  ...(["hour", "minute", "second", "secondOfDay", "mjd", "unixTime", "decimalYear"] as const),
  ...(["gpsWeek", "secondOfWeek"] as const),
]);
/** Modified Julian date of 1970-01-01. */
const MJD_1970 = 40_587;
/** Julian date of the same, and a limit above all modified ones. */
const JD_1970 = 2_440_587.5;
const JULIAN_DATE = 2_000_000;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const SINEX_EPOCH = /^(\d\d)?\d\d[:-]\d{3}[:-]\d{5}$/;
const YEAR_LAST = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d(?!\d))(.*)$/;
/** Orders of year, month and day: the year first, or last. */
type DateOrder = "time" | "dayFirst" | "monthFirst";
export const DATE_ORDERS = ["time", "dayFirst", "monthFirst"] as const satisfies readonly DateOrder[];

/** The largest difference between a fraction of a day and a time of day that mean the same, for five decimals of a day. */
const SAME_TIME_MS = SECOND_MS;

/** The headings and the first rows of a table. */
export interface SampleTable {
  readonly names: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Creates a reader of times from columns of these roles; null if they do not define a date. */
export function timeReader(columns: ColumnIndices, table: SampleTable): TimeReader | null {
  const date = dateReader(columns);
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

/** The unit of the time of day in these columns. */
export function resolutionMs(columns: ColumnIndices): number {
  if (columns.has("second") || columns.has("secondOfDay")) return SECOND_MS;
  return columns.has("hour") && !columns.has("minute") ? HOUR_MS : MINUTE_MS;
}

/** Creates a reader of dates, which may have a time of day; null if no columns define a date. */
function dateReader(columns: ColumnIndices): TimeReader | null {
  const number = (role: ColumnRole, msOf: (value: number) => number): TimeReader | null => {
    const index = columns.get(role);
    return index === undefined ? null : (fields) => Math.round(msOf(numberOf(fields[index])));
  };
  const text = (role: DateOrder): TimeReader | null => {
    const index = columns.get(role);
    return index === undefined ? null : (fields) => momentIn(role, fields[index] ?? "");
  };
  return (
    number("mjd", (days) => (days - (days > JULIAN_DATE ? JD_1970 : MJD_1970)) * DAY_MS) ??
    weekReader(columns) ??
    number("unixTime", unixMs) ??
    number("decimalYear", momentOfYear) ??
    text("time") ??
    text("dayFirst") ??
    text("monthFirst") ??
    partsReader(columns)
  );
}

/** Creates a reader of a GPS week, counted from 1980 without rollover, with its second. */
function weekReader(columns: ColumnIndices): TimeReader | null {
  const [week, second] = [columns.get("gpsWeek"), columns.get("secondOfWeek")];
  if (week === undefined || second === undefined) return null;
  return (fields) => {
    const [weeks, seconds] = [numberOf(fields[week]), numberOf(fields[second])];
    const isValid = Number.isInteger(weeks) && weeks >= 0 && weeks < 5_000 && seconds >= 0 && seconds <= WEEK_S;
    return isValid ? Math.round(GPS_START_MS + weeks * WEEK_S * SECOND_MS + seconds * SECOND_MS) : Number.NaN;
  };
}

const WEEK_S = 604_800;

/** Creates a reader of a year with its month and day, or with its day of the year; days may have fractions. */
function partsReader(columns: ColumnIndices): TimeReader | null {
  const [year, month, day, dayOfYear] = (["year", "month", "day", "dayOfYear"] as const).map((r) => columns.get(r));
  if (year === undefined) return null;
  const read = (dayAt: number, startOf: (fullYear: number, wholeDay: number, fields: readonly string[]) => number) => {
    return (fields: readonly string[]): number => {
      const days = numberOf(fields[dayAt]);
      const wholeDays = Math.floor(days);
      return startOf(fullYear(numberOf(fields[year])), wholeDays, fields) + Math.round((days - wholeDays) * DAY_MS);
    };
  };
  if (dayOfYear !== undefined) return read(dayOfYear, dayOfYearMs);
  if (month === undefined || day === undefined) return null;
  return read(day, (ofYear, ofMonth, fields) => {
    const digits = [monthOf(fields[month] ?? ""), ofMonth].map((part) => String(part).padStart(2, "0"));
    return parseUtc(`${ofYear}-${digits.join("-")}`) ?? Number.NaN;
  });
}

/** The number of a month, by its number or its English name. */
function monthOf(text: string): number {
  const named = MONTHS.indexOf(text.trim().slice(0, 3).toLowerCase());
  return named >= 0 ? named + 1 : numberOf(text);
}

/** Creates a reader of the time of day in milliseconds, at most 24 h; null if no columns define one. */
function timeOfDayReader(columns: ColumnIndices, table: SampleTable): TimeReader | null {
  const halfDay = columns.get("halfDay");
  const read = plainTimeOfDayReader(columns, table);
  if (halfDay === undefined || read === null) return read;
  return (fields) => in24Hours(read(fields), fields[halfDay] ?? "");
}

/** Converts a time of a 12-hour clock, 12:00 to 11:59, by “AM” or “PM”; NaN without either. */
function in24Hours(ofDayMs: number, half: string): number {
  const isAfternoon = /^p\.?m?\.?$/i.test(half.trim());
  if (!(ofDayMs >= HOUR_MS && ofDayMs < 13 * HOUR_MS) || !/^[ap]\.?m?\.?$/i.test(half.trim())) return Number.NaN;
  return (ofDayMs % (12 * HOUR_MS)) + (isAfternoon ? 12 * HOUR_MS : 0);
}

function plainTimeOfDayReader(columns: ColumnIndices, { names, rows }: SampleTable): TimeReader | null {
  const clock = columns.get("clock");
  if (clock !== undefined) {
    const second = columns.get("second");
    const text = clockText(
      names[clock] ?? "",
      rows.map((row) => row[clock] ?? ""),
    );
    return (fields) => {
      const time = text(fields[clock] ?? "");
      const hasSeconds = second === undefined || !/^\d\d:\d\d$/.test(time);
      if (time === "") return Number.NaN;
      return momentOf(`1970-01-01 ${time}`) + (hasSeconds ? 0 : secondsMs(fields[second]));
    };
  }
  const parts = (["hour", "minute", "second", "secondOfDay"] as const).flatMap((role) => {
    const index = columns.get(role);
    return index === undefined ? [] : [{ index, ...PARTS_OF_DAY[role] }];
  });
  if (parts.length === 0) return null;
  return (fields) => {
    let ms = 0;
    for (const { index, unitMs, max } of parts) {
      // Four digits of an hour are hours and minutes.
      const value =
        unitMs === SECOND_MS || !/^\s*\d{3}/.test(fields[index] ?? "") ? numberOf(fields[index]) : Number.NaN;
      ms += value >= 0 && value <= max ? value * unitMs : Number.NaN;
    }
    return ms <= DAY_MS ? Math.round(ms) : Number.NaN;
  };
}

function secondsMs(field: string | undefined): number {
  const value = numberOf(field);
  return value >= 0 && value <= PARTS_OF_DAY.second.max ? Math.round(value * SECOND_MS) : Number.NaN;
}

/** Units of the columns of a time of day, and their largest values: hour 24 ends a day, second 60 is a leap second. */
const PARTS_OF_DAY = {
  hour: { unitMs: HOUR_MS, max: 24 },
  minute: { unitMs: MINUTE_MS, max: 59.999_999 },
  second: { unitMs: SECOND_MS, max: 60.999_999 },
  secondOfDay: { unitMs: SECOND_MS, max: 86_400 },
} as const;

/** Converts a time since 1970 in seconds, or, if that is beyond the year 5138, in milli-, micro- or nanoseconds. */
function unixMs(value: number): number {
  const size = Math.abs(value);
  return value * (size < 1e11 ? SECOND_MS : size < 1e14 ? 1 : size < 1e17 ? 1e-3 : 1e-6);
}

function momentOfYear(year: number): number {
  const whole = Math.floor(year);
  const startMs = dayOfYearMs(whole, 1);
  return startMs + (year - whole) * (dayOfYearMs(whole + 1, 1) - startMs);
}

/** Parses a text as `momentOf` does, or with the year last: `31.01.2026`, `01/31/26 6:30 PM`. */
export function momentIn(order: DateOrder, text: string): number {
  if (order === "time") return momentOf(text);
  const [, first = "", , second = "", year = "", rest = ""] = YEAR_LAST.exec(text.trim()) ?? [];
  const [day, month] = order === "dayFirst" ? [first, second] : [second, first];
  if (year === "") return Number.NaN;
  return momentOf(`${fullYear(Number(year))}-${month.padStart(2, "0")}-${day.padStart(2, "0")}${rest}`);
}

/** The only order in which all fields can be dates; null if there is none, or several. */
export function dateOrder(fields: readonly string[]): DateOrder | null {
  const texts = fields.map((field) => field.trim()).filter((field) => field !== "");
  if (texts.some((text) => !Number.isNaN(momentOf(text)))) return "time";
  const isAll = (read: (text: string) => number): boolean =>
    texts.length > 0 && texts.every((text) => !Number.isNaN(read(text)));
  const [order, other] = (["dayFirst", "monthFirst"] as const).filter((each) => isAll((text) => momentIn(each, text)));
  // A year of two digits may be first, too.
  return order === undefined || other !== undefined || isAll((text) => momentOf(`20${text}`)) ? null : order;
}

const DAY_OF_YEAR = /^(\d{4})-?(\d{3})(?:[T ](.*))?$/;
// Years of two digits may be days: 10JUL28.
const NAMED_MONTH = /^(\d{1,2})[-. /]?([a-z]{3,9})[-. ,/]*(\d{4})(?:[-:, T]+(.*))?$/i;
const MONTH_FIRST = /^([a-z]{3,9})[-. ]+(\d{1,2})(?:st|nd|rd|th)?[-. ,]+(\d{4})(?:[-:, T]+(.*))?$/i;
const YEAR_AND_NAME = /^(\d{4})[-. ]?([a-z]{3,9})[-. ]?(\d{1,2})(?:[-:, T]+(.*))?$/i;
const HALF_DAY = /^(.*?\d{1,2})((?::\d\d){0,2}(?:[.,]\d+)?)\s*([ap])\.?m\.?$/i;

/**
 * Parses ISO 8601 with any separators, compact digits (`202601010630`), names of months (`01-Oct-2026`), days of the year
 * (`2026-274T00:05`, `2026:001:23400`), each with times of 24 or of 12 hours. Dates of numbers that start with the day or
 * month are not guessed.
 */
export function momentOf(text: string): number {
  const plain = text.trim();
  const exact = isoMs(plain);
  if (!Number.isNaN(exact)) return exact;
  const [, start = "", rest = "", half = ""] = HALF_DAY.exec(plain) ?? [];
  if (half !== "") {
    const hour = Number(/\d{1,2}$/.exec(start)?.[0]);
    const before = start.replace(/\d{1,2}$/, "");
    if (!(hour >= 1 && hour <= 12)) return Number.NaN;
    const hours = String((hour % 12) + (half.toLowerCase() === "p" ? 12 : 0)).padStart(2, "0");
    return momentOf(`${before}${hours}${rest === "" ? ":00" : rest}`);
  }
  if (SINEX_EPOCH.test(plain)) return epochMs(plain.replaceAll("-", ":"));
  const digits = /^(\d{4})(\d\d)(\d\d)[T ]?(?:(\d\d):?(\d\d):?(\d\d(?:\.\d+)?)?)?Z?$/.exec(plain);
  if (digits) {
    const [, year, month, day, hour = "00", minute = "00", second = "00"] = digits;
    return isoMs(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  }
  const [, ofYear, dayOfYear, afterDay = ""] = DAY_OF_YEAR.exec(plain) ?? [];
  if (dayOfYear !== undefined) return onDay(dayOfYearMs(Number(ofYear), Number(dayOfYear)), afterDay);
  const named = byMonthName(plain);
  if (named) return onDay(isoMs(named.date), named.rest);
  return isoMs(
    plain
      .replaceAll("/", "-")
      .replace(/^(\d{4})\.(\d\d)\.(\d\d)/, "$1-$2-$3")
      .replace(/[\s_]+(\d):/, "T0$1:")
      .replace(/[\s_]+/, "T")
      .replace(/\s*(UTC|GMT)$/, "Z"),
  );
}

/** The date of a text with the name of a month, as ISO 8601, and what follows it; null without one. */
function byMonthName(text: string): { readonly date: string; readonly rest: string } | null {
  const dayFirst = NAMED_MONTH.exec(text);
  const [, month, day, year, rest = ""] =
    (dayFirst && ["", dayFirst[2], dayFirst[1], dayFirst[3], dayFirst[4]]) ??
    MONTH_FIRST.exec(text) ??
    (([all, y, m, d, r]) => (all === undefined ? [] : ["", m, d, y, r]))(YEAR_AND_NAME.exec(text) ?? []);
  const number = month === undefined ? 0 : MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  if (number === 0 || day === undefined || year === undefined) return null;
  const parts = [fullYear(Number(year)), String(number).padStart(2, "0"), day.padStart(2, "0")];
  return { date: parts.join("-"), rest: rest.trim() };
}

/** Adds the time of day in a text to the start of a day. */
function onDay(dayMs: number, text: string): number {
  if (text === "") return dayMs;
  const clock = /^\d{4}$/.test(text) ? `${text.slice(0, 2)}:${text.slice(2)}` : text.replace(/^(\d)(?=:)/, "0$1");
  return dayMs + isoMs(`1970-01-01T${clock.replace(/\s*(UTC|GMT)$/, "Z")}`);
}

/** Parses ISO 8601, in which 24:00 is the end of the day. */
function isoMs(text: string): number {
  const isEndOfDay = /T24:00(:00([.,]0+)?)?(?!\d|[:.,])/.test(text);
  // `parseUtc` truncates what follows the milliseconds.
  const roundingMs = /[.,]\d{3}[5-9]/.test(text) ? 1 : 0;
  const ms = parseUtc(isEndOfDay ? text.replace("T24", "T00") : text) ?? Number.NaN;
  return ms + roundingMs + (isEndOfDay ? DAY_MS : 0);
}

/** With a decimal point or comma. */
function numberOf(text: string | undefined): number {
  return text === undefined || text.trim() === "" ? Number.NaN : Number(text.replace(",", "."));
}

/** Digits of a clock time without separators: hours, minutes, and seconds if there are six. */
interface Digits {
  readonly width: 4 | 6;
  /** Whether leading zeros may be absent, so that 5 is five minutes past midnight. */
  readonly isNumber: boolean;
}

const BARE = /^\d+(\.0+)?$/;

/**
 * Creates a reader of clock times such as `6:30`, `06:30:00` and `0630` that returns `HH:MM:SS`, or another text as it is.
 * Bare digits without a fixed width are read only if the heading names their format, because 5 and 1230 of another column may
 * be hours, hours with minutes, or minutes with seconds.
 *
 * @param fields the fields of the first rows in this column
 */
function clockText(heading: string, fields: readonly string[]): (field: string) => string {
  const digits = digitsOf(heading, fields);
  return (field) => {
    const text = field.trim();
    if (BARE.test(text)) return digits === null ? text : separated(text.replace(/\..*/, ""), digits);
    const [hour = "", ...rest] = text.split(":");
    return rest.length === 0 ? text : [hour.padStart(2, "0"), ...rest.map((part) => part.padStart(2, "0"))].join(":");
  };
}

function digitsOf(heading: string, fields: readonly string[]): Digits | null {
  const format = /^hh_?mm(_?ss)?$/.exec(plainName(heading));
  if (format) return { width: format[1] === undefined ? 4 : 6, isNumber: true };
  const texts = fields.map((field) => field.trim()).filter((text) => /^\d+$/.test(text) && isTimeOfDay(Number(text)));
  const widths = new Set(texts.map((text) => text.length));
  const [width] = widths;
  return widths.size === 1 && (width === 4 || width === 6) ? { width, isNumber: false } : null;
}

/** Whether digits may be hours and minutes, or these with seconds. */
function isTimeOfDay(digits: number): boolean {
  const [first, second, third] = [Math.floor(digits / 10_000), Math.floor(digits / 100) % 100, digits % 100];
  return first <= 24 && second < 60 && third < 60;
}

function separated(text: string, { width, isNumber }: Digits): string {
  if (text.length !== width && (!isNumber || text.length > width)) return text;
  return text.padStart(width, "0").replaceAll(/(\d\d)(?=\d)/g, "$1:");
}
