// Bytes of doubles apart, alike ones together, and checksums of them, in AssemblyScript: sixteen values at a time.
// `npm run kernels` compiles it into binary.ts. It works in its memory only, which kernel.ts lays out.

/** Sums of Adler-32 are taken modulo this prime; they fit 32 bits for so many bytes before that has to be done. */
const ADLER: u32 = 65521;
const ADLER_BYTES: usize = 5552;

/** Where memory is free. */
export function heap(): usize {
  return __heap_base;
}

/** The lower, and the upper, four bytes of four doubles: byte 0 of all, then byte 1, and so on. */
function lower(a: v128, b: v128): v128 {
  return v128.shuffle<u8>(a, b, 0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27);
}

function upper(a: v128, b: v128): v128 {
  return v128.shuffle<u8>(a, b, 4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31);
}

/** Writes four planes of sixteen bytes, of which each argument has four bytes each. */
function storePlanes(a: v128, b: v128, c: v128, d: v128, at: usize, plane: usize): void {
  const firstLow = v128.shuffle<u32>(a, b, 0, 4, 1, 5);
  const firstHigh = v128.shuffle<u32>(c, d, 0, 4, 1, 5);
  const lastLow = v128.shuffle<u32>(a, b, 2, 6, 3, 7);
  const lastHigh = v128.shuffle<u32>(c, d, 2, 6, 3, 7);
  v128.store(at, v128.shuffle<u64>(firstLow, firstHigh, 0, 2));
  v128.store(at + plane, v128.shuffle<u64>(firstLow, firstHigh, 1, 3));
  v128.store(at + 2 * plane, v128.shuffle<u64>(lastLow, lastHigh, 0, 2));
  v128.store(at + 3 * plane, v128.shuffle<u64>(lastLow, lastHigh, 1, 3));
}

/** The first bytes of `n` doubles, then the second ones, and so on: planes of `plane` bytes, zeros at the end of each. */
export function shuffle(values: usize, n: usize, planes: usize, plane: usize): void {
  const sixteens = n & ~15;
  for (let i: usize = 0; i < sixteens; i += 16) {
    const from = values + (i << 3);
    const a = v128.load(from);
    const b = v128.load(from, 16);
    const c = v128.load(from, 32);
    const d = v128.load(from, 48);
    const e = v128.load(from, 64);
    const f = v128.load(from, 80);
    const g = v128.load(from, 96);
    const h = v128.load(from, 112);
    storePlanes(lower(a, b), lower(c, d), lower(e, f), lower(g, h), planes + i, plane);
    storePlanes(upper(a, b), upper(c, d), upper(e, f), upper(g, h), planes + i + 4 * plane, plane);
  }
  for (let byte: usize = 0; byte < 8; byte++) {
    const at = planes + byte * plane;
    for (let i = sixteens; i < n; i++) store<u8>(at + i, load<u8>(values + (i << 3) + byte));
    memory.fill(at + n, 0, plane - n);
  }
}

/** Adler-32, as zlib has it. */
export function adler(from: usize, bytes: usize): u32 {
  let low: u32 = 1;
  let high: u32 = 0;
  const end = from + bytes;
  while (from < end) {
    const stop = min(end, from + ADLER_BYTES);
    // In a sixteen, the first byte counts sixteen times for the upper sum, the last once; what was before, sixteen times.
    let sums = i32x4.splat(0);
    let before = i32x4.splat(0);
    let weighted = i32x4.splat(0);
    let sixteens: u32 = 0;
    for (; from + 16 <= stop; from += 16, sixteens++) {
      const block = v128.load(from);
      before = i32x4.add(before, sums);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(block)));
      const first = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(block), i16x8(16, 15, 14, 13, 12, 11, 10, 9));
      const last = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(block), i16x8(8, 7, 6, 5, 4, 3, 2, 1));
      weighted = i32x4.add(weighted, i32x4.add(first, last));
    }
    high += 16 * (sixteens * low + total(before)) + total(weighted);
    low += total(sums);
    for (; from < stop; from++) {
      low += load<u8>(from);
      high += low;
    }
    low %= ADLER;
    high %= ADLER;
  }
  return (high << 16) | low;
}

function total(lanes: v128): u32 {
  return (
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3)
  );
}
