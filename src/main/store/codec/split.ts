import { DamagedData } from "../errors.ts";
import { byteReader } from "./bytes.ts";
import type { Encoding } from "./encoding.ts";
import { columnKernel, LOW_BYTES } from "./kernel/kernel.ts";
import { compressInto, decompress } from "./compress.ts";

/**
 * Any doubles: sign, exponent and the first bits of the fraction as a whole number of 24 bits, of which the differences
 * are packed; the other five bytes apart, each XOR the one before, alike ones together. These are mostly noise that no
 * method compresses, but doubles that were made from shorter numbers have nothing there.
 *
 * @returns null where the values would not come back to the bit
 */
export function encodeSplit(values: Float64Array): Encoding | null {
  const packed = columnKernel().packSplit(values);
  if (packed === null) return null;
  const { upper, low } = packed;
  return {
    room: upper.length + low.length + 16,
    writeTo(out) {
      out.block(upper);
      compressInto(out, low, "bytes");
    },
  };
}

/** @param values are written, all of them @throws DamagedData */
export function decodeSplit(bytes: Uint8Array, values: Float64Array): void {
  const source = byteReader(bytes);
  const upper = source.block();
  const low = decompress(source.rest(), values.length * LOW_BYTES);
  if (!columnKernel().unpackSplit({ upper, low }, values)) throw new DamagedData("packed numbers that do not fit");
}
