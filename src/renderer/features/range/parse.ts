import { timeRange, type TimeRange } from "#shared/time/range.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, parseUtc, SECOND_MS, type UtcMs } from "#shared/time/utc.ts";

/** Which end of a range a text stands for: a day or month at the end means up to and with it. */
export type Edge = "start" | "end";

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(s|sec|seconds?)$/, SECOND_MS],
  [/^(m|min|minutes?)$/, MINUTE_MS],
  [/^(h|hours?)$/, HOUR_MS],
  [/^(d|days?)$/, DAY_MS],
  [/^(w|weeks?)$/, 7 * DAY_MS],
  [/^(y|years?)$/, 365 * DAY_MS],
];

/**
 * Reads a moment as people type it, in UTC: `2026-11-14 08:00`, `2026-11-14`, `2026-11`, `2026`, `now`, `today`,
 * `-7d` (before now), `+12h` (after `startMs` where there is one, else after now). Slashes and dots do for hyphens.
 *
 * @returns null where the text is none of these
 */
export function parseMoment(text: string, edge: Edge, nowMs: UtcMs, startMs: UtcMs | null = null): UtcMs | null {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/\s*utc$/, "")
    .trim();
  if (plain === "now") return nowMs;
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  if (plain === "today") return edge === "start" ? today : today + DAY_MS;
  if (plain === "yesterday") return edge === "start" ? today - DAY_MS : today;
  return relative(plain, nowMs, startMs) ?? calendar(plain, edge);
}

function relative(text: string, nowMs: UtcMs, startMs: UtcMs | null): UtcMs | null {
  const [, sign, digits, word = ""] = /^([+-])\s*(\d{1,6}(?:\.\d{1,3})?)\s*([a-z]+)$/.exec(text) ?? [];
  const unitMs = UNITS.find(([names]) => names.test(word))?.[1];
  if (unitMs === undefined) return null;
  const lengthMs = Math.round(Number(digits) * unitMs);
  return within(sign === "-" ? nowMs - lengthMs : (startMs ?? nowMs) + lengthMs);
}

function calendar(text: string, edge: Edge): UtcMs | null {
  const [, year, month, day, rest = ""] =
    /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2})(?:[t\s]\s*(.+))?)?)?$/.exec(text) ?? [];
  if (year === undefined) return null;
  if (rest !== "") return parseUtc(`${year}-${two(month)}-${two(day)}T${clock(rest)}`);
  const first = parseUtc(`${year}-${two(month ?? "1")}-${two(day ?? "1")}`);
  if (first === null || edge === "start") return first;
  if (day !== undefined) return within(first + DAY_MS);
  return within(addMonths(first, month === undefined ? 12 : 1));
}

function two(digits: string | undefined): string {
  return (digits ?? "").padStart(2, "0");
}

/** "8", "8:05" and "08:05" are all times of day. */
function clock(text: string): string {
  const [, hour, rest = ""] = /^(\d{1,2})(.*)$/.exec(text) ?? [];
  if (hour === undefined) return text;
  return `${two(hour)}${rest.startsWith(":") ? rest : `:00${rest}`}`.toUpperCase();
}

/** The same place in a month so many months later; for moments at the start of a month. */
export function addMonths(moment: UtcMs, months: number): UtcMs {
  const date = new Date(moment);
  return date.setUTCMonth(date.getUTCMonth() + months);
}

/** What the bridge takes for a moment; null outside the years 1 to 9999. */
export function within(moment: UtcMs): UtcMs | null {
  return moment >= -62_135_596_800_000 && moment <= 253_402_300_799_999 ? moment : null;
}

export type TypedRange =
  | { readonly ok: true; readonly range: TimeRange }
  | { readonly ok: false; readonly edge: Edge; readonly problem: string };

/** Both ends as typed; where they make no range, which end is at fault, and why. */
export function parseRange(start: string, end: string, nowMs: UtcMs): TypedRange {
  const startMs = parseMoment(start, "start", nowMs);
  if (startMs === null) return { ok: false, edge: "start", problem: NO_MOMENT };
  const endMs = parseMoment(end, "end", nowMs, startMs);
  if (endMs === null) return { ok: false, edge: "end", problem: NO_MOMENT };
  if (endMs <= startMs) return { ok: false, edge: "end", problem: "The end must be after the start." };
  return { ok: true, range: timeRange(startMs, endMs) };
}

const NO_MOMENT = "Type a time like 2026-11-14 08:00, 2026-11, now or -7d.";
