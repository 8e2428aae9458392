import { DAY_MS, parseUtc } from "#shared/time/utc.ts";
import { splitZone } from "./scale.ts";

export const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const YEAR_LAST = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d(?!\d))(.*)$/;
/** As AERONET writes dates; with two digits it would be a time of day. */
const COLONS = /^(\d\d):(\d\d):(\d{4})(?!\d)/;
/** Orders of year, month and day: the year first, or last. */
export type DateOrder = "time" | "dayFirst" | "monthFirst";
export const DATE_ORDERS = ["time", "dayFirst", "monthFirst"] as const satisfies readonly DateOrder[];

/** A year of two digits before month and day, and after the name of a month. */
const SHORT_YEAR = /^\d\d(?=([/-])(?:\d{1,2}|\p{L}{3,12})\1\d{1,2}(?!\d))/u;
const NAMED_SHORT = /(?<=^\d{1,2}\1\p{L}{3,12}([ /-]))\d\d(?![\d:])/u;
/** A spreadsheet has read some of these cells as dates, and left others as texts. */
const YEAR_FIRST = /^\s*\d{4}-\d\d-\d\d/;

/** Parses a text as `momentOf` does, or with the year last: `31.01.2026`, `01/31/26 6:30 PM`. */
export function momentIn(order: DateOrder, text: string): number {
  if (order === "time") return momentOf(text.trim().replace(SHORT_YEAR, (year) => String(fullYear(Number(year)))));
  if (YEAR_FIRST.test(text)) return momentOf(text);
  if (order === "dayFirst" && NAMED_SHORT.test(text.trim()))
    return momentOf(text.trim().replace(NAMED_SHORT, (year) => String(fullYear(Number(year)))));
  const [, first = "", , second = "", year = "", rest = ""] =
    YEAR_LAST.exec(text.trim().replace(COLONS, "$1.$2.$3")) ?? [];
  const [day, month] = order === "dayFirst" ? [first, second] : [second, first];
  if (year === "") return Number.NaN;
  return momentOf(`${fullYear(Number(year))}-${month.padStart(2, "0")}-${day.padStart(2, "0")}${rest}`);
}

const DOTTED = /^\d{1,2}\.\d{1,2}\.\d{4}(?!\d)/;

/** Returns the order of day, month and year that makes dates of all fields; null if no order does, or several do. */
export function dateOrder(fields: readonly string[]): DateOrder | null {
  const all = fields.map((field) => field.trim()).filter((field) => /\d/.test(field));
  const texts = all.filter((text) => Number.isNaN(momentOf(text)));
  return orderOf(texts) ?? (texts.length < all.length ? "time" : null);
}

/** The order of dates that are not of ISO 8601. */
function orderOf(texts: readonly string[]): DateOrder | null {
  const isAll = (read: (text: string) => number): boolean =>
    texts.length > 0 && texts.every((text) => !Number.isNaN(read(text)));
  // No language writes dots after a month before the day (CLDR 48).
  if (isAll((text) => (DOTTED.test(text) ? momentIn("dayFirst", text) : Number.NaN))) return "dayFirst";
  const [order, other] = (["dayFirst", "monthFirst"] as const).filter((each) => isAll((text) => momentIn(each, text)));
  // A year of two digits may be first, too.
  return order === undefined || other !== undefined || isAll((text) => momentOf(`20${text}`)) ? null : order;
}

/** As e-mails and programs in C write dates: `Tue, 13 Jan 2026 …`, and `Tue Jan 13 00:00:00 UTC 2026`. */
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[,.]?\s+/i;
const YEAR_BEHIND = /^([a-z]{3} +\d{1,2}) +([\d:]+(?: \w+)?) +(\d{4})$/i;
/** ISO 8601 writes intervals by their start and end. */
const INTERVAL = /^(\d[^/]*T[^/]*)\/(?:P|[^/]*T).*$/;
/** Words between a date and a clock time: `Nov 3, 2025 @ 06:00`, `4.8.2025 klo 0.00`. */
const AT = /\s+(?:@|at|um|klo|kl\.?|om|alle|a las|às|à)\s+(\d{1,2})[.:](?=\d\d)/i;

/** A month, whose start is its moment: 2026-01. */
export const MONTH = /^(19|20)\d\d-(0[1-9]|1[0-2])$/;

