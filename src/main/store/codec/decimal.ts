import { byteReader, type ByteWriter } from "./bytes.ts";
import { sameBits, scratch } from "./memory.ts";
import { squeezeInto, unsqueeze, unsqueezeStart } from "./squeeze.ts";

const MAX_DECIMALS = 5;
/** Scaled values stay below this, so that a difference of two fits a signed 32-bit integer. */
const MAX_SCALED = 2 ** 30;
const wholesMemory = scratch();
const planesMemory = scratch();
const checkMemory = scratch();

const POWERS = Array.from({ length: MAX_DECIMALS + 1 }, (_, d) => 10 ** d);

/**
 * Numbers that were written with few decimals, as differences of whole numbers: what 0.1 mm values of a slowly changing
 * delay are. A double that is the nearest one to q / 10^d comes back exactly by that division, so the encoding is
 * lossless where every value passes that test.
 *
 * @param out the encoded values are written to it
 * @returns false, with nothing written, where some value does not (full doubles, -0, very large ones)
 */
export function encodeDecimal(values: Float64Array, out: ByteWriter): boolean {
  const n = values.length;
  const wholes = new Int32Array(wholesMemory(n * 4), 0, n);
  const decimals = scaleAll(values, wholes);
  if (decimals === null) return false;
  const scale = POWERS[decimals]!;
  const first = n > 0 ? wholes[0]! : 0;
  // The first difference would make all others wide: its value is kept apart.
  let before = first;
  let all = 0;
  for (let i = 0; i < n; i++) {
    const whole = wholes[i]!;
    const difference = whole - before;
    const zigzag = (difference << 1) ^ (difference >> 31);
    wholes[i] = zigzag;
    all |= zigzag;
    before = whole;
  }
  const width = all >>> 0 < 2 ** 8 ? 1 : all >>> 0 < 2 ** 16 ? 2 : 4;
  const raw = planes(wholes, width);
  const check = new Float64Array(checkMemory(n * 8), 0, n);
  if (!sameBits(undo(raw, width, first, scale, check), values)) return false;
  out.unsigned(decimals);
  out.signed(first);
  out.unsigned(width);
  squeezeInto(out, raw, "noise");
  return true;
}

/** @param values are written, all of them @throws DamagedData */
export function decodeDecimal(bytes: Uint8Array, values: Float64Array): void {
  const { scale, first, width, packed } = readHead(bytes);
  undo(unsqueeze(packed, values.length * width, planesMemory), width, first, scale, values);
}

/** Of `n` values those before `end`. @throws DamagedData */
export function decodeDecimalBefore(bytes: Uint8Array, n: number, end: number): Float64Array {
  const { scale, first, width, packed } = readHead(bytes);
  // Wider ones lie in planes, of which the last is needed for the first value.
  if (width === 1 && end < n) return undo(unsqueezeStart(packed, n, end), 1, first, scale, new Float64Array(end));
  return undo(unsqueeze(packed, n * width), width, first, scale, new Float64Array(n)).subarray(0, end);
}

function readHead(bytes: Uint8Array) {
  const source = byteReader(bytes);
  const scale = POWERS[source.unsigned()] ?? Number.NaN;
  const first = source.signed();
  const width = source.unsigned();
  return { scale, first, width, packed: source.rest() };
}

function undo(raw: Uint8Array, width: number, first: number, scale: number, values: Float64Array): Float64Array {
  const n = values.length;
  let scaled = first;
  if (width === 1) {
    // By far the most common, without the inner loop.
    for (let i = 0; i < n; i++) {
      scaled += (raw[i]! >>> 1) ^ -(raw[i]! & 1);
      values[i] = scaled / scale;
    }
    return values;
  }
  for (let i = 0; i < n; i++) {
    let zigzag = raw[i]!;
    for (let byte = 1; byte < width; byte++) zigzag |= raw[byte * n + i]! << (8 * byte);
    scaled += (zigzag >>> 1) ^ -(zigzag & 1);
    values[i] = scaled / scale;
  }
  return values;
}

/**
 * Writes the values times 10^d, for the smallest d that makes whole numbers of all of them, and returns d; null where
 * there is none.
 */
function scaleAll(values: Float64Array, wholes: Int32Array): number | null {
  let decimals = 0;
  let scale = 1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    let whole = Math.round(value * scale);
    if (whole / scale !== value) {
      do {
        if (decimals === MAX_DECIMALS) return null;
        scale = POWERS[++decimals]!;
        whole = Math.round(value * scale);
      } while (whole / scale !== value);
      // What has d decimals has d + 1 as well: those before only need their new size.
      for (let k = 0; k < i; k++) {
        const again = Math.round(values[k]! * scale);
        if (!(Math.abs(again) < MAX_SCALED)) return null;
        wholes[k] = again;
      }
    }
    if (!(Math.abs(whole) < MAX_SCALED) || (whole === 0 && Object.is(value, -0))) return null;
    wholes[i] = whole;
  }
  return decimals;
}

/** All lowest bytes first, then all second ones …: alike bytes together compress better. */
function planes(numbers: Int32Array, width: number): Uint8Array {
  const n = numbers.length;
  const out = new Uint8Array(planesMemory(n * width), 0, n * width);
  for (let i = 0; i < n; i++) out[i] = numbers[i]!;
  for (let byte = 1; byte < width; byte++) {
    const shift = 8 * byte;
    for (let i = 0; i < n; i++) out[byte * n + i] = numbers[i]! >>> shift;
  }
  return out;
}
