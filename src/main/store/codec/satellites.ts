import { DamagedData } from "../errors.ts";
import type { EncodedValues } from "./scalars.ts";
import { decodeTexts, encodeTexts } from "./texts.ts";

/**
 * - texts: each different text once
 */
export type SatelliteCodec = "texts";

type Texts = readonly (string | null)[];

/** Gives back every character, checked by decoding. `keys` are the satellite lists (prn) of the same rows, if any. */
export function encodeSatellites(values: Texts, keys: Texts | null): EncodedValues<SatelliteCodec> {
  void keys;
  return { codec: "texts", bytes: encodeTexts(values) };
}

/** @throws DamagedData */
export function decodeSatellites(codec: string, bytes: Uint8Array, n: number, keys: Texts | null): (string | null)[] {
  void keys;
  if (codec === "texts") return decodeTexts(bytes, n);
  throw new DamagedData(`an unknown encoding of texts: ${codec}`);
}