/**
 * Dates, each with what may follow it: by the second of a day of the year (SINEX), a day of the year, digits (ten digits are a date in
 * these centuries, and otherwise seconds since 1970), with the fraction of a day (CDO), months by names, and numbers. Years of two digits
 * may be days: 10JUL28.
 */
const DATES = [
  /^(?<year>(?:\d\d)?\d\d)[:-](?<ofYear>\d{3})[:-](?<second>\d{5})$/,
  /^(?<year>\d{4})-?(?<ofYear>\d{3})(?:[T ](?<rest>.*))?$/,
  /^(?:(?=\d{10}$)(?=19|20)|(?!\d{10}$))(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?:(?<fraction>\.\d+)|[T ]?(?<rest>\d\d.*))?Z?$/,
  /^(?<day>\d{1,2})[-. /]*(?<month>\p{L}{3,12})[-. ,/]*(?<year>\d{4})(?:[-:, T]+(?<rest>.*))?$/iu,
  /^(?<month>\p{L}{3,12})[-. ]+(?<day>\d{1,2})(?:st|nd|rd|th)?[-. ,]+(?<year>\d{4})(?:[-:, T]+(?<rest>.*))?$/iu,
  /^(?<year>\d{4})[-. ]?(?<month>\p{L}{3,12})[-. ]?(?<day>\d{1,2})(?:[-:, T]+(?<rest>.*))?$/iu,
  /^(?<year>\d{4})([-/.])(?<month>\d{1,2})\2(?<day>\d{1,2})(?:[\s_T/,;]+(?<rest>\d{1,2}(?!\d*$).*))?$/,
];

/**
 * Parses ISO 8601 with any separators, compact digits (`202601010630`), names of months (`01-Oct-2026`), days of the year
 * (`2026-274T00:05`, `2026:001:23400`), each with times of 24 or of 12 hours. Dates of numbers that start with the day or
 * month are not guessed.
 */
export function momentOf(text: string): number {
  const exact = isoMs(text.trim());
  if (!Number.isNaN(exact)) return exact;
  if (MONTH.test(text.trim())) return isoMs(`${text.trim()}-01`);
  const plain = splitZone(withYearBefore(text.trim().replace(INTERVAL, "$1")).replace(AT, " $1:")).text;
  for (const form of DATES) {
    const {
      year,
      ofYear,
      month = "",
      day = "",
      second = "",
      fraction = "",
      rest = "",
    } = form.exec(plain)?.groups ?? {};
    const number = /\d/.test(month) ? Number(month) : monthNamed(month);
    if (year === undefined || (ofYear === undefined && number === 0)) continue;
    const digits = [number, day].map((part) => String(part).padStart(2, "0"));
    const dayMs = ofYear ? dayOfYearMs(fullYear(Number(year)), Number(ofYear)) : isoMs([year, ...digits].join("-"));
    if (second !== "") return epochMs(plain.replaceAll("-", ":"));
    return dayMs + Math.round(Number(fraction) * DAY_MS) + (rest === "" ? 0 : ofDayMs(rest));
  }
  return Number.NaN;
}

/** A date as C writes it, `Mon Jun 15 00:00:00 CEST 2026`, without the day of the week, and with the clock last. */
export function withYearBefore(text: string): string {
  return text.replace(WEEKDAY, "").replace(YEAR_BEHIND, "$1 $3 $2");
}

const UTC_BEHIND = /\s*(?:UTC|GMT)(?:([+-])(\d{1,2})(?::?(\d\d))?)?$/;
const HALF_DAY = /^(\d{1,2})((?::?\d\d){0,2}(?:[.,]\d+)?)\s*([ap])(?:\.?\s?m)?\.?$/i;

/** `UTC` or `UTC+2` after a clock time as ISO 8601. */
function offsetOf(_: string, sign?: string, hours = "", minutes = "00"): string {
  return sign === undefined ? "Z" : `${sign}${hours.padStart(2, "0")}:${minutes}`;
}

