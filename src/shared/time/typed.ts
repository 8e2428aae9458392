import { GPS_START_MS, gpsToUtc } from "./gpsTime.ts";
import { daysInMonth, MONTHS, whyNoMoment } from "./noMoment.ts";
import { isEmpty, timeRange, type TimeRange } from "./range.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, parseUtc, SECOND_MS, startOfDay, type UtcMs } from "./utc.ts";

// Parser of times typed in the window and on the command line, always UTC.

/** A day, week, month or year. */
interface Period extends TimeRange {
  /** Whether it depends on the clock: `today`, `last month`. */
  readonly isMoving: boolean;
}

/** Both ends as typed; at least one depends on the clock. */
export interface MovingRange {
  readonly start: string;
  readonly end: string;
}

type TypedRange =
  | { readonly ok: true; readonly range: TimeRange; readonly moving: MovingRange | null }
  | { readonly ok: false; readonly edge: "start" | "end"; readonly problem: string };

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(s|sec|seconds?)$/, SECOND_MS],
  [/^(m|min|minutes?)$/, MINUTE_MS],
  [/^(h|hours?)$/, HOUR_MS],
  [/^(d|days?)$/, DAY_MS],
  [/^(w|weeks?)$/, 7 * DAY_MS],
];
/** Units of the calendar, in months. */
const CALENDAR_UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(mo|months?)$/, 1],
  [/^(y|yr|years?)$/, 12],
];

/**
 * Parses a moment in UTC: `2026-11-14 08:00`, `2026-11-14`, `2026-11`, `2026`, `2026-325` (day of year), `GPS 2446/5`
 * (GPS week and day), `now`, `today`, `monday` (the last one), `this month`, `now-7d`, `-7d` or `7 days ago`, `+12h` (after
 * `startMs` if given, else after now), `11-14` or `11-14 08:00`, as the window shows dates of the year, and
 * `14 Nov 2026, 08:00` or `14.11.2026`.
 * Months and years of an offset are those of the calendar: `now-1y` is the same date a year ago. A day, month or year
 * means its start. Slashes and dots are accepted instead of hyphens.
 *
 * @returns null for any other text
 */
export function parseMoment(text: string, nowMs: UtcMs, startMs: UtcMs | null = null): UtcMs | null {
  const plain = withYear(normalized(text), nowMs);
  if (plain === "now") return nowMs;
  return offset(plain, nowMs, startMs) ?? parsePeriod(plain, nowMs)?.startMs ?? timeOfDay(plain);
}

/**
 * Parses both ends of a range. The end is exclusive. If it is empty, a day, week, month or year as the start means the
 * whole period, and any other start means until now. A range that depends on the clock never ends after now, rounded down
 * to minutes.
 */
export function parseTypedRange(start: string, end: string, nowMs: UtcMs): TypedRange {
  const now = wholeMinute(nowMs);
  const startMs = parseMoment(start, now);
  if (startMs === null) return { ok: false, edge: "start", problem: whyNoMoment(normalized(start)) };
  const period = end.trim() === "" ? parsePeriod(withYear(normalized(start), now), now) : null;
  const endMs = period
    ? period.isMoving
      ? Math.min(period.endMs, now)
      : period.endMs
    : parseMoment(end.trim() === "" ? "now" : end, now, startMs);
  if (endMs === null) return { ok: false, edge: "end", problem: whyNoMoment(normalized(end)) };
  const isMoving = dependsOnClock(start) || (!period && dependsOnClock(end.trim() === "" ? "now" : end));
  // At the very start of a day, "today" would be empty.
  const range = timeRange(startMs, isMoving && endMs === startMs && endMs === now ? endMs + MINUTE_MS : endMs);
  if (isEmpty(range))
    return { ok: false, edge: "end", problem: "The end must be after the start: it does not belong to the range." };
  return { ok: true, range, moving: isMoving ? { start: start.trim(), end: end.trim() } : null };
}

const BETWEEN_ENDS = [/\s*(?:→|->|–|—|\.\.|\t|\n|\bto\b)\s*/i, / - /, /(?<=.{7})\/(?=.{7})/];

const TIME_ALONE = /^\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: UTC)?$/;

/**
 * Splits a text with a whole range, such as `2026-11-14 08:00 → 11-15 09:00 UTC` or `Last 7 days` (the formats of the
 * window) or the ISO interval `2026-11-14/2026-11-15`; returns null for other texts, including a single moment.
 */
