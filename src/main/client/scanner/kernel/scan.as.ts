// The inner loop of the row scanner, in AssemblyScript: whole numbers of 64 bits, no guessing of types, and nearly as
// quick in its first millisecond as in its last. `npm run kernels` compiles it into binary.ts.
//
// It reads from and writes to its memory only, which is laid out by layout.ts; the JavaScript beside it makes blocks and
// templates there, and takes the rows. Behind the data lie 64 bytes, the first of them zero: no row holds it, so it stops
// every reader and equals no literal.
import * as layout from "./layout";

/** Learns the day `2026-01-01` at an address: its milliseconds, NaN where that is no day. */
declare function dayAt(at: usize): f64;
/** Reads any JSON number at an address, and calls `tell` with where it ends; NaN where there is none. */
declare function numberAt(at: usize): f64;

const STATE = memory.data(96);
/** Powers of ten that a double holds exactly, and the same cut into halves of 26 bits, whose products are exact. */
const POWERS = memory.data(23 * 8);
const POWERS_HIGH = memory.data(23 * 8);
const POWERS_LOW = memory.data(23 * 8);
const WHOLE_POWERS = memory.data(9 * 8);
/** Cuts a double into such halves (Veltkamp). */
const CUT: f64 = 134217729;
/** Well above the relative error of the correction in `quotient` (2^-52). */
const DOUBT: f64 = 8.881784197001252e-16;
/** Whole numbers up to here are doubles without a gap. */
const EXACT: u64 = 9007199254740992;

const ZERO: u32 = 0x30;
const QUOTE: u32 = 0x22;
const BACKSLASH: u32 = 0x5c;
/** `null`, `NaN` and `""` as little-endian words. */
const NULL: u32 = 0x6c6c756e;
const NAN: u32 = 0x4e614e;
const EMPTY: u32 = 0x2222;
/** `,{` */
const NEXT_ROW: u32 = 0x7b2c;
const ZEROS: u64 = 0x3030303030303030;
const SIXES: u64 = 0x0606060606060606;
const HIGH_HALVES: u64 = 0xf0f0f0f0f0f0f0f0;
/** `00:00:00` */
const MIDNIGHT: u64 = 0x30303a30303a3030;
/** `.000` */
const MILLISECONDS: u32 = 0x3030302e;

/** What the last reader read, and where it stopped. */
let number: f64 = 0;
let after: usize = 0;
/** The last day that was learned: its first eleven bytes, `2026-01-01T`, and its beginning. */
let day0: u64 = 0;
let day1: u32 = 0;
let dayMs: f64 = 0;

export function state(): usize {
  return STATE;
}

/** Where memory is free. */
export function heap(): usize {
  return __heap_base;
}

export function start(): void {
  let power: f64 = 1;
  let whole: u64 = 1;
  for (let n: usize = 0; n < 23; n++) {
    store<f64>(POWERS + (n << 3), power);
    const high = CUT * power - (CUT * power - power);
    store<f64>(POWERS_HIGH + (n << 3), high);
    store<f64>(POWERS_LOW + (n << 3), power - high);
    if (n < 9) store<u64>(WHOLE_POWERS + (n << 3), whole);
    power *= 10;
    whole *= 10;
  }
}

/** What the last reader read. */
export function value(): f64 {
  return number;
}

/** Where the number that JavaScript reads comes to its end. */
export function tell(at: usize): void {
  after = at;
}

/** Zero where each of the eight bytes, without the bits of `0`, is a digit. */
function notDigits(word: u64): u64 {
  return (word | (word + SIXES)) & HIGH_HALVES;
}

/** Eight digits without the bits of `0`, the first in the lowest byte, as a number. */
function eight(digits: u64): u64 {
  const pairs = digits * 10 + (digits >> 8);
  const hundreds = (pairs & 0x000000ff000000ff) * 0x000f424000000064;
  const rest = ((pairs >> 16) & 0x000000ff000000ff) * 0x0000271000000001;
  return (hundreds + rest) >> 32;
}

/**
 * digits / 10^decimals, correctly rounded; NaN where this way cannot tell the rounding.
 *
 * The digits are held as the sum of two doubles. The quotient of the larger one leaves a remainder that is a double
 * again (so is every remainder of a rounded division), computed exactly by Dekker's product. Remainder and smaller part
 * give the correction, with a relative error of at most 2^-52. Where the quotient rounds the same way with the
 * correction taken a little smaller and a little larger, it rounds the same way with the true one.
 */
function quotient(digits: u64, decimals: usize): f64 {
  const large = <f64>digits;
  const small = <f64>(<i64>(digits - <u64>large));
  const divisor = load<f64>(POWERS + (decimals << 3));
  const q = large / divisor;
  const product = q * divisor;
  const qHigh = CUT * q - (CUT * q - q);
  const qLow = q - qHigh;
  const dHigh = load<f64>(POWERS_HIGH + (decimals << 3));
  const dLow = load<f64>(POWERS_LOW + (decimals << 3));
  const error = qHigh * dHigh - product + qHigh * dLow + qLow * dHigh + qLow * dLow;
  const correction = (large - product - error + small) / divisor;
  const rounded = q + correction * (1 - DOUBT);
  return rounded === q + correction * (1 + DOUBT) ? rounded : NaN;
}

