import { count, decimal, many, shortCount } from "#shared/text.ts";
import { formatUtcShort, type UtcMs } from "#shared/time/utc.ts";

// Numbers, times and sizes as the window writes them: thousands apart, units said, UTC named.

export { count, decimal, many, shortCount };

const SIZES = ["B", "kB", "MB", "GB", "TB"] as const;

/** "412 MB" */
export function bytes(n: number): string {
  const power = n < 1000 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log10(n) / 3));
  const value = n / 1000 ** power;
  return `${value >= 100 || power === 0 ? value.toFixed(0) : value.toFixed(1)} ${SIZES[power]}`;
}

/** "about" is the caller's word: "38 s", "4 min", "2 h 10 min", "3 d 4 h" */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${count(days)} d` : `${count(days)} d ${hours % 24} h`;
}

/** "2 min ago", "just now" */
export function ago(momentMs: UtcMs, nowMs: UtcMs): string {
  const seconds = (nowMs - momentMs) / 1000;
  return seconds < 45 ? "just now" : `${duration(seconds)} ago`;
}

/** "2026-11-14 08:12:30", in UTC; the caller says the zone once for many. */
export function utc(momentMs: UtcMs): string {
  return formatUtcShort(momentMs).replace("T", " ").replace("Z", "");
}

/** "2026-11-14 08:12" */
export function utcMinutes(momentMs: UtcMs): string {
  return new Date(momentMs).toISOString().slice(0, 16).replace("T", " ");
}

const LOCAL = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** The same moment on the clock of this computer, as a hint. */
export function local(momentMs: UtcMs): string {
  return LOCAL.format(momentMs);
}

const CLOCK = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

/** "08:12:30" on the clock of this computer, beside a time in UTC that says the day; null where it is the same then. */
export function localClock(momentMs: UtcMs): string | null {
  // Of that moment: some clocks show UTC for half of the year.
  return new Date(momentMs).getTimezoneOffset() === 0 ? null : CLOCK.format(momentMs);
}
