// A chunk of doubles as HDF5 stores it, in AssemblyScript: shuffled or not, and as a stream of zlib.
import { adler32 } from "./parts/adler.as";
import { align, open, start as startBlocks, stored } from "./parts/block.as";
import { writeMatches, writeRuns } from "./parts/matches.as";
import { shuffle } from "./parts/shuffle.as";

/** So many neighbours tell whether values come back. */
const SAMPLE: usize = 1024;
/** Of so many bytes, taken from all over a plane, random ones have about 221 different values. */
const NOISE_SAMPLE: usize = 512;
const NOISE_VALUES: u32 = 190;
/** Bytes of the longest block, each of which may be a token. */
const TOKENS_BYTES: usize = 65536 * 4;

const SEEN = memory.data(2048 * 4);
const SEEN_BYTES = memory.data(256);

/** The default fill value of NetCDF for doubles. */
const FILL: f64 = 9.969209968386869e36;

let values: usize = 0;
let elements: usize = 0;
let isShuffled: bool = false;
let streamAt: usize = 0;

export function start(): void {
  startBlocks();
}

/** Makes room for a chunk; returns where its values go. */
export function chunkOf(n: usize): usize {
  elements = n;
  values = (__heap_base + 15) & ~15;
  streamAt = values + 16 * n + TOKENS_BYTES;
  const end = streamAt + 8 * n + (n >> 3) + 4096;
  const lacking = <i32>end - (memory.size() << 16);
  if (lacking > 0) memory.grow((lacking + 65535) >> 16);
  return values;
}

/** Packs the chunk that lies where `chunkOf` said, NaN as the fill value; returns how many bytes there are at `stream`. */
export function pack(): usize {
  const length = elements << 3;
  const shuffled = values + length;
  fillMissing();
  open(streamAt + 2, shuffled + length);
  store<u16>(streamAt, 0x0178);
  isShuffled = !comesBack();
  if (isShuffled) {
    shuffle(values, elements, shuffled);
    let planes: usize = 0;
    while (planes < 8 && isNoise(shuffled + planes * elements)) planes++;
    stored(shuffled, planes * elements, planes === 8);
    writeRuns(shuffled + planes * elements, (8 - planes) * elements);
  } else writeMatches(values, <u32>elements);
  const end = align();
  store<u32>(end, bswap(adler32(isShuffled ? shuffled : values, length)));
  return end + 4 - streamAt;
}

export function stream(): usize {
  return streamAt;
}

/** Whether the first filter of HDF5, shuffle, was applied. */
export function wasShuffled(): bool {
  return isShuffled;
}

/** The fill value in the place of NaN; room for one more value lies behind the last. */
function fillMissing(): void {
  const fill = f64x2.splat(FILL);
  for (let at = values, end = values + (elements << 3); at < end; at += 16) {
    const two = v128.load(at);
    v128.store(at, v128.bitselect(two, fill, f64x2.eq(two, two)));
  }
}

/** Whether fewer than half of some values in the middle are different. */
function comesBack(): bool {
  const n = min<usize>(SAMPLE, elements);
  const from = values + (((elements - n) >> 1) << 3);
  memory.fill(SEEN, 0, 2048 << 2);
  let different: usize = 0;
  for (let i: usize = 0; i < n; i++) {
    const value = load<u64>(from + (i << 3));
    let slot = <usize>((value * 0x9e3779b97f4a7c15) >> 53);
    let known = load<u32>(SEEN + (slot << 2));
    while (known !== 0 && load<u64>(from + ((known - 1) << 3)) !== value) {
      slot = (slot + 1) & 2047;
      known = load<u32>(SEEN + (slot << 2));
    }
    if (known !== 0) continue;
    store<u32>(SEEN + (slot << 2), <u32>i + 1);
    different++;
  }
  return different < n >> 1;
}

function isNoise(plane: usize): bool {
  if (elements < 4 * NOISE_SAMPLE) return false;
  memory.fill(SEEN_BYTES, 0, 256);
  let different: u32 = 0;
  for (let k: usize = 0; k < NOISE_SAMPLE; k++) {
    const at = SEEN_BYTES + load<u8>(plane + (k * elements) / NOISE_SAMPLE);
    different += 1 - load<u8>(at);
    store<u8>(at, 1);
  }
  return different >= NOISE_VALUES;
}
