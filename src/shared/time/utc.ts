/** A moment as integer milliseconds since 1970-01-01T00:00:00Z, without leap seconds. */
export type UtcMs = number;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** The midnight (UTC) at or before a moment. */
export function startOfDay(timeMs: UtcMs): UtcMs {
  return Math.floor(timeMs / DAY_MS) * DAY_MS;
}

/** Hour of the UTC day, 0 to 23, also before 1970. */
export function hourOfDay(timeMs: UtcMs): number {
  return Math.floor((((timeMs % DAY_MS) + DAY_MS) % DAY_MS) / HOUR_MS);
}

/** The years with four digits in ISO 8601; other years are rejected. */
export const FIRST_MOMENT_MS = -62_135_596_800_000; // 0001-01-01
export const LAST_MOMENT_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/**
 * Parses an ISO 8601 date or date-time. Without an offset it is UTC, never local time. A leap second (`:60`, only at the
 * end of a UTC day) becomes the first moment of the next minute, as in POSIX time. Fractions beyond milliseconds are
 * truncated.
 *
 * @returns integer UTC milliseconds, or null if the text is not a valid moment (February 30, hour 25, other text)
 */
export function parseUtc(text: string): UtcMs | null {
  const match = ISO.exec(text);
  if (!match) return null;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone = "Z"] = match;
  const ms = Number(fraction.slice(0, 3).padEnd(3, "0"));
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;
  const local = date.getTime() + Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS + Number(second) * SECOND_MS + ms;
  const offset = offsetMs(zone);
  if (offset === null) return null;
  const moment = local - offset;
  if (Number(second) === 60 && moment % DAY_MS >= SECOND_MS) return null;
  return moment >= FIRST_MOMENT_MS && moment <= LAST_MOMENT_MS ? moment : null;
}

function offsetMs(zone: string): number | null {
  if (zone === "Z" || zone === "z") return 0;
  const digits = zone.slice(1).replace(":", "").padEnd(4, "0");
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2));
  if (hours > 18 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS);
}

/** Formats with milliseconds, like the service: `2026-01-01T00:00:00.000Z`. */
export function formatUtc(moment: UtcMs): string {
  return new Date(moment).toISOString();
}

/** Formats without milliseconds if they are zero: `2026-01-01T00:00:00Z`. */
export function formatUtcShort(moment: UtcMs): string {
  const text = formatUtc(moment);
  return text.endsWith(".000Z") ? `${text.slice(0, -5)}Z` : text;
}
