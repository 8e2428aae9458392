// Formats rows of a CSV file, in AssemblyScript: it has 64-bit integers and needs no warm-up. `npm run kernels` compiles
// it into binary.ts.
//
// It only accesses its own memory, which kernel.ts lays out. Wide stores may write up to eight bytes beyond the end of a
// text. Words are little-endian, so that the first character is the lowest byte.

/** Imported from JavaScript: writes a number like `String`, or a day (`2026-01-01`), at an address and returns its end. */
declare function textOf(value: f64, at: usize): usize;
declare function dateOf(dayMs: f64, at: usize): usize;
/** Writes a field of a text column; returns zero if the rest of its row may not fit. */
declare function fieldOf(column: u32, row: u32, at: usize): usize;

/** Table of `0000` to `9999` as four characters. */
const FOUR = memory.data(10000 * 4);
const POWERS = memory.data(18 * 8);
/** `2026-01-01T` */
const DATE = memory.data(16);

const MINUS: u32 = 0x2d;
const POINT: u32 = 0x2e;
const COMMA: u32 = 0x2c;
const ZERO: u32 = 0x30;
const ZEROS: u32 = 0x30303030;
const LINE_END: u32 = 0x0a0d;
/** Two colons between three pairs of digits. */
const COLONS: u64 = 0x00003a00003a0000;
const DAY_MS: f64 = 86400000;

/** Magnitudes formatted here instead of by JavaScript: below LIMIT, multiples of 0.0001, and others from MIN_PRECISE on. */
const MIN_PRECISE: f64 = 0.01;
const LIMIT: f64 = 100000000;
/** The implicit leading bit of a double's mantissa. */
const HIDDEN: u64 = 0x10000000000000;
/** 2^52: from here on, doubles are integers. */
const WHOLE: f64 = 4503599627370496;

let dayMs: f64 = NaN;
let hasFraction: bool = false;
let prefix: usize = 0;
let prefixBytes: usize = 0;
let rowBytes: usize = 0;
let times: usize = 0;
let columns: usize = 0;
let columnCount: u32 = 0;
let rowsWritten: u32 = 0;

/** Returns the first free address. */
export function heap(): usize {
  return __heap_base;
}

/** Initializes the tables. Times are `2026-01-01T00:00:00Z`, with three decimals if `fraction` is true. */
export function start(fraction: bool): void {
  hasFraction = fraction;
  let power: u64 = 1;
  for (let n: usize = 0; n < 18; n++) {
    store<u64>(POWERS + (n << 3), power);
    power *= 10;
  }
  for (let n: u32 = 0; n < 10000; n++) {
    const digits = (n / 1000) | (((n / 100) % 10) << 8) | (((n / 10) % 10) << 16) | ((n % 10) << 24);
    store<u32>(FOUR + (n << 2), digits | ZEROS);
  }
}

/** Sets the addresses of the times and of the list of columns (all doubles); a column address of zero means texts. */
export function setColumns(timesAt: usize, columnsAt: usize, count: u32): void {
  times = timesAt;
  columns = columnsAt;
  columnCount = count;
}

/** Sets the beginning of every row, read in words of eight bytes, and the maximum length of a row without texts. */
export function setPrefix(at: usize, bytes: usize, maxRowBytes: usize): void {
  prefix = at;
  prefixBytes = bytes;
  rowBytes = maxRowBytes;
}

/** Returns the number of rows written by the last call of `write`. */
export function written(): u32 {
  return rowsWritten;
}

function four(digits: u32): u32 {
  return load<u32>(FOUR + (digits << 2));
}

/** Writes eight digits, including leading zeros. */
function writeEight(digits: u32, at: usize): void {
  const high = digits / 10000;
  store<u32>(at, four(high));
  store<u32>(at, four(digits - high * 10000), 4);
}

/** Writes a number below 10,000 without leading zeros. */
function writeShort(digits: u32, at: usize): usize {
  const word = four(digits);
  // The last digit is kept even if it is zero.
  const zeros = ctz((word ^ ZEROS) | 0x1000000) & 0x18;
  store<u32>(at, word >> zeros);
  return at + 4 - (zeros >> 3);
}

/** Writes a number below 100,000,000 without leading zeros. */
function writeWhole(digits: u32, at: usize): usize {
  if (digits < 10000) return writeShort(digits, at);
  const high = digits / 10000;
  const end = writeShort(high, at);
  store<u32>(end, four(digits - high * 10000));
  return end + 4;
}

/** Writes ten-thousandths as a decimal without trailing zeros. */
function writeDecimal(tenThousandths: u64, at: usize): usize {
  const whole = <u32>(tenThousandths / 10000);
  const end = writeWhole(whole, at);
  const fraction = <u32>(tenThousandths - <u64>whole * 10000);
  if (fraction === 0) return end;
  const word = four(fraction);
  store<u8>(end, POINT);
  store<u32>(end, word, 1);
  return end + 5 - (clz(word ^ ZEROS) >> 3);
}

/** Returns the upper 64 bits of the product of two numbers, the first below 2^57, the second below 2^53. */
function upperHalf(a: u64, b: u64): u64 {
  const aLow = a & 0xffffffff;
  const aHigh = a >> 32;
  const bLow = b & 0xffffffff;
  const bHigh = b >> 32;
  const middle = ((aLow * bLow) >> 32) + aLow * bHigh + aHigh * bLow;
  return aHigh * bHigh + (middle >> 32);
}

