// Decodes pyramids, in AssemblyScript: a year of one variable is hundreds of them, each of a few small lists. `npm run
// kernels` compiles it into binary.ts.
//
// It reads the usual form, uncompressed runs of times, and stops at any other pyramid. The caller decodes that one, and
// reports what is wrong if it is damaged.

/** Codes by which `encodeRuns` marks runs, and `squeezeInto` uncompressed data. */
const RUNS: u64 = 0;
const STORED: u64 = 0;
/** Bytes of the figures of a block, which follow the lists of a pyramid. */
const FIGURE_BYTES: u32 = 12;
const NONE: u32 = 0xffffffff;

/** Position of the next byte, end of this pyramid, and whether it was exceeded. */
let at: usize = 0;
let end: usize = 0;
let isTorn: bool = false;

/** Returns the start of free memory. */
export function heap(): usize {
  return __heap_base;
}

/** Reads a number of 7 bits per byte, low bits first. */
function unsigned(): u64 {
  let value: u64 = 0;
  for (let shift: u64 = 0; shift < 56 && at < end; shift += 7) {
    const byte = load<u8>(at++);
    value |= (<u64>(byte & 0x7f)) << shift;
    if (byte < 0x80) return value;
  }
  isTorn = true;
  return 0;
}

function signed(): f64 {
  const value = unsigned();
  return (value & 1) === 0 ? <f64>(value >> 1) : -(<f64>((value + 1) >> 1));
}

/**
 * Reads a list into `numbers`, beginning at index `from`; returns the index after its last number, NONE if it stops.
 */
function readRuns(numbers: usize, from: u32, capacity: u32): u32 {
  const length = unsigned();
  if (isTorn || length > <u64>(end - at)) return NONE;
  const endsAt = at + <usize>length;
  if (unsigned() !== RUNS) return NONE;
  const n = unsigned();
  const runs = unsigned();
  // Length in compressed form, unused.
  unsigned();
  if (unsigned() !== STORED || isTorn || n > capacity - from) return NONE;
  const to = from + <u32>n;
  let place = from;
  let value: f64 = 0;
  for (let run: u64 = 0; run < runs; run++) {
    value += signed();
    const step = signed();
    const count = unsigned();
    if (isTorn || count > to - place) return NONE;
    for (const last = place + <u32>count; place < last; place++) {
      store<f64>(numbers + (place << 3), value);
      value += step;
    }
  }
  return place === to && at === endsAt ? to : NONE;
}

/**
 * Reads up to `n` consecutive pyramids and returns how many. Writes the end of the blocks of each to `ends`; the blocks
 * are consecutive in `columns`: for `capacity` blocks first times, last times and counts as doubles, then the figures.
 */
export function read(bytes: usize, lengths: usize, n: u32, ends: usize, columns: usize, capacity: u32): u32 {
  const lastMs = columns + 8 * capacity;
  const count = lastMs + 8 * capacity;
  const figures = count + 8 * capacity;
  isTorn = false;
  at = bytes;
  end = bytes;
  let start: u32 = 0;
  for (let k: u32 = 0; k < n; k++) {
    end += load<u32>(lengths + (k << 2));
    const last = readRuns(columns, start, capacity);
    if (last === NONE || readRuns(lastMs, start, capacity) !== last || readRuns(count, start, capacity) !== last)
      return k;
    const size = FIGURE_BYTES * (last - start);
    if (at + size !== end) return k;
    memory.copy(figures + FIGURE_BYTES * start, at, size);
    at = end;
    start = last;
    store<u32>(ends + (k << 2), last);
  }
  return n;
}