export function endsOf(text: string, nowMs: UtcMs): MovingRange | null {
  const plain = text.trim();
  if (parseMoment(plain, nowMs) !== null) return null;
  const preset = PRESETS.find(({ title }) => title.toLowerCase() === plain.toLowerCase());
  if (preset) return { start: preset.start, end: preset.end };
  for (const between of BETWEEN_ENDS) {
    const [start = "", rest = "", ...more] = plain.split(between);
    if (rest === "" || more.length > 0) continue;
    // The window omits the year of the end if both years are equal, and its date if both days are.
    const [date = ""] = start.split(" ");
    const end = TIME_ALONE.test(rest) ? `${date} ${rest}` : rest;
    if (/^\d\d-\d\d(?: |$)/.test(end) && /^\d{4}-/.test(start)) {
      const dated = `${start.slice(0, 4)}-${end}`;
      if (parseTypedRange(start, dated, nowMs).ok) return { start, end: dated };
    }
    if (parseTypedRange(start, end, nowMs).ok) return { start, end };
  }
  return null;
}

/** Resolves a moving range at a given time; null if its texts are invalid. */
export function resolveMovingRange({ start, end }: MovingRange, nowMs: UtcMs): TimeRange | null {
  const typed = parseTypedRange(start, end, nowMs);
  return typed.ok && typed.moving ? typed.range : null;
}

function normalized(text: string): string {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/\s*utc$/, "")
    .replaceAll(/\s+/g, " ")
    .replace(/^(\d[\d.]* ?[a-z]+) ago$/, "-$1");
  return yearFirst(plain);
}

/** Turns `sunday 14 nov 2026, 08:00`, `14.11.2026 08:00` and `november 2026` around. Other texts stay. */
function yearFirst(text: string): string {
  const [, dottedDay, dottedMonth, dottedYear = "", afterDots = ""] =
    /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d),?(.*)$/.exec(text) ?? [];
  if (dottedDay !== undefined) return `${dottedYear}-${two(dottedMonth)}-${two(dottedDay)}${afterDots}`;
  const [, day, name = "", year, rest = ""] =
    /^(?:[a-z]+day,? )?(?:(\d{1,2}) )?([a-z]{3,9})\.? (\d{4})(?!\d),?(.*)$/.exec(text) ?? [];
  const month = MONTHS.findIndex((full) => full.toLowerCase().startsWith(name));
  if (year === undefined || month < 0) return text;
  return `${year}-${two(String(month + 1))}${day === undefined ? "" : `-${two(day)}`}${rest}`;
}

/** Adds the year to `11-14`: the last one in which the day is not in the future. */
function withYear(text: string, nowMs: UtcMs): string {
  if (!/^\d\d-\d\d(?: |t|$)/.test(text)) return text;
  const year = new Date(nowMs).getUTCFullYear();
  const isFuture = (parsePeriod(`${year}-${text.slice(0, 5)}`, nowMs)?.startMs ?? 0) > nowMs;
  return `${isFuture ? year - 1 : year}-${text}`;
}

function dependsOnClock(text: string): boolean {
  const plain = normalized(text);
  // `+12h` alone counts from the start of the range.
  return plain === "now" || /^(now ?[+-]|-)/.test(plain) || parsePeriod(plain, 0)?.isMoving === true;
}

function wholeMinute(nowMs: UtcMs): UtcMs {
  return Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
}

function offset(text: string, nowMs: UtcMs, startMs: UtcMs | null): UtcMs | null {
  const [, now, sign, digits, word = ""] = /^(now)? ?([+-]) ?(\d{1,6}(?:\.\d{1,3})?) ?([a-z]+)$/.exec(text) ?? [];
  const amount = Number(digits) * (sign === "-" ? -1 : 1);
  const fromMs = sign === "-" || now !== undefined ? nowMs : (startMs ?? nowMs);
  const unitMs = UNITS.find(([names]) => names.test(word))?.[1];
  if (unitMs !== undefined) return bridgeMoment(fromMs + Math.round(amount * unitMs));
  const unitMonths = CALENDAR_UNITS.find(([names]) => names.test(word))?.[1];
  const months = amount * (unitMonths ?? Number.NaN);
  // A part of a month has no certain length.
  return Number.isInteger(months) ? bridgeMoment(addMonths(fromMs, months)) : null;
}

/** @param text in lower case, with single spaces */
function parsePeriod(text: string, nowMs: UtcMs): Period | null {
  return namedPeriod(text, nowMs) ?? gpsPeriod(text) ?? dayOfYear(text) ?? calendarPeriod(text);
}

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

