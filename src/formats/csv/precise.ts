/** The magnitudes that `writePrecise` knows: those in which `String` writes no exponent, and all products stay exact. */
export const PRECISE_MIN = 1e-3;
export const PRECISE_MAX = 1e9;

const ZERO = 48;
/** Powers of ten for 3 digits after the point less than 16 to 18 of them; all are exact doubles. */
const TENS = Array.from({ length: 19 }, (_, k) => Number(`1e${k}`));
const SPLITTER = 134_217_729; // 2^27 + 1, for Dekker's product
const EIGHT_DIGITS = 1e8;
/** How near to a border of the decision counts as undecided; far more than the error of the arithmetic here. */
const DOUBT = 1e-6;

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

/**
 * Writes the 16 or 17 digits that a double of full precision needs, faster than `String` does. The value is scaled
 * to 16 digits before the point, exactly, as the sum of two doubles; half the distance to the next double, scaled alike,
 * tells whether the nearest 16-digit number reads back as this one. Wherever the decision is near, or fewer digits would
 * do, it is left to `String`.
 *
 * @param magnitude from PRECISE_MIN up to, but not including, PRECISE_MAX
 * @returns the position after the text, or -1 where nothing was written
 */
export function writePrecise(out: Uint8Array, at: number, magnitude: number): number {
  let point = -2; // digits before the decimal point; zero and below: zeros after it
  for (let bound = 0.01; magnitude >= bound && point < 9; point++) bound = point < -1 ? 0.1 : TENS[point + 1]!;
  const ten = TENS[16 - point]!;
  const scaled = magnitude * ten;
  if (!(scaled >= 1e15 && scaled < 9e15)) return -1;
  const rest = productError(magnitude, ten, scaled);
  let whole = Math.floor(scaled);
  let fraction = scaled - whole + rest;
  if (fraction < 0) {
    whole -= 1;
    fraction += 1;
  } else if (fraction >= 1) {
    whole += 1;
    fraction -= 1;
  }
  const reach = halfUlp(magnitude) * ten;
  if (reach === 0) return -1;
  const toInteger = Math.min(fraction, 1 - fraction);
  const lastDigit = whole - Math.floor(whole / 10) * 10; // ten times as fast as %
  const toTen = Math.min(lastDigit + fraction, 10 - lastDigit - fraction);
  if (toTen < reach + DOUBT || Math.abs(toInteger - reach) < DOUBT || Math.abs(fraction - 0.5) < DOUBT) return -1;
  if (toInteger < reach) return writeDigits(out, at, fraction < 0.5 ? whole : whole + 1, -1, point);
  const tenth = Math.round(fraction * 10);
  if (Math.abs(fraction * 10 - tenth) > 0.5 - DOUBT || tenth === 0 || tenth === 10) return -1;
  return writeDigits(out, at, whole, tenth, point);
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

/** Half the distance to the next double; 0 for a power of two, which has another distance below than above. */
function halfUlp(value: number): number {
  double[0] = value;
  const high = words[1]!;
  if (words[0] === 0 && (high & 0xf_ffff) === 0) return 0;
  words[0] = 0;
  words[1] = ((high >>> 20) - 53) << 20;
  return double[0];
}

/** Sixteen digits, and a seventeenth unless it is negative, with the point where it belongs. */
function writeDigits(out: Uint8Array, at: number, digits: number, seventeenth: number, point: number): number {
  let high = Math.floor(digits / EIGHT_DIGITS);
  let low = digits - high * EIGHT_DIGITS;
  if (low < 0) {
    high -= 1;
    low += EIGHT_DIGITS;
  }
  let next = at;
  if (point <= 0) {
    out[next++] = ZERO;
    out[next++] = 46;
    for (let i = point; i < 0; i++) out[next++] = ZERO;
  }
  writeEight(out, next, high);
  writeEight(out, next + 8, low);
  let end = next + 16;
  if (seventeenth >= 0) out[end++] = ZERO + seventeenth;
  if (point <= 0) return end;
  for (let i = end; i > next + point; i--) out[i] = out[i - 1]!;
  out[next + point] = 46;
  return end + 1;
}

/** Exactly eight digits, leading zeros included. */
function writeEight(out: Uint8Array, at: number, value: number): void {
  const four = (value / 10_000) | 0;
  writeFour(out, at, four);
  writeFour(out, at + 4, (value | 0) - four * 10_000);
}

function writeFour(out: Uint8Array, at: number, value: number): void {
  const two = (value / 100) | 0;
  const rest = value - two * 100;
  const first = (two / 10) | 0;
  const third = (rest / 10) | 0;
  out[at] = ZERO + first;
  out[at + 1] = ZERO + two - first * 10;
  out[at + 2] = ZERO + third;
  out[at + 3] = ZERO + rest - third * 10;
}
