import type { SatelliteMatrix } from "#shared/series/satelliteBlock.ts";
import { DamagedData } from "../errors.ts";
import { decodeEntries } from "./entries.ts";
import { decodeMatrix, encodeMatrix } from "./matrix.ts";
import type { EncodedValues } from "./scalars.ts";
import type { SlotOrder } from "./nameLists.ts";
import { decodeTexts, encodeTexts } from "./texts.ts";

/**
 * - matrix: values with numbers in them, satellite by satellite
 * - texts: each different text once
 */
export type SatelliteCodec = "matrix" | "texts";

type Texts = readonly (string | null)[];

/**
 * Gives back every character, checked by decoding. `keys` are the satellite lists (prn) of the same rows; null for the
 * satellite lists themselves, which repeat as a whole.
 */
export function encodeSatellites(values: Texts, keys: Texts | null): EncodedValues<SatelliteCodec> {
  const matrix = keys === null ? null : encodeMatrix(values, keys);
  if (matrix !== null && same(decodeMatrix(matrix, values.length, keys), values)) {
    return { codec: "matrix", bytes: matrix };
  }
  const bytes = encodeTexts(values);
  if (!same(decodeTexts(bytes, values.length), values)) throw new Error("texts that cannot be encoded");
  return { codec: "texts", bytes };
}

/** @throws DamagedData */
export function decodeSatellites(codec: string, bytes: Uint8Array, n: number, keys: Texts | null): (string | null)[] {
  if (codec === "matrix") return decodeMatrix(bytes, n, keys);
  if (codec === "texts") return decodeTexts(bytes, n);
  throw new DamagedData(`an unknown encoding of texts: ${codec}`);
}

/**
 * The same without texts in between: see `decodeEntries`.
 *
 * @throws DamagedData
 */
export function decodeSatelliteNumbers(
  codec: string,
  bytes: Uint8Array,
  orderOf: (missing: Uint8Array | null) => SlotOrder | null,
): SatelliteMatrix | null {
  return codec === "matrix" ? decodeEntries(bytes, orderOf) : null;
}

function same(a: Texts, b: Texts): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}