/** Parses a time of day, of 24 or of 12 hours, with or without separators, minutes and an offset from UTC. */
function ofDayMs(text: string): number {
  const [, hour = "", minutes = "", half = ""] = HALF_DAY.exec(text) ?? [];
  if (half !== "" && !(Number(hour) >= 1 && Number(hour) <= 12)) return Number.NaN;
  const hours = String((Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0));
  const clock = (half === "" ? text : hours + minutes)
    .replace(UTC_BEHIND, offsetOf)
    .replace(/^\d(?!\d)/, "0$&")
    .replace(/^(\d\d)(?=Z?$)/, "$1:00")
    .replace(/^(\d\d):?(\d\d)(?=\d\d)/, "$1:$2:")
    .replace(/^(\d\d)(?=\d\d)/, "$1:")
    .replace(/:(\d)(?!\d)/g, ":0$1")
    .replace(/ ?([-+]\d\d):?(\d\d)?$/, (_, ahead: string, part = "00") => `${ahead}:${part}`);
  return isoMs(`1970-01-01T${clock}`);
}

/** Months by their names and abbreviations, of which no two languages below use one for different months. */
let monthsByName: ReadonlyMap<string, number> | null = null;

function monthNames(): ReadonlyMap<string, number> {
  const months = new Map(MONTHS.map((name, i) => [name, i + 1]));
  for (const language of ["en", "en-GB", "da", "de", "es", "fi", "fr", "it", "nb", "nl", "pt", "sv"])
    for (const length of ["long", "short"] as const)
      for (const date of [{ month: length }, { month: length, day: "numeric" }] as const) {
        const format = new Intl.DateTimeFormat(language, { ...date, timeZone: "UTC" });
        for (const [i] of MONTHS.entries()) {
          const part = format.formatToParts(Date.UTC(2026, i, 15)).find(({ type }) => type === "month")?.value ?? "";
          const name = plainMonth(part);
          if (/^\p{L}+$/u.test(name)) months.set(name, i + 1);
        }
      }
  return months;
}

function plainMonth(text: string): string {
  return text.trim().toLowerCase().replace(/\.$/, "");
}

/** The number of a month by its name in a language of Western Europe; 0 for other texts. */
export function monthNamed(text: string): number {
  return (monthsByName ??= monthNames()).get(plainMonth(text)) ?? 0;
}

function isoMs(text: string): number {
  const isEndOfDay = /T24:00(:00([.,]0+)?)?(?!\d|[:.,])/.test(text);
  // `parseUtc` truncates what follows the milliseconds.
  const roundingMs = /[.,]\d{3}[5-9]/.test(text) ? 1 : 0;
  const ms = parseUtc(isEndOfDay ? text.replace("T24", "T00") : text) ?? Number.NaN;
  return ms + roundingMs + (isEndOfDay ? DAY_MS : 0);
}

const EPOCH = /^(\d{4}|\d{2}):(\d{3}):(\d{1,5})$/;

/**
 * Parses `YYYY:DDD:SSSSS` (SINEX 2.00) or `YY:DDD:SSSSS` (earlier, see `fullYear`), in the time scale of the file. Second
 * 86400 is the end of the day. NaN for any other text.
 */
export function epochMs(text: string): number {
  const [, yearText = "", dayText, secondText] = EPOCH.exec(text) ?? [];
  const [year, day, second] = [Number(yearText), Number(dayText), Number(secondText)];
  if (yearText === "" || !(day >= 1 && day <= 366 && second <= 86_400)) return Number.NaN;
  return dayOfYearMs(yearText.length === 4 ? year : fullYear(year), day) + second * 1_000;
}

/** Completes a year of two digits: 51 to 99 are 1951 to 1999, as in SINEX; longer years are unchanged. */
export function fullYear(year: number): number {
  return year >= 100 ? year : year + (year > 50 ? 1_900 : 2_000);
}

/** Returns the start of a day, from 1, of a year of four digits; NaN if there is no such day. */
export function dayOfYearMs(year: number, day: number): number {
  // `Date.UTC` interprets years below 100 as 1900 to 1999.
  if (!Number.isInteger(year) || !Number.isInteger(day) || year < 1_000 || year > 9_998) return Number.NaN;
  const dayMs = Date.UTC(year, 0, 1) + (day - 1) * DAY_MS;
  return day >= 1 && dayMs < Date.UTC(year + 1, 0, 1) ? dayMs : Number.NaN;
}
