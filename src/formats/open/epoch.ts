import { gpsToUtc } from "#shared/time/gpsTime.ts";
import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";

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

/** A time scale without leap seconds. */
interface ContinuousTimeScale {
  readonly name: string;
  toUtc(ms: UtcMs): UtcMs;
}

/** GPS time minus the time of a scale, seconds. Galileo and QZSS keep GPS time to well below a microsecond. */
const SCALES: readonly (readonly [names: RegExp, name: string, behindGps: number])[] = [
  [/^(G|GPST?|GPS[ _-]?(TIME|SYSTEM)?)$/i, "GPS time", 0],
  [/^(E|GAL(ILEO)?|GST)([ _-]?TIME)?$/i, "Galileo time", 0],
  [/^(J|QZS+T?)([ _-]?TIME)?$/i, "QZSS time", 0],
  [/^(C|BDS?T?|BEIDOU)([ _-]?TIME)?$/i, "BeiDou time", 14],
  [/^TAI$/i, "TAI", -19],
];

/** Finds a time scale by its name, or by the letter of its satellite system as in SINEX; null for UTC and other names. */
export function timeScaleNamed(text: string): ContinuousTimeScale | null {
  const [, name, behindGps] = SCALES.find(([names]) => names.test(text)) ?? [];
  if (name === undefined || behindGps === undefined) return null;
  return { name, toUtc: (ms) => gpsToUtc(ms + behindGps * 1_000) };
}
