import { writeEight, writeWhole } from "./digits.ts";

/** The magnitudes that `writePrecise` knows: those in which `String` writes no exponent, and all products stay exact. */
export const PRECISE_MIN = 1e-3;
export const PRECISE_MAX = 1e8;

const ZERO = 48;
const POINT = 46;
/** Powers of ten; all are exact doubles. */
const TENS = Float64Array.from({ length: 19 }, (_, k) => Number(`1e${k}`));
const SPLITTER = 134_217_729; // 2^27 + 1, for Dekker's product
/** How near to a border of the decision counts as undecided; far more than the error of the arithmetic here. */
const DOUBT = 1e-6;

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
/** Half the distance to the next double, by the bits of the exponent. */
const HALF_ULP = Float64Array.from({ length: 2_048 }, (_, exponent) => 2 ** (exponent - 1_023 - 53));

/**
 * Writes the 16 or 17 digits that a double of full precision needs, faster than `String` does. The value is scaled
 * to 16 digits before the point, exactly, as the sum of two doubles; half the distance to the next double, scaled alike,
 * tells whether the nearest 16-digit number reads back as this one. Where fifteen digits do, no
 * other number of as many does, so that the shortest text is theirs without zeros at the end. What lies too near to a
 * border of these decisions is left to `String`.
 *
 * @param magnitude from PRECISE_MIN up to, but not including, PRECISE_MAX
 * @returns the position after the text, or -1 where nothing was written that counts
 */
export function writePrecise(out: DataView, at: number, magnitude: number): number {
  double[0] = magnitude;
  const high = words[1]!;
  // A power of two has another distance to the double below than to the one above.
  if (words[0] === 0 && (high & 0xf_ffff) === 0) return -1;
  const decimals = 16 - digitsBefore(magnitude);
  const ten = TENS[decimals]!;
  const scaled = magnitude * ten;
  if (!(scaled >= 1e15 && scaled < 9e15)) return -1;
  let whole = Math.floor(scaled);
  let fraction = scaled - whole + productError(magnitude, ten, scaled);
  if (fraction < 0) {
    whole -= 1;
    fraction += 1;
  } else if (fraction >= 1) {
    whole += 1;
    fraction -= 1;
  }
  const reach = HALF_ULP[high >>> 20]! * ten;
  const lastDigit = whole - Math.floor(whole / 10) * 10; // ten times as fast as %
  const above = lastDigit + fraction; // the nearest number of fifteen digits below
  const toTen = Math.min(above, 10 - above);
  if (toTen < reach + DOUBT) {
    if (toTen > reach - DOUBT) return -1;
    return withoutZeros(out, writeDigits(out, at, whole - lastDigit + (above < 5 ? 0 : 10), decimals, magnitude));
  }
  const toInteger = Math.min(fraction, 1 - fraction);
  if (Math.abs(toInteger - reach) < DOUBT || Math.abs(fraction - 0.5) < DOUBT) return -1;
  if (toInteger < reach) return writeDigits(out, at, fraction < 0.5 ? whole : whole + 1, decimals, magnitude);
  const tenth = Math.round(fraction * 10);
  if (Math.abs(fraction * 10 - tenth) > 0.5 - DOUBT || tenth === 0 || tenth === 10) return -1;
  const end = writeDigits(out, at, whole, decimals, magnitude);
  out.setUint8(end, ZERO + tenth);
  return end + 1;
}

/** Takes back zeros at the end, and the point where nothing is left after it. */
function withoutZeros(out: DataView, end: number): number {
  let last = end - 1;
  while (out.getUint8(last) === ZERO) last--;
  return out.getUint8(last) === POINT ? last : last + 1;
}

/** Digits before the decimal point; zero and below: zeros after it. */
function digitsBefore(magnitude: number): number {
  if (magnitude >= 1_000) {
    if (magnitude < 10_000) return 4;
    if (magnitude < 1e6) return magnitude < 1e5 ? 5 : 6;
    return magnitude < 1e7 ? 7 : 8;
  }
  if (magnitude >= 1) return magnitude < 10 ? 1 : magnitude < 100 ? 2 : 3;
  return magnitude >= 0.1 ? 0 : magnitude >= 0.01 ? -1 : -2;
}

/** What `a × b` lacks: the product is exactly `product` plus this (Dekker 1971). */
function productError(a: number, b: number, product: number): number {
  const ac = SPLITTER * a;
  const aHigh = ac - (ac - a);
  const aLow = a - aHigh;
  const bc = SPLITTER * b;
  const bHigh = bc - (bc - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

/** Sixteen digits, the last `decimals` of them after the point. */
function writeDigits(out: DataView, at: number, digits: number, decimals: number, magnitude: number): number {
  let next = at;
  let places = decimals;
  let fraction = digits;
  if (decimals < 16) {
    const ten = TENS[decimals]!;
    // No carry from the digits after the point: what is that near to a whole number is one.
    const before = Math.floor(magnitude);
    fraction -= before * ten;
    next = writeWhole(out, next, before);
    out.setUint8(next++, POINT);
  } else {
    out.setUint16(next, 0x302e); // 0.
    for (next += 2; places > 16; places--) out.setUint8(next++, ZERO);
  }
  // Sixteen places are written, with zeros at the end that do not count.
  const ten = TENS[places - 8]!;
  let first = Math.floor(fraction / ten);
  let rest = fraction - first * ten;
  if (rest < 0) {
    first -= 1;
    rest += ten;
  }
  writeEight(out, next, first);
  writeEight(out, next + 8, rest * TENS[16 - places]!);
  return next + places;
}
