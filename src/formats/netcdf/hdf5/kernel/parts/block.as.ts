// Writing of a deflate stream (RFC 1951): blocks of tokens under Huffman codes of their own, and blocks stored as they are.
import { makeCodes } from "./huffman.as";

const LITERALS: usize = 286;
const DISTANCES: usize = 30;
const END_OF_BLOCK: usize = 256;
/** Lengths of codes are written as numbers, and runs of them, under codes in turn. */
const LENGTH_SYMBOLS: usize = 19;
const MOST_STORED: usize = 65535;

const LITERAL_COUNTS = memory.data(286 * 4);
const LITERAL_LENGTHS = memory.data(286 + 30);
const LITERAL_CODES = memory.data(286 * 2);
const DISTANCE_COUNTS = memory.data(30 * 4);
const DISTANCE_LENGTHS = memory.data(30);
const DISTANCE_CODES = memory.data(30 * 2);
const LENGTH_COUNTS = memory.data(19 * 4);
const LENGTH_LENGTHS = memory.data(19);
const LENGTH_CODES = memory.data(19 * 2);
/** Runs of lengths: the symbol, and how many beyond the least of it. */
const RUNS = memory.data((286 + 30) * 2);
const LENGTH_ORDER = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

/** For each length of a match its symbol, and the bits beside it: see `match`. */
const SYMBOL_OF_LENGTH = memory.data(259 * 4);

/** Tokens that wait for the end of their block: see `literal` and `match`. */
let tokens: usize = 0;
let tokensAt: usize = 0;
let extraBits: u32 = 0;
/** Where the next byte goes, and bits that do not fill one yet. */
let out: usize = 0;
let waiting: u64 = 0;
let bits: u64 = 0;

export function start(): void {
  let length: usize = 3;
  for (let symbol: u32 = 257; symbol < 285; symbol++) {
    const extra = symbol < 265 ? 0 : (symbol - 261) >> 2;
    for (let k: u32 = 0; k < (<u32>1) << extra; k++, length++) {
      store<u32>(SYMBOL_OF_LENGTH + (length << 2), symbol | (k << 9));
    }
  }
  store<u32>(SYMBOL_OF_LENGTH + (258 << 2), 285);
}

/** @param tokensRoom four bytes for each byte of a block */
export function open(to: usize, tokensRoom: usize): void {
  out = to;
  waiting = 0;
  bits = 0;
  tokens = tokensRoom;
  clear();
}

function clear(): void {
  tokensAt = tokens;
  extraBits = 0;
  memory.fill(LITERAL_COUNTS, 0, LITERALS << 2);
  memory.fill(DISTANCE_COUNTS, 0, DISTANCES << 2);
}

// A token: 9 bits of its symbol; of a match 5 more that its length has beside it, and 15 of its distance less one.