function readSlowly(at: usize): usize {
  after = 0;
  number = numberAt(at);
  return after;
}

/**
 * Reads a JSON number into `number`, to the bit what `JSON.parse` makes of it; returns where it ends, zero where there
 * is no finite number.
 *
 * Up to 19 digits without exponent are computed: a whole number below 2^53 and a power of ten up to 10^22 are exact, so
 * their quotient is rounded once, which is all that is asked; longer ones see `quotient`. Anything else is left to
 * JavaScript.
 */
export function readNumber(start: usize): usize {
  let at = start;
  let byte = <u32>load<u8>(at);
  const isNegative = byte === 0x2d;
  if (isNegative) byte = load<u8>(++at);
  let digits: u64 = 0;
  let whole = at;
  if (byte === ZERO) {
    byte = load<u8>(++at);
    whole = at;
  } else {
    for (let digit = byte - ZERO; digit <= 9; digit = byte - ZERO) {
      digits = digits * 10 + digit;
      byte = load<u8>(++at);
    }
    if (at === whole) return 0;
  }
  let count = at - whole;
  let decimals: usize = 0;
  if (byte === 0x2e) {
    const fraction = ++at;
    let word = load<u64>(at) ^ ZEROS;
    let others = notDigits(word);
    // More than 19 digits are too many in any case; they are read to their end all the same.
    while (others === 0) {
      digits = digits * 100000000 + eight(word);
      at += 8;
      word = load<u64>(at) ^ ZEROS;
      others = notDigits(word);
    }
    const left = <usize>(ctz(others) >> 3);
    if (left > 0) {
      digits = digits * load<u64>(WHOLE_POWERS + (left << 3)) + eight(word << (64 - (left << 3)));
      at += left;
    }
    decimals = at - fraction;
    if (decimals === 0) return 0;
    count += decimals;
    byte = load<u8>(at);
  }
  // A digit can only stand here behind a leading zero, which JSON forbids; 0x20 makes E and e one.
  if (count > 19 || (byte | 0x20) === 0x65 || byte - ZERO <= 9) return readSlowly(start);
  const value = digits < EXACT ? <f64>digits / load<f64>(POWERS + (decimals << 3)) : quotient(digits, decimals);
  if (value !== value) return readSlowly(start);
  number = isNegative ? -value : value;
  return at;
}

/**
 * Reads `2026-01-01T00:00:00.000Z` or `2026-01-01T00:00:00Z` into `number` as milliseconds; returns where it ends, zero for
 * every other form (which may still be valid).
 */
export function readMoment(at: usize): usize {
  if (load<u64>(at) !== day0 || (load<u32>(at, 8) & 0xffffff) !== day1) {
    const learned = load<u8>(at, 10) === 0x54 ? dayAt(at) : NaN;
    if (learned !== learned) return 0;
    dayMs = learned;
    day0 = load<u64>(at);
    day1 = load<u32>(at, 8) & 0xffffff;
  }
  const time = load<u64>(at, 11) ^ MIDNIGHT;
  if ((notDigits(time) | (time & 0x0000ff0000ff0000)) !== 0) return 0;
  const tens = time * 10 + (time >> 8);
  const hours = <u32>(tens & 0xff);
  const minutes = <u32>((tens >> 24) & 0xff);
  const seconds = <u32>((tens >> 48) & 0xff);
  // A leap second (:60) is left to others.
  if (hours > 23 || minutes > 59 || seconds > 59) return 0;
  const wholeMs = dayMs + <f64>((hours * 60 + minutes) * 60 + seconds) * 1000;
  if (load<u8>(at, 19) === 0x5a) {
    number = wholeMs;
    return at + 20;
  }
  const part = load<u32>(at, 19) ^ MILLISECONDS;
  if ((((part | (part + 0x06060606)) & 0xf0f0f0f0) | (part & 0xff)) !== 0 || load<u8>(at, 23) !== 0x5a) return 0;
  number = wholeMs + <f64>(((part >> 8) & 0xff) * 100 + ((part >> 16) & 0xff) * 10 + (part >> 24));
  return at + 24;
}

/** Where the plain text that opens at `at` ends: just behind its closing quote; zero where it holds an escape or a byte outside ASCII, or has no end. */
function plainTextEnd(at: usize): usize {
  if (load<u8>(at) !== QUOTE) return 0;
  let i = at + 1;
  let byte = <u32>load<u8>(i);
  while (byte >= 0x20 && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH) byte = load<u8>(++i);
  return byte === QUOTE ? i + 1 : 0;
}

