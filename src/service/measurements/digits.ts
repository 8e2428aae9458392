const ZERO = 48;
const MINUS = 45;
const POINT = 46;

/** From here on, 13 digits after the point distinguish neighbouring doubles; below, down to 1, it takes 16. */
const FEW_DIGITS_FROM = 1024;
const MANY_DIGITS_FROM = 1;
/** Larger doubles have no digits after the point that this method could determine. */
const FEW_DIGITS_TO = 2 ** 31;

/**
 * Writes a number that is a multiple of 10^-decimals, with exactly that many digits after the point.
 *
 * @returns the index after the last byte
 */
export function writeFixed(bytes: Uint8Array, at: number, value: number, decimals: number): number {
  const scale = SCALES[decimals]!;
  const n = Math.round(Math.abs(value) * scale);
  if (value < 0 && n > 0) bytes[at++] = MINUS;
  const whole = Math.floor(n / scale);
  const point = writeWhole(bytes, at, whole);
  if (decimals === 0) return point;
  bytes[point] = POINT;
  return writePadded(bytes, point + 1, n - whole * scale, decimals);
}

/** Maximum digits after the point of `writeFixed`. */
export const MAX_DECIMALS = 6;
const SCALES = Array.from({ length: MAX_DECIMALS + 1 }, (_, n) => 10 ** n);

/**
 * Writes a double so that parsing the text gives the same bits. `String` finds the shortest such text, but takes more than
 * twice as long; this function writes as many digits as always suffice, and uses `String` for numbers of unusual size.
 *
 * Why it is exact enough: the fraction is split into two halves of 26 bits, whose products with 10^8 are exact,
 * so that the only error is the rounding of the last digit, half a unit of it. That is less than half the distance to
 * the next double: 0.5e-13 against 1.1e-13 at 1024, 0.5e-16 against 1.1e-16 at 1.
 *
 * @returns the index after the last byte
 */
export function writeDouble(bytes: Buffer, at: number, value: number): number {
  const size = Math.abs(value);
  if (!(size >= MANY_DIGITS_FROM && size < FEW_DIGITS_TO)) return at + bytes.write(String(value), at, "latin1");
  let whole = Math.floor(size);
  const part = size - whole;
  const upper = Math.floor(part * 2 ** 26) / 2 ** 26;
  const scaledUpper = upper * 1e8;
  let first = Math.floor(scaledUpper);
  let rest = scaledUpper - first + (part - upper) * 1e8;
  const carry = Math.floor(rest);
  first += carry;
  rest -= carry;
  const digits = size >= FEW_DIGITS_FROM ? 5 : 8;
  const unit = digits === 5 ? 1e5 : 1e8;
  let second = Math.round(rest * unit);
  if (second === unit) {
    second = 0;
    first++;
  }
  if (first >= 1e8) {
    first -= 1e8;
    whole++;
  }
  if (value < 0) bytes[at++] = MINUS;
  const point = writeWhole(bytes, at, whole);
  bytes[point] = POINT;
  return writePadded(bytes, writePadded(bytes, point + 1, first, 8), second, digits);
}

/** Writes an integer without leading zeros. */
function writeWhole(bytes: Uint8Array, at: number, n: number): number {
  let digits = 1;
  for (let bound = 10; n >= bound; bound *= 10) digits++;
  return writePadded(bytes, at, n, digits);
}

/** Writes an integer with exactly that many digits. */
function writePadded(bytes: Uint8Array, at: number, n: number, digits: number): number {
  const end = at + digits;
  for (let i = end - 1; i >= at; i--) {
    const rest = Math.floor(n / 10);
    bytes[i] = ZERO + (n - rest * 10);
    n = rest;
  }
  return end;
}
