import { byteReader, byteWriter } from "./bytes.ts";
import { sameBits } from "./memory.ts";
import { squeeze, unsqueeze } from "./squeeze.ts";

const MAX_DECIMALS = 5;
/** Scaled values stay below this, so that a difference of two fits a signed 32-bit integer. */
const MAX_SCALED = 2 ** 30;
const POWERS = Array.from({ length: MAX_DECIMALS + 1 }, (_, d) => 10 ** d);

/**
 * Numbers that were written with few decimals, as differences of whole numbers: what 0.1 mm values of a slowly changing
 * delay are. A double that is the nearest one to q / 10^d comes back exactly by that division, so the encoding is
 * lossless where every value passes that test.
 *
 * @returns null where some value does not (full doubles, -0, very large ones)
 */
export function encodeDecimal(values: Float64Array): Uint8Array | null {
  const decimals = decimalsOf(values);
  if (decimals === null) return null;
  const scale = POWERS[decimals]!;
  const n = values.length;
  const differences = new Uint32Array(n);
  const first = n > 0 ? Math.round(values[0]! * scale) : 0;
  let before = 0;
  let all = 0;
  for (let i = 0; i < n; i++) {
    const scaled = Math.round(values[i]! * scale);
    const difference = scaled - before;
    // The first one would make all others wide: it is kept apart.
    if (i > 0) {
      const zigzag = ((difference << 1) ^ (difference >> 31)) >>> 0;
      differences[i] = zigzag;
      all |= zigzag;
    }
    before = scaled;
  }
  const width = all >>> 0 < 2 ** 8 ? 1 : all >>> 0 < 2 ** 16 ? 2 : 4;
  const raw = planes(differences, width);
  if (!sameBits(valuesOf(raw, n, width, first, scale), values)) return null;
  const out = byteWriter(n);
  out.unsigned(decimals);
  out.signed(first);
  out.unsigned(width);
  out.bytes(squeeze(raw, "noise"));
  return out.finish();
}

/** @throws DamagedData */
export function decodeDecimal(bytes: Uint8Array, n: number): Float64Array {
  const source = byteReader(bytes);
  const scale = POWERS[source.unsigned()] ?? Number.NaN;
  const first = source.signed();
  const width = source.unsigned();
  return valuesOf(unsqueeze(source.rest(), n * width), n, width, first, scale);
}

function valuesOf(raw: Uint8Array, n: number, width: number, first: number, scale: number): Float64Array {
  let scaled = first;
  const values = new Float64Array(n);
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

function decimalsOf(values: Float64Array): number | null {
  let decimals = 0;
  let scale = 1;
  for (const value of values) {
    let scaled = Math.round(value * scale);
    // What has d decimals has d + 1 as well: the values that passed before stay good.
    while (scaled / scale !== value) {
      if (decimals === MAX_DECIMALS) return null;
      scale = POWERS[++decimals]!;
      scaled = Math.round(value * scale);
    }
    if (scaled === 0 && Object.is(value, -0)) return null;
  }
  const limit = MAX_SCALED / scale;
  return values.every((value) => Math.abs(value) < limit) ? decimals : null;
}

/** All lowest bytes first, then all second ones …: alike bytes together compress better. */
function planes(numbers: Uint32Array, width: number): Uint8Array {
  const n = numbers.length;
  const out = new Uint8Array(n * width);
  for (let i = 0; i < n; i++) out[i] = numbers[i]!;
  for (let byte = 1; byte < width; byte++) {
    const shift = 8 * byte;
    for (let i = 0; i < n; i++) out[byte * n + i] = numbers[i]! >>> shift;
  }
  return out;
}
