import { DamagedData } from "../errors.ts";
import { bounded } from "./bytes.ts";
import { compress, decompress } from "./compress.ts";

/** Represents a byte after the end. */
const NONE = 0x100;

/**
 * Encodes lists of whole numbers (absolute value below 2^28) as first or second differences, whichever are smaller: a
 * satellite's azimuth changes steadily, its signal does not.
 */
export function encodeDifferences(lists: readonly (readonly number[])[]): Uint8Array {
  const order = isSecondOrderSmaller(lists) ? 2 : 1;
  const total = lists.reduce((sum, list) => sum + list.length, 0);
  const raw = new Uint8Array(total * 5);
  let at = 0;
  for (const list of lists) {
    let before = 0;
    let step = 0;
    for (const [i, value] of list.entries()) {
      const difference = value - before;
      const written = order === 2 && i > 0 ? difference - step : difference;
      if (i > 0) step = difference;
      before = value;
      let zigzag = ((written << 1) ^ (written >> 31)) >>> 0;
      for (; zigzag >= 0x80; zigzag >>>= 7) raw[at++] = (zigzag & 0x7f) | 0x80;
      raw[at++] = zigzag;
    }
  }
  const body = compress(raw.subarray(0, at));
  const out = new Uint8Array(5 + body.length);
  out[0] = order;
  new DataView(out.buffer).setUint32(1, at, true);
  out.set(body, 5);
  return out;
}

/**
 * @param lengths of the encoded lists
 * @throws DamagedData
 */
export function decodeDifferences(bytes: Uint8Array, lengths: readonly number[]): Int32Array[] {
  if (bytes.length < 5) throw new DamagedData("missing numbers");
  const order = bytes[0];
  const rawLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1, true);
  const raw = decompress(bytes.subarray(5), rawLength);
  // Parts of one array: hundreds of separate arrays would burden the garbage collector.
  const all = new Int32Array(bounded(lengths.reduce((sum, length) => sum + length, 0)));
  let at = 0;
  let start = 0;
  const lists = lengths.map((length) => {
    const list = all.subarray(start, (start += length));
    let value = 0;
    let step = 0;
    for (let i = 0; i < length; i++) {
      let byte = raw[at++] ?? NONE;
      let zigzag = byte & 0x7f;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        if (byte === NONE) throw new DamagedData("missing numbers");
        byte = raw[at++] ?? NONE;
        zigzag |= (byte & 0x7f) << shift;
      }
      const read = (zigzag >>> 1) ^ -(zigzag & 1);
      const difference = order === 2 && i > 0 ? read + step : read;
      if (i > 0) step = difference;
      value += difference;
      list[i] = value;
    }
    return list;
  });
  if (at !== raw.length) throw new DamagedData("surplus numbers");
  return lists;
}

function isSecondOrderSmaller(lists: readonly (readonly number[])[]): boolean {
  let first = 0;
  let second = 0;
  for (const list of lists) {
    let before = Number.NaN;
    for (let i = 1; i < list.length; i++) {
      const now = list[i]! - list[i - 1]!;
      if (i > 1) {
        first += Math.abs(now);
        second += Math.abs(now - before);
      }
      before = now;
    }
  }
  return second < first;
}