/** The row at `start` by its template; returns where it ends, zero where it has another shape or is not whole, and nothing was added then. */
function match(template: usize, start: usize): usize {
  const block = load<usize>(template, layout.TEMPLATE_BLOCK);
  const row = load<u32>(block, layout.BLOCK_ROWS);
  const stride = load<u32>(block, layout.BLOCK_CAPACITY) << 3;
  const cells = load<usize>(block, layout.BLOCK_SCALARS) + (row << 3);
  let at = start;
  for (let step = template + layout.TEMPLATE_STEPS; ; step += layout.STEP_BYTES) {
    let literal = load<usize>(step, layout.STEP_LITERAL);
    for (let words = load<u32>(step, layout.STEP_WORDS); words > 0; words--) {
      if (load<u64>(at) !== load<u64>(literal)) return 0;
      at += 8;
      literal += 8;
    }
    if (((load<u64>(at) ^ load<u64>(literal)) & load<u64>(step, layout.STEP_MASK)) !== 0) return 0;
    at += load<u32>(step, layout.STEP_REST);

    const kind = load<u32>(step, layout.STEP_KIND);
    const column = load<u32>(step, layout.STEP_COLUMN);
    if (kind === layout.SCALAR) {
      const word = load<u32>(at);
      if (word === NULL) {
        number = NaN;
        at += 4;
      } else if ((word & 0xffffff) === NAN) {
        number = NaN;
        at += 3;
      } else if ((word & 0xffff) === EMPTY) {
        number = NaN;
        at += 2;
      } else {
        at = readNumber(at);
        if (at === 0) return 0;
      }
      store<f64>(cells + column * stride, number);
    } else if (kind === layout.TIME) {
      at = readMoment(at);
      if (at === 0) return 0;
      store<f64>(load<usize>(block, layout.BLOCK_TIMES) + (row << 3), number);
    } else if (kind === layout.LAST) {
      break;
    } else if (load<u32>(at) === NULL) {
      if (kind === layout.TEXT) store<i32>(STATE + layout.STATE_TEXTS + (column << 3) + 4, -1);
      at += 4;
    } else if (kind === layout.TEXT) {
      const end = plainTextEnd(at);
      if (end === 0) return 0;
      store<usize>(STATE + layout.STATE_TEXTS + (column << 3), at + 1);
      store<i32>(STATE + layout.STATE_TEXTS + (column << 3) + 4, <i32>(end - at) - 2);
      at = end;
    } else {
      at = load<u8>(at) === QUOTE ? plainTextEnd(at) : readNumber(at);
      if (at === 0) return 0;
    }
  }
  const lacking = load<u32>(template, layout.TEMPLATE_LACKING);
  for (let k: u32 = 0; k < lacking; k++) {
    const column = load<u32>(load<usize>(template, layout.TEMPLATE_LACKING_AT) + (k << 2));
    store<f64>(cells + column * stride, NaN);
  }
  return at;
}

/** Reads rows from STATE_AT on by their guessed shapes, as many as are at hand; returns why it stopped. */
export function run(): u32 {
  let at = load<usize>(STATE, layout.STATE_AT);
  let last = load<usize>(STATE, layout.STATE_LAST);
  let rows = load<u32>(STATE, layout.STATE_ROWS);
  let why: u32 = layout.NO_GUESS;
  while (last !== 0) {
    let template = load<usize>(last, layout.TEMPLATE_NEXT);
    if (template === 0) break;
    let end = match(template, at);
    if (end === 0) {
      const other = load<usize>(last, layout.TEMPLATE_OTHER);
      end = other === 0 ? 0 : match(other, at);
      if (end === 0) break;
      store<usize>(last, template, layout.TEMPLATE_OTHER);
      store<usize>(last, other, layout.TEMPLATE_NEXT);
      template = other;
    }
    last = template;
    at = end;
    rows++;
    const block = load<usize>(template, layout.TEMPLATE_BLOCK);
    const filled = load<u32>(block, layout.BLOCK_ROWS) + 1;
    store<u32>(block, filled, layout.BLOCK_ROWS);
    const waiting = load<i32>(STATE, layout.STATE_WAITING) + 1;
    store<i32>(STATE, waiting, layout.STATE_WAITING);
    if (
      filled === load<u32>(block, layout.BLOCK_CAPACITY) ||
      waiting >= layout.MOST_WAITING ||
      load<u32>(template, layout.TEMPLATE_HAS_TEXTS) !== 0
    ) {
      why = layout.HAND_ON;
      break;
    }
    if (load<u16>(at) !== NEXT_ROW) {
      why = layout.NO_MORE;
      break;
    }
    at++;
  }
  store<usize>(STATE, at, layout.STATE_AT);
  store<usize>(STATE, last, layout.STATE_LAST);
  store<u32>(STATE, rows, layout.STATE_ROWS);
  return why;
}