export function literal(byte: u32): void {
  store<u32>(tokensAt, byte);
  tokensAt += 4;
  const at = LITERAL_COUNTS + (byte << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/** @param length 3 to 258 @param distance 1 to 32768 */
export function match(length: u32, distance: u32): void {
  const ofLength = load<u32>(SYMBOL_OF_LENGTH + (length << 2));
  store<u32>(tokensAt, ofLength | ((distance - 1) << 14));
  tokensAt += 4;
  const at = LITERAL_COUNTS + ((ofLength & 511) << 2);
  store<u32>(at, load<u32>(at) + 1);
  const place = DISTANCE_COUNTS + (distanceSymbol(distance - 1) << 2);
  store<u32>(place, load<u32>(place) + 1);
  extraBits += extraOfLength(ofLength & 511) + extraOfDistance(distance - 1);
}

function extraOfLength(symbol: u32): u32 {
  return symbol < 265 || symbol === 285 ? 0 : (symbol - 261) >> 2;
}

/** @param far the distance less one */
function extraOfDistance(far: u32): u32 {
  return far < 4 ? 0 : 30 - clz(far);
}

function distanceSymbol(far: u32): u32 {
  const extra = extraOfDistance(far);
  return 2 * extra + (far >> extra);
}

/** Writes the block of the tokens so far, or the bytes they stand for as they are where that is shorter. */
export function endBlock(plain: usize, length: usize, isLast: bool): void {
  store<u32>(LITERAL_COUNTS + (END_OF_BLOCK << 2), 1);
  makeCodes(LITERAL_COUNTS, LITERALS, 15, LITERAL_LENGTHS, LITERAL_CODES);
  makeCodes(DISTANCE_COUNTS, DISTANCES, 15, DISTANCE_LENGTHS, DISTANCE_CODES);
  const literals = max<usize>(257, upTo(LITERAL_LENGTHS, LITERALS));
  const distances = max<usize>(1, upTo(DISTANCE_LENGTHS, DISTANCES));
  memory.copy(LITERAL_LENGTHS + literals, DISTANCE_LENGTHS, distances);
  const runs = toRuns(literals + distances);
  makeCodes(LENGTH_COUNTS, LENGTH_SYMBOLS, 7, LENGTH_LENGTHS, LENGTH_CODES);
  let lengths = LENGTH_SYMBOLS;
  while (load<u8>(LENGTH_LENGTHS + load<u8>(LENGTH_ORDER + lengths - 1)) === 0) lengths--;
  const least: u32 =
    <u32>lengths * 3 +
    sizeOf(LITERAL_COUNTS, LITERAL_LENGTHS, literals) +
    sizeOf(LENGTH_COUNTS, LENGTH_LENGTHS, LENGTH_SYMBOLS) +
    sizeOf(DISTANCE_COUNTS, DISTANCE_LENGTHS, distances) +
    extraBits;
  if (least >= (<u32>length) << 3) stored(plain, length, isLast);
  else {
    put((isLast ? 1 : 0) | (2 << 1), 3);
    put(literals - 257, 5);
    put(distances - 1, 5);
    put(lengths - 4, 4);
    for (let i: usize = 0; i < lengths; i++) put(load<u8>(LENGTH_LENGTHS + load<u8>(LENGTH_ORDER + i)), 3);
    writeRuns(runs);
    writeTokens();
  }
  clear();
}

/** Blocks of bytes as they are. */
export function stored(from: usize, length: usize, isLast: bool): void {
  for (let at: usize = 0; at < length; at += MOST_STORED) {
    const n = min<usize>(MOST_STORED, length - at);
    put(isLast && at + n === length ? 1 : 0, 3);
    align();
    store<u16>(out, <u16>n);
    store<u16>(out + 2, ~(<u16>n));
    memory.copy(out + 4, from + at, n);
    out += 4 + n;
  }
}

/** Fills the last byte; returns where the stream ends. */
export function align(): usize {
  store<u8>(out, <u8>waiting);
  if (bits > 0) out++;
  waiting = 0;
  bits = 0;
  return out;
}

function put(value: u64, length: u64): void {
  waiting |= value << bits;
  bits += length;
  store<u64>(out, waiting);
  out += <usize>(bits >> 3);
  waiting >>= bits & 56;
  bits &= 7;
}

function writeTokens(): void {
  const end = tokensAt;
  for (let at = tokens; at < end; at += 4) {
    const token = load<u32>(at);
    const symbol = token & 511;
    let value = <u64>load<u16>(LITERAL_CODES + (symbol << 1));
    let length = <u64>load<u8>(LITERAL_LENGTHS + symbol);
    if (symbol > 256) {
      value |= (<u64>((token >> 9) & 31)) << length;
      length += extraOfLength(symbol);
      const far = token >> 14;
      const extra = extraOfDistance(far);
      const distance = 2 * extra + (far >> extra);
      value |= (<u64>load<u16>(DISTANCE_CODES + (distance << 1))) << length;
      length += load<u8>(DISTANCE_LENGTHS + distance);
      value |= (<u64>(far & (((<u32>1) << extra) - 1))) << length;
      length += extra;
    }
    put(value, length);
  }
  put(load<u16>(LITERAL_CODES + (END_OF_BLOCK << 1)), load<u8>(LITERAL_LENGTHS + END_OF_BLOCK));
}

/** How many lengths there are up to the last that is not zero. */
function upTo(lengths: usize, n: usize): usize {
  let end = n;
  while (end > 0 && load<u8>(lengths + end - 1) === 0) end--;
  return end;
}

function sizeOf(counts: usize, lengths: usize, n: usize): u32 {
  let size: u32 = 0;
  for (let i: usize = 0; i < n; i++) size += load<u32>(counts + (i << 2)) * load<u8>(lengths + i);
  return size;
}

/** Writes the lengths of the codes as runs; returns how many of these there are. */
function toRuns(n: usize): usize {
  memory.fill(LENGTH_COUNTS, 0, LENGTH_SYMBOLS << 2);
  let runs: usize = 0;
  for (let i: usize = 0; i < n;) {
    const length = load<u8>(LITERAL_LENGTHS + i);
    let k = i + 1;
    while (k < n && load<u8>(LITERAL_LENGTHS + k) === length) k++;
    if (length !== 0) runs = addRun(runs, length, 0);
    let left = <u32>(length !== 0 ? k - i - 1 : k - i);
    const short: u32 = length !== 0 ? 6 : 10;
    while (left >= 3) {
      const isLong = length === 0 && left > short;
      const part = min<u32>(left, isLong ? 138 : short);
      runs = addRun(runs, isLong ? 18 : length !== 0 ? 16 : 17, part - (isLong ? 11 : 3));
      left -= part;
    }
    for (; left > 0; left--) runs = addRun(runs, length, 0);
    i = k;
  }
  return runs;
}

function addRun(runs: usize, symbol: u32, more: u32): usize {
  store<u8>(RUNS + (runs << 1), <u8>symbol);
  store<u8>(RUNS + (runs << 1) + 1, <u8>more);
  const at = LENGTH_COUNTS + (symbol << 2);
  store<u32>(at, load<u32>(at) + 1);
  return runs + 1;
}

function writeRuns(runs: usize): void {
  for (let i: usize = 0; i < runs; i++) {
    const symbol = <usize>load<u8>(RUNS + (i << 1));
    put(load<u16>(LENGTH_CODES + (symbol << 1)), load<u8>(LENGTH_LENGTHS + symbol));
    if (symbol >= 16) put(load<u8>(RUNS + (i << 1) + 1), symbol === 16 ? 2 : symbol === 17 ? 3 : 7);
  }
}
