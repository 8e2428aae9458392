import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time/utc.ts";

const UNIT_MS: readonly (readonly [RegExp, number])[] = [
  [/^(ns|nsecs?|nanosecs?|nanoseconds?)$/, 1e-6],
  [/^(us|µs|μs|usecs?|microsecs?|microseconds?)$/, 1e-3],
  [/^(ms|msecs?|millisecs?|milliseconds?)$/, 1],
  [/^(s|secs?|seconds?)$/, SECOND_MS],
  [/^(min|mins|minutes?)$/, MINUTE_MS],
  [/^(h|hrs?|hours?)$/, HOUR_MS],
  [/^(d|days?)$/, DAY_MS],
  [/^(weeks?)$/, 7 * DAY_MS],
];

/** Milliseconds of a unit of time such as `ms` or `0.001 s`; null if it is none, or has no fixed length. */
export function unitOfTimeMs(unit: string): number | null {
  const [, factor = "", name = ""] = /^((?:\d*\.)?\d+(?=\s))?\s*(.*)$/.exec(unit.trim().toLowerCase()) ?? [];
  const unitMs = UNIT_MS.find(([words]) => words.test(name))?.[1];
  return unitMs === undefined ? null : unitMs * Number(factor || 1);
}

/** The format of a time: `dd.mm.yyyy hh:mm`, and words on what it is the time of. */
const FORMAT = /^([ymdhsnjawtf]|(y{2,4}|a{2,4}|j{2,4}|m{2,3}|d{2,3}|t|h{2}|n{2}|s{2,6}|f+|t{2})+)$/i;
const DESCRIPTION =
  /^(start|end|begin\w*|middle|mid|cent(er|re)|mean|average|avg|interval|of|the|at|in|and|or|to|for|from|since|after|past|number|no|clock|date|times?|day|days|week|month|year|years|epoch|iso|decimals?|frac\w*|unix|posix|excel|iso\d*|julian|modified|mjd|jd|doy|sod|tow|sow|matlab|datenum|serial|am|pm|h?ob(s\w*)?|meas\w*|sampl\w*|record\w*|valid|midnight|datum|zeit|aika|kello|station|zone|mess\w*|(time|tm)?stamps?|launch|upload|reading|formatted|str|index|zulu|jan\w*|\d+[a-z]?)$/i;

/** Whether a place of a name is about something else than a zone: the format of the time, its unit, or what it is the time of. */
export function isDescription(text: string): boolean {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return words.every((word) => FORMAT.test(word) || DESCRIPTION.test(word) || unitOfTimeMs(word) !== null);
}
