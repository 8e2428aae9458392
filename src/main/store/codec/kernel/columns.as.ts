// Columns of numbers into few bytes and back, in AssemblyScript: whole numbers of 64 bits, and nearly as quick in its first
// millisecond as in its last. `npm run kernels` compiles it into binary.ts.
//
// It works in its memory only, which kernel.ts lays out. Loads and stores are as wide as is quick, and may go up to eight
// bytes beyond packed numbers: there must be room for that.

/** Numbers that share a width. */
const BLOCK: u32 = 64;
/** Packed numbers are no wider. */
const MOST_BITS: u32 = 25;
/** Planes of the lowest bytes of doubles. */
const LOW_BITS: u64 = 40;
const MOST_DECIMALS: u32 = 5;
/** Scaled values stay below this, so that a difference of two fits a signed 32-bit integer. */
const MOST_SCALED: f64 = 1073741824;
const POWERS = memory.data<f64>([1, 10, 100, 1000, 10000, 100000]);

/** 2^51: beyond, the sums of a run would no longer be exact. */
const MOST_SAFE: f64 = 2251799813685248;
const MINUS_ZERO: u64 = 0x8000000000000000;
const LEAST_SINGLE: f32 = 1.401298464324817e-45;

/** Results beside what a function returns. */
let decimals: u32 = 0;
let first: i32 = 0;

/** Where memory is free. */
export function heap(): usize {
  return __heap_base;
}

export function decimalsFound(): u32 {
  return decimals;
}

export function firstFound(): i32 {
  return first;
}

/** A sign in the lowest bit instead of the highest: small numbers of either sign are small. */
function zigzag(difference: i32): u32 {
  return (difference << 1) ^ (difference >> 31);
}

function unzigzag(number: u32): i32 {
  return (number >>> 1) ^ -(number & 1);
}

/**
 * Packs whole numbers below 2^25, in blocks of 64 that each use as many bits as their largest number needs: a byte that
 * says how many, then the bits, low ones first. Returns where they end.
 */
export function pack(numbers: usize, n: u32, target: usize): usize {
  for (let start: u32 = 0; start < n; start += BLOCK) {
    const end = min(n, start + BLOCK);
    let all: u32 = 0;
    for (let i = start; i < end; i++) all |= load<u32>(numbers + (i << 2));
    const width: u64 = 32 - clz(all);
    store<u8>(target++, width);
    let waiting: u64 = 0;
    let bits: u64 = 0;
    for (let i = start; i < end; i++) {
      waiting |= (<u64>load<u32>(numbers + (i << 2))) << bits;
      bits += width;
      if (bits >= 32) {
        store<u32>(target, <u32>waiting);
        target += 4;
        waiting >>= 32;
        bits -= 32;
      }
    }
    store<u32>(target, <u32>waiting);
    target += <usize>((bits + 7) >> 3);
  }
  return target;
}

/**
 * Reads the first `n` of `total` numbers that were packed; returns whether the bytes are those of so many: neither too few
 * nor, where all of them are read, too many.
 */
export function unpack(packed: usize, packedEnd: usize, numbers: usize, n: u32, total: u32): bool {
  let at = packed;
  for (let start: u32 = 0; start < n; start += BLOCK) {
    if (at >= packedEnd) return false;
    const width: u32 = load<u8>(at++);
    if (width > MOST_BITS) return false;
    const end = at + ((min(BLOCK, total - start) * width + 7) >> 3);
    if (end > packedEnd) return false;
    const mask = ((<u32>1) << width) - 1;
    const last = min(n, start + BLOCK);
    let bit: u32 = 0;
    for (let i = start; i < last; i++) {
      store<u32>(numbers + (i << 2), <u32>(load<u64>(at + (bit >> 3)) >> (bit & 7)) & mask);
      bit += width;
    }
    at = end;
  }
  return n < total || at === packedEnd;
}

/** Whether sums of a run of such numbers are exact. */
function isSafe(value: f64): bool {
  return abs(value) < MOST_SAFE && trunc(value) === value && reinterpret<u64>(value) !== MINUS_ZERO;
}

