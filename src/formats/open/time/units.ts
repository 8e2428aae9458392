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
