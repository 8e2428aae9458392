import { failure, success } from "#shared/service/error.ts";
import { LIMITS } from "#shared/service/query.ts";
import { isVariable, type Variable, VARIABLE_NAMES } from "#shared/service/variables.ts";
import { monthOf, type TimeRange } from "#shared/time/range.ts";
import { whyNoMoment } from "#shared/time/noMoment.ts";
import { endsOf, parseMoment as parseTypedMoment, parseTypedRange } from "#shared/time/typed.ts";
import { DAY_MS, MINUTE_MS, parseUtc, type UtcMs } from "#shared/time/utc.ts";
import type { Parsed } from "../command.ts";

const SECONDS_OF: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3_600, d: 86_400, w: 604_800 };
const DURATION = /^(\d{1,9})(s|m|min|h|d|w)$/i;
const BARE_NUMBER = /^\d+$/;

/** Parses `900s`, `15m`, `1h`, `7d` or `2w` to seconds. A number without a unit is rejected, because users type 7 for seven days. */
export function parseDuration(text: string): Parsed<number> {
  const match = DURATION.exec(text.trim());
  const seconds = match ? Number(match[1]) * SECONDS_OF[match[2]!.toLowerCase()]! : 0;
  if (seconds > 0) return success(seconds);
  const what = BARE_NUMBER.test(text.trim()) ? "has no unit" : "is not a duration";
  return failure(`“${text}” ${what}. Write for example 30s, 15m, 6h or 7d.`);
}

/** Parses an averaging interval to seconds; the service requires at least 30. */
export function parseInterval(text: string): Parsed<number> {
  const seconds = parseDuration(text);
  if (!seconds.ok || seconds.value >= LIMITS.intervalSeconds.min) return seconds;
  return failure(`An interval has at least ${LIMITS.intervalSeconds.min} seconds; “${text}” is shorter.`);
}

/**
 * @param nowMs reference for `now`, `today` and `-7d`
 * @param startMs start of the range, the reference for `+12h` as its end
 */
export function parseMoment(text: string, nowMs: UtcMs, startMs: UtcMs | null = null): Parsed<UtcMs> {
  const moment = parseTypedMoment(text, nowMs, startMs);
  if (moment !== null) return success(moment);
  return failure(`“${text}” is not a time in UTC. ${whyNoMoment(text)}`);
}

/** A parser of numbers in a range, with or without a unit. */
export function numberIn(
  min: number,
  max: number,
  { isWhole = false, unit = "" } = {},
): (text: string) => Parsed<number> {
  return (text) => {
    const digits = text.trim().replace(new RegExp(` ?${unit}$`, "i"), "");
    const value = digits === "" ? Number.NaN : Number(digits);
    if (value >= min && value <= max && (!isWhole || Number.isInteger(value))) return success(value);
    const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
    return failure(`“${text}” is not a ${isWhole ? "whole number" : "number"} ${range}.`);
  };
}

/** Parses `ztd,pwv` to variables without duplicates. */
export function parseVariables(text: string): Parsed<Variable[]> {
  const names = text
    .split(",")
    .map((n) => n.trim().toLowerCase())
    .filter((n) => n !== "");
  const unknown = names.find((n) => !isVariable(n));
  if (unknown !== undefined) return failure(`“${unknown}” is not a variable. Available: ${VARIABLE_NAMES.join(", ")}.`);
  if (names.length === 0) return failure(`Name at least one variable: ${VARIABLE_NAMES.join(", ")}.`);
  return success([...new Set(names.filter(isVariable))]);
}

/** A typed time range: one of `last`, `month`, `day`, or `from` with or without `to`. */
export interface RangeWords {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly last?: string | undefined;
  readonly month?: string | undefined;
  readonly day?: string | undefined;
}

const RANGE_HINT = "Give the time range: --from and --to, --last 7d, --month 2026-10 or --day 2026-10-05 (all UTC).";

/** Parses a half-open range. `--last`, and `--from` without `--to`, end at `nowMs`. */
export function parseRange(words: RangeWords, nowMs: UtcMs): Parsed<TimeRange> {
  const ways = [words.last, words.month, words.day, words.from ?? words.to].filter((w) => w !== undefined);
  if (ways.length === 0) return failure(RANGE_HINT);
  if (ways.length > 1) return failure(`The time range was given more than once. ${RANGE_HINT}`);
  if (words.last !== undefined) return lastRange(words.last, nowMs);
  if (words.month !== undefined) return monthRange(words.month);
  if (words.day !== undefined) return dayRange(words.day);
  if (words.from === undefined) return failure(`--to needs a --from. ${RANGE_HINT}`);
  const ends = (words.to === undefined ? endsOf(words.from, nowMs) : null) ?? {
    start: words.from,
    end: words.to ?? "now",
  };
  const typed = parseTypedRange(ends.start, ends.end, nowMs);
  if (typed.ok) return success(typed.range);
  const start = parseMoment(ends.start, nowMs);
  if (!start.ok) return start;
  const end = parseMoment(ends.end, nowMs, start.value);
  return end.ok ? failure("The range is empty: --to has to be after --from.") : end;
}

/** Ranges up to now end at a whole minute, to avoid tiny extents in the cache. */
function wholeMinute(nowMs: UtcMs): UtcMs {
  return Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
}

function lastRange(text: string, nowMs: UtcMs): Parsed<TimeRange> {
  const length = parseDuration(text);
  if (!length.ok) return length;
  const endMs = wholeMinute(nowMs);
  const startMs = endMs - length.value * 1000;
  return startMs > 0 ? success({ startMs, endMs }) : failure(`“${text}” reaches back further than 1970.`);
}

function monthRange(text: string): Parsed<TimeRange> {
  const startMs = /^\d{4}-\d{2}$/.test(text) ? parseUtc(`${text}-01`) : null;
  if (startMs === null) return failure(`“${text}” is not a month. Write for example 2026-10.`);
  return success(monthOf(startMs));
}

function dayRange(text: string): Parsed<TimeRange> {
  const startMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseUtc(text) : null;
  if (startMs === null) return failure(`“${text}” is not a day. Write for example 2026-10-05.`);
  return success({ startMs, endMs: startMs + DAY_MS });
}
