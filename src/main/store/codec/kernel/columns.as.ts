// Packs and unpacks columns of numbers, in AssemblyScript: it has 64-bit integers, and is fast from the first call.
// `npm run kernels` compiles it into binary.ts.
//
// It uses its own memory only, which kernel.ts lays out. Wide loads and stores may access up to eight bytes after
// packed numbers.

/** Numbers per block with a common width. */
const BLOCK: u32 = 64;
/** Maximum width of packed numbers. */
const MAX_BITS: u32 = 25;
/** Low bits of doubles that are stored separately. */
const LOW_BITS: u64 = 40;
const MAX_DECIMALS: u32 = 5;
/** Scaled values stay below this, so that a difference of two fits a signed 32-bit integer. */
const MAX_SCALED: f64 = 1073741824;
const POWERS = memory.data<f64>([1, 10, 100, 1000, 10000, 100000]);

/** 2^51: beyond, the sums of a run would no longer be exact. */
const MAX_SAFE: f64 = 2251799813685248;
const MINUS_ZERO: u64 = 0x8000000000000000;
const LEAST_SINGLE: f32 = 1.401298464324817e-45;

/** Additional results of the last function. */
let decimals: u32 = 0;
let first: i32 = 0;

/** Returns the start of free memory. */
export function heap(): usize {
  return __heap_base;
}

export function decimalsFound(): u32 {
  return decimals;
}

export function firstFound(): i32 {
  return first;
}

/** Moves the sign to the lowest bit, so that small numbers of either sign are small. */
function zigzag(difference: i32): u32 {
  return (difference << 1) ^ (difference >> 31);
}

function unzigzag(number: u32): i32 {
  return (number >>> 1) ^ -(number & 1);
}

/**
 * Packs whole numbers below 2^25 in blocks of 64, each with as many bits per number as its largest needs: a byte with
 * the width, then the bits, low ones first. Returns the end.
 */
function pack(numbers: usize, n: u32, target: usize): usize {
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
 * Unpacks the first `n` of `total` numbers. Returns whether the bytes have this number: not too few and, if all are
 * read, not too many.
 */
function unpack(packed: usize, packedEnd: usize, numbers: usize, n: u32, total: u32): bool {
  let at = packed;
  for (let start: u32 = 0; start < n; start += BLOCK) {
    if (at >= packedEnd) return false;
    const width: u32 = load<u8>(at++);
    if (width > MAX_BITS) return false;
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

/** Returns whether sums of a run of such numbers are exact. */
function isSafe(value: f64): bool {
  return abs(value) < MAX_SAFE && trunc(value) === value && reinterpret<u64>(value) !== MINUS_ZERO;
}

/**
 * Writes numbers as runs of equal steps, each of three doubles: start, step, count. Returns the end; zero if a number
 * has a fraction or is too large.
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

/** Returns whether both are the same `n` doubles to the bit. */
function areSame(a: usize, b: usize, n: u32): bool {
  for (let i: u32 = 0; i < n << 3; i += 8) if (load<u64>(a + i) !== load<u64>(b + i)) return false;
  return true;
}

/** Scales the values by the smallest power of ten that makes all of them whole; returns false if there is none. */
function scaleAll(values: usize, n: u32, wholes: usize): bool {
  decimals = 0;
  let scale: f64 = 1;
  for (let i: u32 = 0; i < n; i++) {
    const value = load<f64>(values + (i << 3));
    let whole = nearest(value * scale);
    if (whole / scale !== value) {
      do {
        if (decimals === MAX_DECIMALS) return false;
        scale = load<f64>(POWERS + (++decimals << 3));
        whole = nearest(value * scale);
      } while (whole / scale !== value);
      // Values with d decimals also have d + 1: rescale the previous ones.
      for (let k: u32 = 0; k < i; k++) {
        const again = nearest(load<f64>(values + (k << 3)) * scale);
        if (!(abs(again) < MAX_SCALED)) return false;
        store<i32>(wholes + (k << 2), <i32>again);
      }
    }
    if (!(abs(whole) < MAX_SCALED) || reinterpret<u64>(value) === MINUS_ZERO) return false;
    store<i32>(wholes + (i << 2), <i32>whole);
  }
  return true;
}

/**
 * Packs values of few decimals as differences of whole numbers. Returns the end; zero if they would not be preserved to
 * the bit, or a step is too large.
 */
export function packDecimal(values: usize, n: u32, numbers: usize, target: usize, check: usize): usize {
  if (!scaleAll(values, n, numbers)) return 0;
  // Store the first value separately, because its difference would widen the others.
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
  if (all >> MAX_BITS) return 0;
  const end = pack(numbers, n, target);
  const isSame = unpackDecimal(target, end, n, n, decimals, first, numbers, check) && areSame(check, values, n);
  return isSame ? end : 0;
}

/** Unpacks the first `n` of `total` values; returns false if the bytes do not have this number. */
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
  if (power > MAX_DECIMALS || !unpack(packed, packedEnd, numbers, n, total)) return false;
  const scale = load<f64>(POWERS + (power << 3));
  let scaled = from;
  for (let i: u32 = 0; i < n; i++) {
    scaled += unzigzag(load<u32>(numbers + (i << 2)));
    store<f64>(values + (i << 3), <f64>scaled / scale);
  }
  return true;
}

/**
 * Packs sign, exponent and the first bits of the fraction of any doubles as differences of whole numbers of 24 bits.
 * Writes the other five bytes to `low`, each XOR the previous one, grouped by byte. Returns the end; zero if they would
 * not be preserved to the bit.
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

/** Unpacks them; returns false if the bytes do not have this number. */
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

/** Returns the largest single that is not above the value. */
function singleBelow(value: f64): f32 {
  const single = <f32>value;
  if (<f64>single <= value) return single;
  if (single === 0) return -LEAST_SINGLE;
  return reinterpret<f32>(reinterpret<i32>(single) + (single > 0 ? -1 : 1));
}

/**
 * Computes statistics of blocks of 64 rows (see `Pyramid`): times of the first and last value, count, then in single
 * precision min, max and mean; after all blocks, as doubles, count, min, max and mean of all rows.
 */
export function summarize(times: usize, values: usize, n: u32, target: usize): void {
  const blocks = (n + BLOCK - 1) / BLOCK;
  const summaries = target + 24 * blocks;
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
    store<f32>(summaries + (b << 2), count > 0 ? singleBelow(low) : NaN);
    store<f32>(summaries + ((blocks + b) << 2), count > 0 ? -singleBelow(-high) : NaN);
    store<f32>(summaries + ((2 * blocks + b) << 2), count > 0 ? <f32>(total / count) : NaN);
    all += count;
    sum += total;
    lowest = min(lowest, low);
    highest = max(highest, high);
  }
  const summary = (summaries + 12 * blocks + 7) & ~7;
  store<f64>(summary, <f64>all);
  store<f64>(summary, lowest, 8);
  store<f64>(summary, highest, 16);
  store<f64>(summary, sum / <f64>all, 24);
}
