import { DamagedData } from "../errors.ts";
import { decodeMatrix, encodeMatrix } from "./matrix.ts";
import { textsOfMatrix } from "./matrixTexts.ts";
import type { EncodedValues } from "./scalars.ts";
import { decodeTexts, distinctTexts, encodeTexts, nameLists, slotOrder } from "./texts.ts";

type Texts = readonly (string | null)[];

/**
 * Encodes texts without loss, verified by decoding:
 * - matrix: values with numbers, satellite by satellite
 * - texts: each distinct text once
 *
 * `keys` are the satellite lists (prn) of the same rows; null for the
 * satellite lists themselves, which repeat as a whole.
 */
export function encodeSatellites(values: Texts, keys: Texts | null): EncodedValues {
  const matrix = keys === null ? null : encodeMatrix(values, nameLists(distinctTexts(keys)));
  if (matrix !== null && isEqual(decodeSatellites("matrix", matrix, values.length, keys), values)) {
    return { codec: "matrix", bytes: matrix };
  }
  const bytes = encodeTexts(values);
  if (!isEqual(decodeTexts(bytes, values.length), values)) throw new Error("texts that cannot be encoded");
  return { codec: "texts", bytes };
}

/** @throws DamagedData */
export function decodeSatellites(codec: string, bytes: Uint8Array, n: number, keys: Texts | null): (string | null)[] {
  if (codec === "texts") return decodeTexts(bytes, n);
  if (codec !== "matrix" || keys === null) throw new DamagedData(`an unknown encoding of texts: ${codec}`);
  const named = nameLists(distinctTexts(keys));
  const { matrix, missing } = decodeMatrix(bytes, (gaps) => slotOrder(named, gaps));
  return textsOfMatrix(matrix, named, missing);
}

function isEqual(a: Texts, b: Texts): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}
