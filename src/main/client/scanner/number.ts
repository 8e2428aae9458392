import type { Cursor } from "./bytes.ts";

const ZERO = 0x30;
const MINUS = 0x2d;
const DOT = 0x2e;

/** What JSON calls a number, and nothing else. */
export const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Powers of ten that a double holds exactly. */
const POWERS = Float64Array.from({ length: 23 }, (_, n) => Number(`1e${n}`));

/** Factor that cuts a double into two halves of 26 bits, whose products are exact (Veltkamp). */
const CUT = 134_217_729;
const POWER_HIGH = POWERS.map((p) => CUT * p - (CUT * p - p));
const POWER_LOW = POWERS.map((p, n) => p - POWER_HIGH[n]!);

/** Integers up to here are doubles without a gap. */
const EXACT = 2 ** 53;
/** Well above the relative error of the correction in `quotient` (2^-52). */
const DOUBT = 2 ** -50;

/** Four times the sign `0`. */
const FOUR_ZEROS = 0x3030_3030;

/**
 * Reads a JSON number, to the bit what `JSON.parse` makes of it.
 *
 * Up to 18 digits without exponent are computed: an integer below 2^53 and a power of ten up to 10^22 are exact, so
 * their quotient is rounded once, which is all that is asked; longer ones see `quotient`. Anything else is read by
 * `Number` from its text.
 *
 * @param bytes ends with a byte that is part of no number
 * @param view the same bytes; at least 4 may be read from the number's end on, whatever they are
 * @param cursor at the first byte of the number; afterwards behind its last one and with its value, or at -1 where there
 *   is no finite number
 */
export function readNumber(bytes: Buffer, view: DataView, cursor: Cursor): void {
  const start = cursor.at;
  let i = start;
  let byte = bytes[i]!;
  const negative = byte === MINUS;
  if (negative) byte = bytes[++i]!;
  // The digits without the point, the first of them in `high`.
  let high = 0;
  let low = 0;
  let highDigits = 0;
  let lowDigits = 0;
  const whole = i;
  if (byte === ZERO) byte = bytes[++i]!;
  else {
    for (let digit = byte - ZERO; digit >= 0 && digit <= 9; digit = byte - ZERO) {
      if (highDigits < 9) {
        high = high * 10 + digit;
        highDigits++;
      } else {
        low = low * 10 + digit;
        lowDigits++;
      }
      byte = bytes[++i]!;
    }
    if (i === whole) return none(cursor);
  }
  let decimals = 0;
  if (byte === DOT) {
    const fraction = ++i;
    // Four digits at a time, as far as there are so many.
    while (highDigits + lowDigits <= 14) {
      const four = view.getInt32(i, true) ^ FOUR_ZEROS;
      if (((four | (four + 0x0606_0606)) & 0xf0f0_f0f0) !== 0) break;
      const pairs = Math.imul(four, 10) + (four >>> 8);
      const group = (pairs & 0xff) * 100 + ((pairs >>> 16) & 0xff);
      if (highDigits <= 5) {
        high = high * 10_000 + group;
        highDigits += 4;
      } else {
        low = low * 10_000 + group;
        lowDigits += 4;
      }
      i += 4;
    }
    byte = bytes[i]!;
    for (let digit = byte - ZERO; digit >= 0 && digit <= 9; digit = byte - ZERO) {
      low = low * 10 + digit;
      lowDigits++;
      byte = bytes[++i]!;
    }
    decimals = i - fraction;
    if (decimals === 0) return none(cursor);
  }
  // A digit can only stand here behind a leading zero, which JSON forbids; 0x20 makes E and e one.
  if (highDigits + lowDigits > 18 || (byte | 0x20) === 0x65 || (byte >= ZERO && byte <= ZERO + 9))
    return readSlowly(bytes, cursor);
  const integer = high * POWERS[lowDigits]! + low;
  const value = integer < EXACT ? integer / POWERS[decimals]! : quotient(high, low, lowDigits, decimals);
  if (value !== value) return readSlowly(bytes, cursor);
  cursor.at = i;
  cursor.value = negative ? -value : value;
}

/**
 * (high · 10^lowDigits + low) / 10^decimals, correctly rounded; NaN where this way cannot tell the rounding. `high` has
 * at most 9 digits, `low` at most 12, both together at most 18.
 *
 * The integer is held as the sum of two doubles. The quotient of the larger one leaves a remainder that is a double
 * again (so is every remainder of a rounded division), computed exactly by Dekker's product. Remainder and smaller part
 * give the correction, with a relative error of at most 2^-52. Where the quotient rounds the same way with the
 * correction taken a little smaller and a little larger, it rounds the same way with the true one.
 */
function quotient(high: number, low: number, lowDigits: number, decimals: number): number {
  const power = POWERS[lowDigits]!;
  const top = Math.floor(high / 8_192);
  const a = top * power * 8_192;
  const b = (high - top * 8_192) * power + low;
  const large = a + b;
  const small = b - (large - a);

  const divisor = POWERS[decimals]!;
  const q = large / divisor;
  const product = q * divisor;
  const qHigh = CUT * q - (CUT * q - q);
  const qLow = q - qHigh;
  const dHigh = POWER_HIGH[decimals]!;
  const dLow = POWER_LOW[decimals]!;
  const error = qHigh * dHigh - product + qHigh * dLow + qLow * dHigh + qLow * dLow;
  const correction = (large - product - error + small) / divisor;
  const rounded = q + correction * (1 - DOUBT);
  return rounded === q + correction * (1 + DOUBT) ? rounded : Number.NaN;
}

function readSlowly(bytes: Buffer, cursor: Cursor): void {
  let end = cursor.at;
  while (isOfNumber(bytes[end]!)) end++;
  const text = bytes.toString("latin1", cursor.at, end);
  const value = JSON_NUMBER.test(text) ? Number(text) : Infinity;
  if (!Number.isFinite(value)) return none(cursor);
  cursor.at = end;
  cursor.value = value;
}

function isOfNumber(byte: number): boolean {
  return (
    (byte >= ZERO && byte <= ZERO + 9) || byte === DOT || byte === MINUS || byte === 0x2b || (byte | 0x20) === 0x65
  );
}

function none(cursor: Cursor): void {
  cursor.at = -1;
}
