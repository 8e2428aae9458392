import { defined } from "../defined.ts";

/** Satellites of some rows: row i has the entries from `offsets[i]` up to `offsets[i + 1]`. */
export interface SatelliteNumbers {
  /** UTC, ascending. */
  readonly timesMs: Float64Array;
  /** One longer than `timesMs`. */
  readonly offsets: Uint32Array;
  /** Distinct identifiers in order of first occurrence. */
  readonly prns: readonly string[];
  /** Index into `prns` of each entry. */
  readonly prn: Uint32Array;
  /** Degrees for each entry; NaN: no value. */
  readonly elevationDeg: Float64Array;
  /** Degrees clockwise from north for each entry; NaN: no value. */
  readonly azimuthDeg: Float64Array;
  /** C/N0 in dB-Hz for each entry, one array per band of the registry so far. */
  readonly cn0DbHz: readonly Float64Array[];
}

/** Returns the time of each entry, for tables with a row per satellite. */
export function timesOfEntries({ timesMs, offsets }: Pick<SatelliteNumbers, "timesMs" | "offsets">): Float64Array {
  const times = new Float64Array(offsets.at(-1) ?? 0);
  for (const [row, timeMs] of timesMs.entries()) times.fill(timeMs, offsets[row], offsets[row + 1]);
  return times;
}

/** Result for a text that is neither a number nor a notation for "no value". */
export const UNREADABLE = Symbol("unreadable");

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const ABSENT = /^(?:|-|nan|null|none|n\/a)$/i;

/** Parses a number; NaN for notations of "no value". */
export function parseValue(text: string): number | typeof UNREADABLE {
  const plain = plainDecimal(text);
  if (plain >= 0) return plain;
  const token = text.trim();
  if (DECIMAL.test(token)) {
    const value = Number(token);
    return Number.isFinite(value) ? value : UNREADABLE;
  }
  return ABSENT.test(token) ? Number.NaN : UNREADABLE;
}

/**
 * Parses a plain decimal of up to 15 characters, the usual case: digits divided by a power of ten, both exact, so that
 * the quotient equals the result of `Number`. -1 for any other text.
 */
function plainDecimal(text: string): number {
  if (text.length < 1 || text.length > 15) return -1;
  let digits = 0;
  let scale = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) {
      digits = digits * 10 + code - 48;
      scale *= 10;
    } else if (code === 46 && scale === 0 && i > 0) {
      scale = 1;
    } else {
      return -1;
    }
  }
  return scale === 0 ? digits : digits / scale;
}

/** Splits a text at commas. If there is one item too many, a comma at the end is a terminator. */
export function cutItems(text: string | null, expected: number | null = null): string[] {
  if (!text || text.trim() === "") return [];
  const items = text.split(",");
  const surplus = expected === null || items.length === expected + 1;
  if (surplus && items.length > 1 && defined(items.at(-1)).trim() === "") items.pop();
  return items;
}
