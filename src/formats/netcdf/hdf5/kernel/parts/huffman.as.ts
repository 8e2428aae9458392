// Huffman codes as deflate has them: canonical, of limited length, the first bit lowest.

/** Room for what the codes are made in: as many as the largest alphabet has. */
const MOST_SYMBOLS: usize = 288;
/** Symbols that occur, rarest first, and what they weigh; the second becomes how long their codes are. */
const ORDER = memory.data(288 * 2);
const WEIGHTS = memory.data(288 * 4);
const COUNTS = memory.data(33 * 4);
const NEXT = memory.data(33 * 4);

/**
 * Writes a code for each symbol that occurs: its length into `lengths` (one byte each, 0 where there is none), its bits
 * into `codes` (two bytes each).
 *
 * @param frequencies four bytes each
 */
export function makeCodes(frequencies: usize, symbols: usize, limit: u32, lengths: usize, codes: usize): void {
  memory.fill(lengths, 0, symbols);
  const used = sortSymbols(frequencies, symbols);
  if (used === 0) return;
  if (used === 1) store<u32>(WEIGHTS, 1);
  else weightsToDepths(used);
  memory.fill(COUNTS, 0, 33 * 4);
  for (let i: usize = 0; i < used; i++) count(min<u32>(load<u32>(WEIGHTS + (i << 2)), limit), 1);
  fitInto(limit, used);
  // The rarest have the longest codes.
  let length = limit;
  let left = load<u32>(COUNTS + (length << 2));
  for (let i: usize = 0; i < used; i++) {
    while (left === 0) left = load<u32>(COUNTS + (--length << 2));
    left--;
    store<u8>(lengths + load<u16>(ORDER + (i << 1)), length);
  }
  let code: u32 = 0;
  for (let bits: u32 = 1; bits <= limit; bits++) {
    store<u32>(NEXT + (bits << 2), code);
    code = (code + load<u32>(COUNTS + (bits << 2))) << 1;
  }
  for (let symbol: usize = 0; symbol < symbols; symbol++) {
    const bits = <u32>load<u8>(lengths + symbol);
    if (bits === 0) continue;
    const own = load<u32>(NEXT + (bits << 2));
    store<u32>(NEXT + (bits << 2), own + 1);
    store<u16>(codes + (symbol << 1), reversed(own, bits));
  }
}

/** Fills ORDER and WEIGHTS; returns how many symbols occur. */
function sortSymbols(frequencies: usize, symbols: usize): usize {
  let used: usize = 0;
  for (let symbol: usize = 0; symbol < symbols; symbol++) {
    const weight = load<u32>(frequencies + (symbol << 2));
    if (weight === 0) continue;
    let at = used++;
    for (; at > 0 && load<u32>(WEIGHTS + ((at - 1) << 2)) > weight; at--) {
      store<u32>(WEIGHTS + (at << 2), load<u32>(WEIGHTS + ((at - 1) << 2)));
      store<u16>(ORDER + (at << 1), load<u16>(ORDER + ((at - 1) << 1)));
    }
    store<u32>(WEIGHTS + (at << 2), weight);
    store<u16>(ORDER + (at << 1), <u16>symbol);
  }
  return used;
}

/** Moffat and Katajainen, In-place calculation of minimum-redundancy codes (1995): ascending weights become depths. */
function weightsToDepths(n: usize): void {
  let leaf: usize = 2;
  let root: usize = 0;
  store<u32>(WEIGHTS, weight(0) + weight(1));
  for (let next: usize = 1; next < n - 1; next++) {
    let sum: u32 = 0;
    for (let half = 0; half < 2; half++) {
      if (leaf >= n || (root < next && weight(root) < weight(leaf))) {
        sum += weight(root);
        store<u32>(WEIGHTS + (root++ << 2), <u32>next);
      } else sum += weight(leaf++);
    }
    store<u32>(WEIGHTS + (next << 2), sum);
  }
  store<u32>(WEIGHTS + ((n - 2) << 2), 0);
  for (let next = <isize>n - 3; next >= 0; next--) store<u32>(WEIGHTS + (next << 2), weight(weight(next)) + 1);
  let available: usize = 1;
  let used: usize = 0;
  let depth: u32 = 0;
  let inner = <isize>n - 2;
  let next = <isize>n - 1;
  while (available > 0) {
    while (inner >= 0 && weight(inner) === depth) {
      used++;
      inner--;
    }
    while (available > used) {
      store<u32>(WEIGHTS + (next-- << 2), depth);
      available--;
    }
    available = 2 * used;
    depth++;
    used = 0;
  }
}

function weight(index: usize): u32 {
  return load<u32>(WEIGHTS + (index << 2));
}

/** Codes that were cut to the limit take more room than there is: others grow by a bit until all fit. */
function fitInto(limit: u32, used: usize): void {
  if (used < 2) return;
  let taken: u32 = 0;
  for (let bits: u32 = 1; bits <= limit; bits++) taken += load<u32>(COUNTS + (bits << 2)) << (limit - bits);
  for (; taken > (<u32>1) << limit; taken--) {
    count(limit, -1);
    let bits = limit - 1;
    while (load<u32>(COUNTS + (bits << 2)) === 0) bits--;
    count(bits, -1);
    count(bits + 1, 2);
  }
}

function count(bits: u32, more: i32): void {
  store<i32>(COUNTS + (bits << 2), load<i32>(COUNTS + (bits << 2)) + more);
}

function reversed(code: u32, bits: u32): u16 {
  let out: u32 = 0;
  let left = code;
  for (let i: u32 = 0; i < bits; i++) {
    out = (out << 1) | (left & 1);
    left >>= 1;
  }
  return <u16>out;
}
