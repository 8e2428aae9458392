/** So many bytes until the sums have to be brought back below the modulus, a multiple of 16. */
const MOST: usize = 5536;
const MODULUS: u32 = 65521;

/** The checksum of zlib (Adler-32), sixteen bytes at a time. @param length a multiple of eight */
export function adler32(start: usize, length: usize): u32 {
  const weights = i8x16(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1);
  let at = start;
  const end = start + (length & ~15);
  let low: u32 = 1;
  let high: u32 = 0;
  while (at < end) {
    const n = min<usize>(MOST, end - at);
    // What each byte adds to the second sum: all sums before it as often as vectors follow, and its weight in its own.
    let sums = i32x4.splat(0);
    let before = i32x4.splat(0);
    let weighted = i32x4.splat(0);
    for (const stop = at + n; at < stop; at += 16) {
      const bytes = v128.load(at);
      before = i32x4.add(before, sums);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes)));
      weighted = i32x4.add(weighted, i32x4.extadd_pairwise_i16x8_u(i16x8.extmul_low_i8x16_u(bytes, weights)));
      weighted = i32x4.add(weighted, i32x4.extadd_pairwise_i16x8_u(i16x8.extmul_high_i8x16_u(bytes, weights)));
    }
    high = (high + low * <u32>n + 16 * across(before) + across(weighted)) % MODULUS;
    low = (low + across(sums)) % MODULUS;
  }
  for (const stop = start + length; at < stop; at++) {
    low = (low + load<u8>(at)) % MODULUS;
    high = (high + low) % MODULUS;
  }
  return (high << 16) | low;
}

function across(lanes: v128): u32 {
  const low = i32x4.extract_lane(lanes, 0) + i32x4.extract_lane(lanes, 1);
  return low + i32x4.extract_lane(lanes, 2) + i32x4.extract_lane(lanes, 3);
}
