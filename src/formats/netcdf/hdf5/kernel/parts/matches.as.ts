import { endBlock, literal, match } from "./block.as";

/** Bytes of a block: so many have room as tokens. */
const BLOCK: usize = 65536;
/** Deflate looks 32 KB back, which are so many values. */
const WINDOW: u32 = 4096;
/** A match of so many values is the longest. */
const MOST_VALUES: u32 = 32;

/** By what values, and their low halves, are like: one more than the place of the last one; and for each place that of the one before. */
const LAST = memory.data(4096 * 4);
const LAST_LOW = memory.data(4096 * 4);
const BEFORE = memory.data(4096 * 4);

/** Runs of equal bytes, in planes of bytes: of all that deflate can tell, shuffled values have little else. */
export function writeRuns(start: usize, length: usize): void {
  const end = start + length;
  for (let from = start; from < end; from += BLOCK) {
    const stop = min<usize>(end, from + BLOCK);
    let at = from;
    while (at < stop) {
      const byte = <u32>load<u8>(at);
      literal(byte);
      at++;
      if (at + 4 > stop || load<u32>(at) !== byte * 0x01010101) continue;
      let next = at + 4;
      const eight = <u64>byte * 0x0101010101010101;
      while (next + 8 <= stop && load<u64>(next) === eight) next += 8;
      while (next < stop && load<u8>(next) === byte) next++;
      while (next - at >= 3) {
        const n = min<usize>(258, next - at);
        match(<u32>n, 1);
        at += n;
      }
    }
    endBlock(from, stop - from, stop === end);
  }
}

/** Values that come back, at whole values only; of one that does not, the lower bytes it shares with another. */
export function writeMatches(start: usize, count: u32): void {
  memory.fill(LAST, 0, 4096 << 2);
  memory.fill(LAST_LOW, 0, 4096 << 2);
  const perBlock = <u32>(BLOCK >> 3);
  for (let from: u32 = 0; from < count; from += perBlock) {
    const stop = min<u32>(count, from + perBlock);
    for (let i = from; i < stop;) i += writeValue(start, i, stop);
    endBlock(start + (from << 3), (stop - from) << 3, stop === count);
  }
}

/** Writes tokens for the value at `i`, and for those behind it that follow the same one as before; returns how many. */
function writeValue(start: usize, i: u32, stop: u32): u32 {
  const here = start + (i << 3);
  const value = load<u64>(here);
  const most = min<u32>(MOST_VALUES, stop - i);
  let best: u32 = 0;
  let distance: u32 = 0;
  let place = load<u32>(LAST + slot(value));
  for (let tries = 0; tries < 2; tries++) {
    if (place === 0 || i - (place - 1) > WINDOW) break;
    const there = start + ((place - 1) << 3);
    let n: u32 = 0;
    while (n < most && load<u64>(there + (n << 3)) === load<u64>(here + (n << 3))) n++;
    if (n > best) {
      best = n;
      distance = i - (place - 1);
    }
    if (n > 4) break;
    const before = load<u32>(BEFORE + (((place - 1) & (WINDOW - 1)) << 2));
    if (before >= place) break;
    place = before;
  }
  if (best > 0) {
    match(best << 3, distance << 3);
    // A long run need not be found at each of its places.
    for (let k: u32 = 0; k < (best < 8 ? best : 1); k++) remember(load<u64>(here + (k << 3)), i + k);
    return best;
  }
  let shared: u32 = 0;
  const low = load<u32>(LAST_LOW + lowSlot(value));
  if (low !== 0 && i - (low - 1) <= WINDOW) {
    const different = load<u64>(start + ((low - 1) << 3)) ^ value;
    shared = <u32>(ctz(different) >> 3);
    if (shared >= 3) match(shared, (i - (low - 1)) << 3);
    else shared = 0;
  }
  for (; shared < 8; shared++) literal(<u32>((value >> (shared << 3)) & 0xff));
  remember(value, i);
  return 1;
}

function remember(value: u64, i: u32): void {
  const at = LAST + slot(value);
  store<u32>(BEFORE + ((i & (WINDOW - 1)) << 2), load<u32>(at));
  store<u32>(at, i + 1);
  store<u32>(LAST_LOW + lowSlot(value), i + 1);
}

function slot(value: u64): usize {
  return (<usize>((value * 0x9e3779b97f4a7c15) >> 52)) << 2;
}

function lowSlot(value: u64): usize {
  return (<usize>((<u32>value * 0x9e3779b1) >> 20)) << 2;
}