/**
 * Numbers as runs of equal steps, each of three doubles: start, step, count. Returns where they end; zero where some
 * number is not whole, or too large.
 */
export function findRuns(values: usize, n: u32, target: usize): usize {
  for (let i: u32 = 0; i < n; i++) if (!isSafe(load<f64>(values + (i << 3)))) return 0;
  for (let i: u32 = 0; i < n; target += 24) {
    const start = i;
    let last = load<f64>(values + (i++ << 3));
    store<f64>(target, last);
    let step: f64 = 0;
    if (i < n) {
      const second = load<f64>(values + (i++ << 3));
      step = second - last;
      last = second;
    }
    for (; i < n; i++) {
      const value = load<f64>(values + (i << 3));
      if (value - last !== step) break;
      last = value;
    }
    store<f64>(target, step, 8);
    store<f64>(target, <f64>(i - start), 16);
  }
  return target;
}

/** Whether both hold the same `n` doubles to the bit. */
function areSame(a: usize, b: usize, n: u32): bool {
  for (let i: u32 = 0; i < n << 3; i += 8) if (load<u64>(a + i) !== load<u64>(b + i)) return false;
  return true;
}

/** Writes the values times ten to the least power that makes whole numbers of all of them; false where there is none. */
function scaleAll(values: usize, n: u32, wholes: usize): bool {
  decimals = 0;
  let scale: f64 = 1;
  for (let i: u32 = 0; i < n; i++) {
    const value = load<f64>(values + (i << 3));
    let whole = nearest(value * scale);
    if (whole / scale !== value) {
      do {
        if (decimals === MOST_DECIMALS) return false;
        scale = load<f64>(POWERS + (++decimals << 3));
        whole = nearest(value * scale);
      } while (whole / scale !== value);
      // What has d decimals has d + 1 as well: those before only need their new size.
      for (let k: u32 = 0; k < i; k++) {
        const again = nearest(load<f64>(values + (k << 3)) * scale);
        if (!(abs(again) < MOST_SCALED)) return false;
        store<i32>(wholes + (k << 2), <i32>again);
      }
    }
    if (!(abs(whole) < MOST_SCALED) || reinterpret<u64>(value) === MINUS_ZERO) return false;
    store<i32>(wholes + (i << 2), <i32>whole);
  }
  return true;
}

/**
 * Packs values of few decimals as differences of whole numbers, and returns where they end. Zero where that would not
 * give them back to the bit, or where one leaps too far.
 */
export function packDecimal(values: usize, n: u32, numbers: usize, target: usize, check: usize): usize {
  if (!scaleAll(values, n, numbers)) return 0;
  // The first difference would make others wide: its value is kept apart.
  first = n > 0 ? load<i32>(numbers) : 0;
  let before = first;
  let all: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const whole = load<i32>(numbers + (i << 2));
    const difference = zigzag(whole - before);
    store<u32>(numbers + (i << 2), difference);
    all |= difference;
    before = whole;
  }
  if (all >> MOST_BITS) return 0;
  const end = pack(numbers, n, target);
  const isSame = unpackDecimal(target, end, n, n, decimals, first, numbers, check) && areSame(check, values, n);
  return isSame ? end : 0;
}

/** Reads the first `n` of `total` values back; returns false where the bytes are not those of so many. */
export function unpackDecimal(
  packed: usize,
  packedEnd: usize,
  n: u32,
  total: u32,
  power: u32,
  from: i32,
  numbers: usize,
  values: usize,
): bool {
  if (power > MOST_DECIMALS || !unpack(packed, packedEnd, numbers, n, total)) return false;
  const scale = load<f64>(POWERS + (power << 3));
  let scaled = from;
  for (let i: u32 = 0; i < n; i++) {
    scaled += unzigzag(load<u32>(numbers + (i << 2)));
    store<f64>(values + (i << 3), <f64>scaled / scale);
  }
  return true;
}

/**
 * Packs sign, exponent and the first bits of the fraction of any doubles as differences of whole numbers of 24 bits, and
 * returns where they end; the other five bytes go into `low`, each XOR the one before, alike ones together. Zero where
 * that would not give them back to the bit.
 */
