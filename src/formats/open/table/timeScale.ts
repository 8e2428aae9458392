import { HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { timeScaleNamed } from "../epoch.ts";
import { quoted } from "../notes.ts";

/** The time scale or zone of a table's times. */
export interface TimeScale {
  /** Converts a time of the table, in milliseconds. */
  toUtc(ms: number): number;
  /** The end of a note. */
  readonly words: string;
}

const BRACKETED = /[([]([^)\]]*)[)\]]/;
const OFFSET = /^(?:UTC|GMT)?\s*([-+−])(\d{1,2})(?::?(\d\d))?$/i;
/** Fields with an offset of their own. */
const HAS_OFFSET = /(Z|UTC|GMT|[+-]\d\d:?\d\d)$/i;
/** UTC, a format such as `yyyy-mm-dd`, or a unit. */
const NO_SCALE =
  /^((utc?|gmt|z|iso|seconds?|sec|s|hours?|h|minutes?|min|days?|d|doy|years?)\b.*|.*(yy|mm|dd|hh|ss).*|)$/i;

/**
 * Determines the time scale from what the headings of the time columns have in brackets: `time (UTC+1)`, `epoch [GPS]`.
 *
 * @param fields the fields of the first row in these columns
 */
export function timeScale(headings: readonly string[], fields: readonly string[]): TimeScale {
  const named = headings
    .map((heading) => BRACKETED.exec(heading)?.[1]?.trim() ?? "")
    .find((text) => OFFSET.test(text) || !NO_SCALE.test(text));
  if (named === undefined || fields.some((field) => HAS_OFFSET.test(field.trim())))
    return { toUtc: (ms) => ms, words: "times are taken as UTC" };
  const [offset, sign, hours, minutes = "0"] = OFFSET.exec(named) ?? [];
  if (offset !== undefined) {
    const aheadMs = (sign === "+" ? 1 : -1) * (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS);
    return { toUtc: (ms) => ms - aheadMs, words: `times are converted from ${named}` };
  }
  const scale = named.length > 1 ? timeScaleNamed(named) : null;
  if (scale) return { toUtc: scale.toUtc, words: `times are converted from ${scale.name}` };
  return { toUtc: (ms) => ms, words: `times are taken as UTC, although the heading says ${quoted(named)}` };
}
