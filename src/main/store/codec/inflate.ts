import { DamagedData } from "../errors.ts";

/** Codes up to so many bits are found in one step; longer ones are rare. */
const QUICK_BITS = 10;
const QUICK_MASK = (1 << QUICK_BITS) - 1;
const MOST_BITS = 15;
const END_OF_BLOCK = 256;

// Each extra bit of a length or a distance serves several codes, which begin where the one before ends.
const LENGTH_EXTRA = Uint8Array.from({ length: 29 }, (_, i) => (i < 8 || i === 28 ? 0 : (i >> 2) - 1));
const LENGTH_BASE = startsOf(LENGTH_EXTRA, 3);
// The longest length has a code of its own.
LENGTH_BASE[28] = 258;
const DISTANCE_EXTRA = Uint8Array.from({ length: 30 }, (_, i) => (i < 4 ? 0 : (i >> 1) - 1));
const DISTANCE_BASE = startsOf(DISTANCE_EXTRA, 1);
/** The order in which a block tells the lengths of the codes of its code lengths. */
const ORDER = Uint8Array.of(16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15);

/** A Huffman code; symbols of quick codes lie under their bits as they come, with the length in the low four bits. */
interface Code {
  readonly quick: Uint16Array;
  /** How many symbols have a code of each length. */
  readonly counts: Uint16Array;
  /** Symbols in the order of their codes. */
  readonly symbols: Uint16Array;
}

interface Codes {
  readonly literals: Code;
  readonly distances: Code;
}

const codeOf = (symbols: number): Code => ({
  quick: new Uint16Array(1 << QUICK_BITS),
  counts: new Uint16Array(MOST_BITS + 1),
  symbols: new Uint16Array(symbols),
});

// Used again with every call: nothing here waits for anything.
const ownLiterals = codeOf(288);
const ownDistances = codeOf(32);
const lengthsCode = codeOf(19);
/** The codes of blocks that bring none, made by the first of them. */
let fixed: Codes | null = null;
const lengths = new Uint8Array(320);
const places = new Uint16Array(MOST_BITS + 2);

const NOTHING: Uint8Array = new Uint8Array(0);
let source = NOTHING;
let at = 0;
let held = 0;
let heldBits = 0;

/**
 * Undoes raw deflate into `target`, which it has to fill. For the few kilobytes of a day of one variable: zlib makes
 * itself a state of 40 kB for each of them, which takes as long as the work and keeps the garbage collector busy.
 *
 * @throws DamagedData
 */
export function inflateInto(target: Uint8Array, deflated: Uint8Array): void {
  source = deflated;
  at = 0;
  held = 0;
  heldBits = 0;
  let filled = 0;
  for (let isLast = false; !isLast;) {
    isLast = bits(1) === 1;
    const kind = bits(2);
    if (kind === 0) filled = copyStored(target, filled);
    else if (kind === 3) throw torn();
    else {
      const { literals, distances } = kind === 1 ? (fixed ??= fixedCodes()) : dynamicCodes();
      filled = decode(target, filled, literals, distances);
    }
    if (at - (heldBits >> 3) > source.length) throw torn();
  }
  source = NOTHING;
  if (filled !== target.length) throw torn();
}

function startsOf(extraBits: Uint8Array, first: number): Uint16Array {
  let start = first;
  return Uint16Array.from(extraBits, (count) => (start += 1 << count) - (1 << count));
}

function torn(): DamagedData {
  return new DamagedData("compressed bytes that cannot be read");
}

/** At most 16. */
function bits(count: number): number {
  while (heldBits < count) {
    if (at >= source.length) throw torn();
    held |= source[at++]! << heldBits;
    heldBits += 8;
  }
  const value = held & ((1 << count) - 1);
  held >>>= count;
  heldBits -= count;
  return value;
}

function copyStored(target: Uint8Array, filled: number): number {
  // Whole bytes that wait belong to what follows.
  at -= heldBits >> 3;
  held = 0;
  heldBits = 0;
  if (at + 4 > source.length) throw torn();
  const length = source[at]! | (source[at + 1]! << 8);
  const check = source[at + 2]! | (source[at + 3]! << 8);
  at += 4;
  if (length !== (~check & 0xffff) || at + length > source.length || filled + length > target.length) throw torn();
  target.set(source.subarray(at, at + length), filled);
  at += length;
  return filled + length;
}

function fixedCodes(): Codes {
  lengths.fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280, 288).fill(5, 288, 318);
  return { literals: build(codeOf(288), 0, 288), distances: build(codeOf(32), 288, 30) };
}