export function packSplit(values: usize, n: u32, numbers: usize, low: usize, target: usize, check: usize): usize {
  let before: u64 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const value = load<u64>(values + (i << 3));
    const changed = value ^ before;
    store<u32>(numbers + (i << 2), zigzag(<i32>(value >> LOW_BITS) - <i32>(before >> LOW_BITS)));
    let at = low + i;
    store<u8>(at, changed);
    store<u8>((at += n), changed >> 8);
    store<u8>((at += n), changed >> 16);
    store<u8>((at += n), changed >> 24);
    store<u8>(at + n, changed >> 32);
    before = value;
  }
  const end = pack(numbers, n, target);
  return unpackSplit(target, end, low, n, numbers, check) && areSame(check, values, n) ? end : 0;
}

/** Reads them back; returns false where the bytes are not those of so many. */
export function unpackSplit(packed: usize, packedEnd: usize, low: usize, n: u32, numbers: usize, values: usize): bool {
  if (!unpack(packed, packedEnd, numbers, n, n)) return false;
  let upper: u32 = 0;
  let lower: u64 = 0;
  for (let i: u32 = 0; i < n; i++) {
    upper += unzigzag(load<u32>(numbers + (i << 2)));
    const a = low + i;
    const b = a + n;
    const c = b + n;
    const d = c + n;
    lower ^=
      <u64>load<u8>(a) |
      ((<u64>load<u8>(b)) << 8) |
      ((<u64>load<u8>(c)) << 16) |
      ((<u64>load<u8>(d)) << 24) |
      ((<u64>load<u8>(d + n)) << 32);
    store<u64>(values + (i << 3), ((<u64>upper) << LOW_BITS) | lower);
  }
  return true;
}

/** The largest single that is not above the value. */
function singleBelow(value: f64): f32 {
  const single = <f32>value;
  if (<f64>single <= value) return single;
  if (single === 0) return -LEAST_SINGLE;
  return reinterpret<f32>(reinterpret<i32>(single) + (single > 0 ? -1 : 1));
}

/**
 * Statistics of blocks of 64 rows, as `Pyramid` describes them: times of the first and last row of each that has a value,
 * how many have one, then in single precision min, max and mean; behind them as doubles count, min, max and mean of all.
 */
export function summarize(times: usize, values: usize, n: u32, target: usize): void {
  const blocks = (n + BLOCK - 1) / BLOCK;
  const figures = target + 24 * blocks;
  let all: u32 = 0;
  let sum: f64 = 0;
  let lowest: f64 = Infinity;
  let highest: f64 = -Infinity;
  for (let b: u32 = 0; b < blocks; b++) {
    const start = b * BLOCK;
    const end = min(n, start + BLOCK);
    let low: f64 = Infinity;
    let high: f64 = -Infinity;
    let total: f64 = 0;
    let count: u32 = 0;
    let firstRow = start;
    let lastRow = start;
    for (let i = start; i < end; i++) {
      const value = load<f64>(values + (i << 3));
      if (value !== value) continue;
      if (count === 0) firstRow = i;
      lastRow = i;
      count++;
      total += value;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    store<f64>(target + (b << 3), load<f64>(times + (firstRow << 3)));
    store<f64>(target + ((blocks + b) << 3), load<f64>(times + (lastRow << 3)));
    store<f64>(target + ((2 * blocks + b) << 3), <f64>count);
    store<f32>(figures + (b << 2), count > 0 ? singleBelow(low) : NaN);
    store<f32>(figures + ((blocks + b) << 2), count > 0 ? -singleBelow(-high) : NaN);
    store<f32>(figures + ((2 * blocks + b) << 2), count > 0 ? <f32>(total / count) : NaN);
    all += count;
    sum += total;
    lowest = min(lowest, low);
    highest = max(highest, high);
  }
  const summary = (figures + 12 * blocks + 7) & ~7;
  store<f64>(summary, <f64>all);
  store<f64>(summary, lowest, 8);
  store<f64>(summary, highest, 16);
  store<f64>(summary, sum / <f64>all, 24);
}