function namedPeriod(text: string, nowMs: UtcMs): Period | null {
  const today = startOfDay(nowMs);
  if (text === "today") return { startMs: today, endMs: today + DAY_MS, isMoving: true };
  if (text === "yesterday") return { startMs: today - DAY_MS, endMs: today, isMoving: true };
  const weekday = WEEKDAYS.indexOf(text.replace(/^last /, ""));
  if (weekday >= 0) {
    const startMs = today - ((new Date(today).getUTCDay() - weekday + 7) % 7) * DAY_MS;
    return { startMs, endMs: startMs + DAY_MS, isMoving: true };
  }
  const [, which, unit] = /^(this|last) (month|year)$/.exec(text) ?? [];
  if (unit === undefined) return null;
  const now = new Date(nowMs);
  const length = unit === "month" ? 1 : 12;
  const first = Date.UTC(now.getUTCFullYear(), unit === "month" ? now.getUTCMonth() : 0, 1);
  const startMs = which === "this" ? first : addMonths(first, -length);
  return { startMs, endMs: addMonths(startMs, length), isMoving: true };
}

/** `gps 2446` is a week starting on Sunday, `gps 2446/5` its Friday; both begin at midnight of GPS time. */
function gpsPeriod(text: string): Period | null {
  const [, week, day] = /^gps ?(?:week )?(\d{1,5})(?:[/.: ]([0-6]))?$/.exec(text) ?? [];
  if (week === undefined) return null;
  const startMs = GPS_START_MS + (Number(week) * 7 + Number(day ?? 0)) * DAY_MS;
  const endMs = startMs + (day === undefined ? 7 : 1) * DAY_MS;
  return { startMs: gpsToUtc(startMs), endMs: gpsToUtc(endMs), isMoving: false };
}

/** `2026-325`: the ordinal date of ISO 8601. */
function dayOfYear(text: string): Period | null {
  const [, year, day] = /^(\d{4})[-/.](\d{3})$/.exec(text) ?? [];
  if (year === undefined) return null;
  const first = parseUtc(`${year}-01-01`);
  if (first === null || Number(day) < 1) return null;
  const startMs = first + (Number(day) - 1) * DAY_MS;
  return startMs < addMonths(first, 12) ? { startMs, endMs: startMs + DAY_MS, isMoving: false } : null;
}

function calendarPeriod(text: string): Period | null {
  const [, year, month, day] = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?$/.exec(text) ?? [];
  if (year === undefined) return null;
  const startMs = parseUtc(`${year}-${two(month ?? "1")}-${two(day ?? "1")}`);
  if (startMs === null) return null;
  const endMs = day === undefined ? addMonths(startMs, month === undefined ? 12 : 1) : startMs + DAY_MS;
  return bridgeMoment(endMs) === null ? null : { startMs, endMs, isMoving: false };
}

/** Parses a date with a time of day such as "8", "8:05" or "08:05". */
function timeOfDay(text: string): UtcMs | null {
  const [, year, month, day, hour = "", rest = ""] =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})[t ] ?(\d{1,2})(.*)$/.exec(text) ?? [];
  if (year === undefined) return null;
  // The window shows the offset of local times after a space.
  const zoned = rest.replace(/ (?=[+-]\d)/, "");
  const time = `${two(hour)}${zoned.startsWith(":") ? zoned : `:00${zoned}`}`.toUpperCase();
  return parseUtc(`${year}-${two(month)}-${two(day)}T${time}`);
}

function two(digits: string | undefined): string {
  return (digits ?? "").padStart(2, "0");
}

/** Adds months of the calendar; a date that the other month lacks becomes its last day, as 31 January becomes 28 February. */
export function addMonths(moment: UtcMs, months: number): UtcMs {
  const date = new Date(moment);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  date.setUTCDate(Math.min(day, daysInMonth(date.getUTCFullYear(), date.getUTCMonth() + 1)));
  return date.getTime();
}

/** Returns the moment if the bridge accepts it (years 1 to 9999), else null. */
export function bridgeMoment(moment: UtcMs): UtcMs | null {
  return moment >= -62_135_596_800_000 && moment <= 253_402_300_799_999 ? moment : null;
}

interface Preset extends MovingRange {
  readonly title: string;
}

/** Named ranges, which all move with the clock and end no later than now. */
export const PRESETS: readonly Preset[] = [
  { title: "Last 24 hours", start: "now-24h", end: "now" },
  { title: "Last 7 days", start: "now-7d", end: "now" },
  { title: "Last 30 days", start: "now-30d", end: "now" },
  { title: "Last 365 days", start: "now-365d", end: "now" },
  { title: "Today", start: "today", end: "now" },
  { title: "Yesterday", start: "yesterday", end: "today" },
  { title: "This month", start: "this month", end: "now" },
  { title: "Last month", start: "last month", end: "this month" },
  { title: "This year", start: "this year", end: "now" },
];

/** Formats a moving range: "Last 7 days", or both ends as typed. */
export function movingText(moving: MovingRange): string {
  const preset = PRESETS.find(({ start, end }) => start === moving.start && end === moving.end);
  if (preset) return preset.title;
  return moving.end === "" ? moving.start : `${moving.start} → ${moving.end}`;
}
