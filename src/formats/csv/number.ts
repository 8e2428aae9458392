import { PRECISE_MAX, PRECISE_MIN, writePrecise } from "./precise.ts";

const TENS = [1, 10, 100, 1_000, 10_000];
/** Below this the integer part fits 32 bits and a scaled value stays far below 15 digits. */
const FAST_LIMIT = 1e9;
const ZERO = 48;

/** Longest text that `writeNumber` makes: `-1.2345678901234567e-300` and one to spare. */
export const MAX_NUMBER_BYTES = 25;

/**
 * Writes the shortest text that reads back as the same double, identical to `String(value)`, and returns the position
 * after it. `value` must be finite.
 *
 * Where value × 10^d rounded and divided by 10^d again is the value itself, the decimal with d digits reads back as the
 * value; and since no two decimals of at most 15 digits are the same double, it is the shortest one, too.
 */
export function writeNumber(out: Uint8Array, at: number, value: number): number {
  const magnitude = Math.abs(value);
  if (magnitude < FAST_LIMIT) {
    const start = value < 0 ? at + 1 : at;
    const decimals = fewDecimals(magnitude);
    const end = decimals >= 0 ? writeDecimal(out, start, magnitude, decimals) : writeLong(out, start, magnitude);
    if (value < 0) out[at] = 45; // -
    if (end >= 0) return end;
  }
  const text = String(value);
  for (let i = 0; i < text.length; i++) out[at++] = text.charCodeAt(i);
  return at;
}

/** The least number of decimals, up to 4, that is this value; -1 where it has more. Tenths are asked first. */
function fewDecimals(magnitude: number): number {
  if (Math.round(magnitude * 10) / 10 === magnitude) return Math.floor(magnitude) === magnitude ? 0 : 1;
  if (Math.round(magnitude * 10_000) / 10_000 !== magnitude) return -1;
  if (Math.round(magnitude * 100) / 100 === magnitude) return 2;
  return Math.round(magnitude * 1_000) / 1_000 === magnitude ? 3 : 4;
}

function writeDecimal(out: Uint8Array, at: number, magnitude: number, decimals: number): number {
  const whole = Math.floor(magnitude);
  const end = writeDigits(out, at, whole);
  if (decimals === 0) return end;
  const ten = TENS[decimals]!;
  return writeFraction(out, end, Math.round(magnitude * ten) - whole * ten, decimals);
}

function writeLong(out: Uint8Array, at: number, magnitude: number): number {
  return magnitude >= PRECISE_MIN && magnitude < PRECISE_MAX ? writePrecise(out, at, magnitude) : -1;
}

/** A whole number below 2^31. */
function writeDigits(out: Uint8Array, at: number, whole: number): number {
  let rest = whole | 0;
  let end = at + 1;
  for (let bound = 10; rest >= bound; bound *= 10) end++;
  for (let i = end - 1; i >= at; i--) {
    const next = (rest / 10) | 0;
    out[i] = ZERO + rest - next * 10;
    rest = next;
  }
  return end;
}

function writeFraction(out: Uint8Array, at: number, fraction: number, decimals: number): number {
  out[at++] = 46; // .
  let rest = fraction | 0;
  for (let i = at + decimals - 1; i >= at; i--) {
    const next = (rest / 10) | 0;
    out[i] = ZERO + rest - next * 10;
    rest = next;
  }
  return at + decimals;
}