/**
 * Writes the shortest digits that read back as this double, and among equally short ones the nearest; for magnitudes from
 * MIN_PRECISE to LIMIT.
 *
 * The fraction is scaled by a power of ten, so that the number has 16 digits before the point. The result is exact in
 * integers: `digits`, and `rest` in units of 1 / `one`. A text reads back as this double if it is nearer than half the
 * distance to the next double (`reach`). Ties do not occur: the middle between two doubles has more than 17 digits.
 * `reach` is between 0.05 and 1.2: there may be one number of 15 digits within it, or several of 16, and there is always
 * one of 17. Below a power of two the next double is at half the distance, but powers of two in this range are short
 * decimals.
 */
function writePrecise(magnitude: f64, at: usize): usize {
  const bits = reinterpret<u64>(magnitude);
  const mantissa = (bits & (HIDDEN - 1)) | HIDDEN;
  const shift = 1075 - (bits >> 52);
  const one: u64 = 1 << shift;
  const half = one >> 1;
  const whole = <u32>(mantissa >> shift);

  let end = writeWhole(whole, at);
  let decimals = whole > 0 ? 16 - (end - at) : magnitude < 0.1 ? 17 : 16;
  const ten = load<u64>(POWERS + (decimals << 3));
  const part = mantissa - ((<u64>whole) << shift);
  const low = part * ten;
  let digits = (upperHalf(ten, part) << (64 - shift)) | (low >> shift);
  const rest = low & (one - 1);
  const reach = ten >> 1;

  const last = digits % 10;
  let isShort = false;
  let seventeenth: u32 = 0;
  if (last < 2 && last * one + rest < reach) {
    digits -= last;
    isShort = true;
  } else if (last > 7 && (10 - last) * one - rest < reach) {
    digits += 10 - last;
    isShort = true;
  } else if (rest < reach || one - rest < reach) {
    digits += u64(rest > half || (rest === half && (digits & 1) === 1));
  } else {
    const tenfold = rest * 10;
    const left = tenfold & (one - 1);
    seventeenth = <u32>(tenfold >> shift);
    seventeenth += u32(left > half || (left === half && (seventeenth & 1) === 1));
  }

  // No carry into the integer part: a text so near to an integer is that integer.
  store<u8>(end++, POINT);
  if (decimals === 17) {
    store<u8>(end++, ZERO);
    decimals = 16;
  }
  // Writes sixteen decimals, of which those beyond `decimals` are ignored.
  const places = digits * load<u64>(POWERS + ((16 - decimals) << 3));
  const high = <u32>(places / 100000000);
  writeEight(high, end);
  writeEight(<u32>(places - <u64>high * 100000000), end + 8);
  end += decimals;
  if (isShort) {
    while (load<u8>(end - 1) === ZERO) end--;
    return end;
  }
  if (seventeenth > 0) store<u8>(end++, ZERO + seventeenth);
  return end;
}

/**
 * Writes the shortest text that reads back as the same double, identical to `String(value)`, and returns its end.
 *
 * If a whole number of ten-thousandths divided by 10^4 equals the value, that decimal reads back as the value. It is also
 * the shortest one, because no two decimals of at most 15 digits are the same double.
 */
export function writeNumber(value: f64, at: usize): usize {
  const magnitude = abs(value);
  if (magnitude < LIMIT) {
    // Without a sign, the first digit overwrites it.
    store<u8>(at, MINUS);
    const first = at + usize(value < 0);
    // Adding 2^52 rounds to an integer, which is then in the low bits of the double.
    const rounded = magnitude * 10000 + WHOLE;
    if ((rounded - WHOLE) / 10000 === magnitude) return writeDecimal(reinterpret<u64>(rounded) & (HIDDEN - 1), first);
    if (magnitude >= MIN_PRECISE) return writePrecise(magnitude, first);
  }
  return textOf(value, at);
}

/** Writes a moment of the years 0001 to 9999 and returns its end. */
export function writeTime(ms: f64, at: usize): usize {
  let rest = ms - dayMs;
  if (!(rest >= 0 && rest < DAY_MS)) {
    dayMs = floor(ms / DAY_MS) * DAY_MS;
    rest = ms - dayMs;
    store<u8>(dateOf(dayMs, DATE), 0x54);
  }
  store<u64>(at, load<u64>(DATE));
  store<u32>(at, load<u32>(DATE, 8), 8);
  const thousandths = <u32>rest;
  const seconds = thousandths / 1000;
  const minutes = seconds / 60;
  const hours = minutes / 60;
  const clock = two(hours) | (two(minutes - hours * 60) << 24) | (two(seconds - minutes * 60) << 48);
  store<u64>(at, clock | COLONS, 11);
  let end = at + 19;
  if (hasFraction) {
    // The leading zero of the four digits is overwritten by the decimal point.
    store<u32>(end, four(thousandths - seconds * 1000));
    store<u8>(end, POINT);
    end += 4;
  }
  store<u8>(end++, 0x5a);
  return end;
}

function two(digits: u32): u64 {
  return four(digits) >> 16;
}

/** Writes rows from `from` up to `to` (exclusive), or until the next one might exceed `limit`; returns their end. */
export function write(from: u32, to: u32, at: usize, limit: usize): usize {
  let row = from;
  for (; row < to && at + rowBytes <= limit; row++) {
    for (let i: usize = 0; i < prefixBytes; i += 8) store<u64>(at + i, load<u64>(prefix + i));
    let end = writeTime(load<f64>(times + (row << 3)), at + prefixBytes);
    for (let column: u32 = 0; column < columnCount; column++) {
      store<u8>(end++, COMMA);
      const values = load<usize>(columns + (column << 2));
      if (values === 0) {
        end = fieldOf(column, row, end);
        if (end === 0) break;
      } else {
        const value = load<f64>(values + (row << 3));
        // False for NaN and infinities.
        if (value - value === 0) end = writeNumber(value, end);
      }
    }
    if (end === 0) break;
    store<u16>(end, LINE_END);
    at = end + 2;
  }
  rowsWritten = row - from;
  return at;
}