function dynamicCodes(): Codes {
  const literalCount = bits(5) + 257;
  const distanceCount = bits(5) + 1;
  const orderCount = bits(4) + 4;
  if (literalCount > 286 || distanceCount > 30) throw torn();
  lengths.fill(0, 0, 19);
  for (let i = 0; i < orderCount; i++) lengths[ORDER[i]!] = bits(3);
  build(lengthsCode, 0, 19);
  const count = literalCount + distanceCount;
  for (let i = 0; i < count;) {
    const symbol = symbolOf(lengthsCode);
    if (symbol < 16) {
      lengths[i++] = symbol;
      continue;
    }
    if (symbol === 16 && i === 0) throw torn();
    const repeated = symbol === 16 ? lengths[i - 1]! : 0;
    const times = symbol === 16 ? 3 + bits(2) : symbol === 17 ? 3 + bits(3) : 11 + bits(7);
    if (i + times > count) throw torn();
    lengths.fill(repeated, i, (i += times));
  }
  if (lengths[END_OF_BLOCK] === 0) throw torn();
  return {
    literals: build(ownLiterals, 0, literalCount),
    distances: build(ownDistances, literalCount, distanceCount),
  };
}

/** Makes the code of symbols 0 to `count`, whose lengths lie in `lengths` from `from` on. */
function build(code: Code, from: number, count: number): Code {
  const { quick, counts, symbols } = code;
  counts.fill(0);
  for (let i = 0; i < count; i++) counts[lengths[from + i]!]!++;
  counts[0] = 0;
  let room = 1;
  places[1] = 0;
  for (let length = 1; length <= MOST_BITS; length++) {
    room = 2 * room - counts[length]!;
    if (room < 0) throw torn();
    places[length + 1] = places[length]! + counts[length]!;
  }
  for (let i = 0; i < count; i++) if (lengths[from + i] !== 0) symbols[places[lengths[from + i]!]!++] = i;
  // Codes come with their first bit lowest, so each lies at every place that ends with it, turned around.
  quick.fill(0);
  let next = 0;
  let first = 0;
  for (let length = 1; length <= QUICK_BITS; length++) {
    const step = 1 << length;
    for (let k = counts[length]!; k > 0; k--) {
      const entry = (symbols[next++]! << 4) | length;
      let turned = 0;
      for (let bit = 0; bit < length; bit++) turned |= ((first >> bit) & 1) << (length - 1 - bit);
      for (let place = turned; place < quick.length; place += step) quick[place] = entry;
      first++;
    }
    first <<= 1;
  }
  return code;
}

/** Reads a symbol, bit by bit where its code is long. */
function symbolOf({ quick, counts, symbols }: Code): number {
  while (heldBits < MOST_BITS) {
    // Behind the end come zeros: whether it read any of them is asked after each block.
    held |= (at < source.length ? source[at]! : 0) << heldBits;
    at++;
    heldBits += 8;
  }
  const entry = quick[held & QUICK_MASK]!;
  let length = entry & 15;
  let symbol = entry >> 4;
  if (length === 0) {
    let code = 0;
    let first = 0;
    let index = 0;
    for (length = 1; ; length++) {
      if (length > MOST_BITS) throw torn();
      code |= (held >> (length - 1)) & 1;
      const count = counts[length]!;
      if (code - first < count) {
        symbol = symbols[index + code - first]!;
        break;
      }
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
  }
  held >>>= length;
  heldBits -= length;
  return symbol;
}

/** Decodes a block by the codes that were built. */
function decode(target: Uint8Array, from: number, literals: Code, distances: Code): number {
  const { quick } = literals;
  const bytes = source;
  const last = bytes.length - 1;
  const size = target.length;
  let filled = from;
  while (true) {
    // Literals, by far the most, without a call for each.
    let waiting = held;
    let waitingBits = heldBits;
    let next = at;
    while (filled < size && next < last) {
      if (waitingBits < QUICK_BITS) {
        waiting |= (bytes[next]! | (bytes[next + 1]! << 8)) << waitingBits;
        next += 2;
        waitingBits += 16;
      }
      const entry = quick[waiting & QUICK_MASK]!;
      // None at all, or the end, or a copy.
      if (entry === 0 || entry >= END_OF_BLOCK << 4) break;
      const length = entry & 15;
      target[filled++] = entry >> 4;
      waiting >>>= length;
      waitingBits -= length;
    }
    held = waiting;
    heldBits = waitingBits;
    at = next;
    const symbol = symbolOf(literals);
    if (symbol < END_OF_BLOCK) {
      if (filled === size) throw torn();
      target[filled++] = symbol;
      continue;
    }
    if (symbol === END_OF_BLOCK) return filled;
    if (symbol > 285) throw torn();
    const length = LENGTH_BASE[symbol - 257]! + bits(LENGTH_EXTRA[symbol - 257]!);
    const slot = symbolOf(distances);
    if (slot > 29) throw torn();
    const distance = DISTANCE_BASE[slot]! + bits(DISTANCE_EXTRA[slot]!);
    if (distance > filled || filled + length > size) throw torn();
    for (const end = filled + length; filled < end; filled++) target[filled] = target[filled - distance]!;
  }
}
