import { quotedName } from "../notes.ts";
import { dateOrder, momentIn } from "./moment.ts";
import { scaleNamed } from "./scale.ts";
import { unitOfTimeMs } from "./units.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time/utc.ts";

export type Counting = Exclude<ReturnType<typeof readTimeUnits>, string>;

const SINCE = /^\s*([a-zµμ]+)\s+since\s+(.+?)\s*$/i;

export function isTimeUnits(units: string | null): units is string {
  return units !== null && SINCE.test(units);
}

/** What a heading or a unit says that numbers count: `s since 1904` of `Timestamp (s since 1904)`; null without it. */
export function countIn(text: string): string | null {
  const [, count = null] = /(?:^|[([])\s*([a-zµμ]+ since [^)\]]+)/i.exec(text) ?? [];
  return count?.replace(/(?<=since )\d{4}$/, "$&-01-01") ?? null;
}

/** The time scale at the end of units: `seconds since 1980-01-06 00:00:00 GPS`. */
const SCALE = /[\s(](UTC|GMT|GPST?|TAI|BDT|GST)\)?\s*$/i;

/**
 * Parses time units by CF-1.8: any unit of fixed length, any reference date with time and zone, and Gregorian
 * calendars. By CF, the standard calendar is Julian before 1582-10-15.
 * @returns the reason why it is impossible, as a sentence that continues after the name of the time
 */
export function readTimeUnits(units: string, calendar: string | null) {
  const [, unit = "", reference = ""] = SINCE.exec(units) ?? [];
  const unitMs = unitOfTimeMs(unit);
  if (unitMs === null)
    return `counts in ${quotedName(unit)}, which has no fixed length (of days or seconds it would have)`;
  const name = (calendar ?? "standard").trim().toLowerCase();
  if (!["standard", "gregorian", "proleptic_gregorian", "utc"].includes(name))
    return `follows the calendar ${quotedName(name)}, in which moments have no UTC`;
  // Nor is it one for COARDS, where it means the climate of any year, nor for MATLAB, which counts from the day before.
  if (name !== "proleptic_gregorian" && /^[+-]?0{1,4}-/.test(reference.trim()))
    return "counts from the year 0, which the standard calendar does not have (write another start)";
  const referenceMs = readReference(reference.replace(SCALE, ""), name !== "proleptic_gregorian");
  if (referenceMs === null) return `counts from ${quotedName(reference)}, which is not a readable date`;
  return { unitMs, referenceMs };
}

/** Converts a number to integer UTC milliseconds; NaN if not representable. */
export function momentMs(value: number, { unitMs, referenceMs }: Counting): number {
  const ms = Math.round(value * unitMs + referenceMs);
  return Math.abs(ms) <= MAX_DATE_MS ? ms : Number.NaN;
}

const MAX_DATE_MS = 8.64e15;

/** An offset without a sign is invalid for cftime and valid for UDUNITS: accepted only if it is zero. */
const REFERENCE =
  /^([+-]?\d{1,4})-(\d{1,2})(?:-(\d{1,2}))?(?:[Tt\s]\s*(\d{1,2})(?::(\d{1,2})(?::(\d{1,2}(?:\.\d*)?))?)?)?(?:\s*(Z|[+-]\d{1,2}(?::?\d{2})?)|\s+0{1,2}(?::?00)?)?$/i;
/** 1582-10-15, the first day of the Gregorian calendar. */
const GREGORIAN_FROM_MS = Date.UTC(1582, 9, 15);

function readReference(given: string, isMixed: boolean): number | null {
  const text = given.replaceAll(/,\s*/g, " ").trim();
  const [, one, other] = /^(\d{1,2})[-./](\d{1,2})[-./]\d{4}\b/.exec(text) ?? [];
  const match = one === undefined ? REFERENCE.exec(text) : null;
  if (match === null) {
    const order = one !== undefined && one === other ? "dayFirst" : dateOrder([text]);
    const ms = order === null ? Number.NaN : momentIn(order, text);
    return Number.isNaN(ms) ? null : ms;
  }
  const [, year, month, day = 1, hour = 0, minute = 0, second = 0, zone = "Z"] = match;
  const dayMs = dayStartMs(Number(year), Number(month), Number(day), isMixed);
  if (dayMs === null || Number(hour) > 24 || Number(minute) > 59 || Number(second) >= 61) return null;
  const ofDayMs = Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS + Math.round(Number(second) * SECOND_MS);
  const scale = scaleNamed(zone);
  return scale === null || scale === "other" ? null : scale.toUtc(dayMs + ofDayMs);
}

function dayStartMs(year: number, month: number, day: number, isMixed: boolean): number | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isMixed || date.getTime() >= GREGORIAN_FROM_MS) return isReal ? date.getTime() : null;
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 ? julianDayStartMs(year, month, day) : null;
}

/** Converts a Julian calendar date by its Julian day (Meeus, Astronomical Algorithms, chapter 7). */
function julianDayStartMs(year: number, month: number, day: number): number {
  const [y, m] = month > 2 ? [year, month] : [year - 1, month + 12];
  const julianDay = Math.floor(365.25 * (y + 4716)) + Math.floor(30.6001 * (m + 1)) + day - 1524.5;
  return (julianDay - 2_440_587.5) * DAY_MS;
}
