import { DamagedData } from "../errors.ts";
import { byteReader, byteWriter } from "./bytes.ts";
import { bytesOf } from "./memory.ts";
import { squeeze, unsqueeze } from "./squeeze.ts";

/** Sign, exponent and the first bits of the fraction: the bytes that neighbours share. The rest is mostly noise. */
const HIGH_PLANES = 3;

/**
 * Any doubles: each byte XOR the same byte of the value before, alike bytes together. The five low bytes of measured
 * doubles are noise that no method compresses, so only a cheap one tries.
 */
export function encodeShuffled(values: Float64Array): Uint8Array {
  const n = values.length;
  const source = bytesOf(values);
  const planes = new Uint8Array(n * 8);
  for (let byte = 0; byte < 8; byte++) {
    let before = 0;
    for (let i = 0, at = byte, to = byte * n; i < n; i++, at += 8, to++) {
      const now = source[at]!;
      planes[to] = now ^ before;
      before = now;
    }
  }
  const cut = (8 - HIGH_PLANES) * n;
  const out = byteWriter(n * 6);
  out.block(squeeze(planes.subarray(cut), "noise"));
  out.bytes(squeeze(planes.subarray(0, cut), "text"));
  return out.finish();
}

/** @throws DamagedData */
export function decodeShuffled(bytes: Uint8Array, n: number): Float64Array {
  const source = byteReader(bytes);
  const high = unsqueeze(source.block(), HIGH_PLANES * n);
  const low = unsqueeze(source.rest(), (8 - HIGH_PLANES) * n);
  if (high.length + low.length !== 8 * n) throw new DamagedData("doubles that are not whole");
  const values = new Float64Array(n);
  const target = bytesOf(values);
  for (let byte = 0; byte < 8; byte++) {
    const plane = byte < 8 - HIGH_PLANES ? low : high;
    const from = byte < 8 - HIGH_PLANES ? byte * n : (byte - 8 + HIGH_PLANES) * n;
    let value = 0;
    for (let i = 0, to = byte; i < n; i++, to += 8) {
      value ^= plane[from + i]!;
      target[to] = value;
    }
  }
  return values;
}
