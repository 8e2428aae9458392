import { bytes, count, decimal, exponential, firstNames, many, shortCount } from "#shared/text.ts";
import { formatUtcShort, MINUTE_MS, type UtcMs } from "#shared/time/utc.ts";

// Formats numbers, times and sizes for the window.

export { bytes, count, decimal, exponential, firstNames, many, shortCount };

/** Formats a duration, rounded: "38 s", "4 min", "2 h 10 min", "3 d 4 h". The caller adds "about". */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${count(days)} d` : `${count(days)} d ${hours % 24} h`;
}

/** Formats a length that is known exactly, with fractions of a second if it is short: "0.25 s". */
export function exactDuration(seconds: number): string {
  return seconds < 90 && !Number.isInteger(seconds) ? `${decimal(seconds, 0, 3)} s` : duration(seconds);
}

/** "flagged" → "Flagged"; a lone letter is a symbol, such as σ. */
export function capitalized(words: string): string {
  return words.replace(/^\p{Ll}(?=\p{Ll})/u, (letter) => letter.toUpperCase());
}

/** Formats the time since a moment: "2 min ago", "just now". */
export function ago(momentMs: UtcMs, nowMs: UtcMs): string {
  const seconds = (nowMs - momentMs) / 1000;
  return seconds < 45 ? "just now" : `${duration(seconds)} ago`;
}

/** Formats a time in UTC: "2026-11-14 08:12:30". The caller names the time zone. */
export function utc(momentMs: UtcMs): string {
  return formatUtcShort(momentMs).replace("T", " ").replace("Z", "");
}

/** `14:05:09` */
export function timeOfDay(momentMs: UtcMs): string {
  return new Date(momentMs).toISOString().slice(11, 19);
}

/** `2026-11-14` */
export function utcDay(momentMs: UtcMs): string {
  return new Date(momentMs).toISOString().slice(0, 10);
}

/** Formats a time in UTC to the minute: "2026-11-14 08:12". */
export function utcMinutes(momentMs: UtcMs): string {
  return new Date(momentMs).toISOString().slice(0, 16).replace("T", " ");
}

/** Formats a time in the computer's time zone, with its offset: "2026-11-14 10:12 +02:00". */
export function local(momentMs: UtcMs): string {
  const minutes = -new Date(momentMs).getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const offset = [hours, rest].map((part) => String(part).padStart(2, "0")).join(":");
  return `${utcMinutes(momentMs + minutes * MINUTE_MS)} ${minutes < 0 ? "-" : "+"}${offset}`;
}

const CLOCK = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

/**
 * Formats a time of day in the computer's time zone: "08:12:30", with the date if it is another one than in UTC; null if
 * it equals UTC.
 */
export function localClock(momentMs: UtcMs): string | null {
  // The offset at that time: some time zones equal UTC for half of the year.
  const offsetMs = new Date(momentMs).getTimezoneOffset() * MINUTE_MS;
  if (offsetMs === 0) return null;
  const [date, here] = [utcDay(momentMs), utcDay(momentMs - offsetMs)];
  return date === here ? CLOCK.format(momentMs) : `${here} ${CLOCK.format(momentMs)}`;
}
