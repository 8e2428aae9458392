import { DamagedData } from "../errors.ts";
import { byteReader, type Encoding } from "./bytes.ts";
import { columnKernel } from "./kernel/kernel.ts";
import { decompress } from "./compress.ts";

/**
 * Encodes numbers with few decimals, such as 0.1 mm values of a slowly changing delay, as packed differences of whole
 * numbers. A double that is the nearest to q / 10^d is restored exactly by that division, so the encoding is lossless
 * if every value passes that test.
 *
 * @returns null if a value fails (full doubles, -0, very large ones), or a step is too large
 */
export function encodeDecimal(values: Float64Array): Encoding | null {
  const packed = columnKernel().packDecimal(values);
  if (packed === null) return null;
  const { decimals, first, differences } = packed;
  return {
    maxBytes: differences.length + 16,
    writeTo(out) {
      out.unsigned(decimals);
      out.signed(first);
      out.bytes(differences);
    },
  };
}

/**
 * @param values all are written
 * @param total number of encoded values, of which `values` are the first
 * @throws DamagedData
 */
export function decodeDecimal(bytes: Uint8Array, values: Float64Array, total = values.length): void {
  const source = byteReader(bytes);
  const packed = { decimals: source.unsigned(), first: source.signed(), differences: source.rest() };
  if (!columnKernel().unpackDecimal(packed, total, values)) throw new DamagedData("packed numbers that do not fit");
}

/** Decodes the format of earlier versions: compressed bytes of the differences. @throws DamagedData */
export function decodeDeflated(bytes: Uint8Array, values: Float64Array): void {
  const n = values.length;
  const source = byteReader(bytes);
  const scale = 10 ** source.unsigned();
  let scaled = source.signed();
  const width = source.unsigned();
  const raw = decompress(source.rest(), n * width);
  for (let i = 0; i < n; i++) {
    let zigzag = raw[i]!;
    for (let byte = 1; byte < width; byte++) zigzag |= raw[byte * n + i]! << (8 * byte);
    scaled += (zigzag >>> 1) ^ -(zigzag & 1);
    values[i] = scaled / scale;
  }
}
