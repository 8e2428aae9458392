import { DamagedData } from "../errors.ts";
import { decodeBits, encodeBits } from "./bits.ts";
import { byteReader, byteWriter } from "./bytes.ts";
import { decodeRuns, encodeRuns } from "./runs.ts";
import { compress, decompress } from "./compress.ts";

/**
 * Encodes texts as a list of distinct ones and the index of each row: satellite lists change every few minutes.
 * Distinct texts cost little more than themselves, so this is the fallback for all other values.
 */
export function encodeTexts(values: readonly (string | null)[]): Uint8Array {
  const missing = new Uint8Array(values.length);
  const known = new Map<string, number>();
  const indices: number[] = [];
  values.forEach((value, row) => {
    if (value === null) {
      missing[row] = 1;
      return;
    }
    const next = known.size;
    const index = known.get(value) ?? next;
    if (index === next) known.set(value, index);
    indices.push(index);
  });
  const texts = [...known.keys()];
  // JSON can contain half a surrogate pair, which UTF-8 cannot encode, but UTF-16 can.
  const encoding = texts.every((text) => text.isWellFormed()) ? "utf8" : "utf16le";
  const encoded = texts.map((text) => Buffer.from(text, encoding));
  const raw = Buffer.concat(encoded);
  const out = byteWriter(raw.length / 4 + 64);
  out.block(indices.length === values.length ? new Uint8Array(0) : encodeBits(missing));
  out.unsigned(encoding === "utf8" ? 0 : 1);
  out.block(encodeRuns(Float64Array.from(indices)));
  out.block(encodeRuns(Float64Array.from(encoded, (piece) => piece.length)));
  out.unsigned(raw.length);
  out.bytes(compress(raw, "text"));
  return out.finish();
}

/** Texts of rows: each distinct one once, and the index of each row; -1: none. */
export interface RowTexts {
  readonly texts: readonly string[];
  readonly index: Int32Array;
}

/** @throws DamagedData */
export function decodeRowTexts(bytes: Uint8Array, n: number): RowTexts {
  const source = byteReader(bytes);
  const bitmap = source.block();
  const missing = bitmap.length === 0 ? null : decodeBits(bitmap);
  const encoding = source.unsigned() === 0 ? "utf8" : "utf16le";
  const indices = decodeRuns(source.block());
  const lengths = decodeRuns(source.block());
  const rawLength = source.unsigned();
  const raw = Buffer.from(decompress(source.rest(), rawLength));
  const texts: string[] = [];
  let at = 0;
  for (const length of lengths) {
    texts.push(raw.toString(encoding, at, at + length));
    at += length;
  }
  const index = new Int32Array(n).fill(-1);
  let k = 0;
  for (let row = 0; row < n; row++) {
    if (missing?.[row] === 1) continue;
    const text = indices[k++];
    if (text === undefined || texts[text] === undefined) throw new DamagedData("a text that is not there");
    index[row] = text;
  }
  if (k !== indices.length) throw new DamagedData("texts without rows");
  return { texts, index };
}

/** @throws DamagedData */
export function decodeTexts(bytes: Uint8Array, n: number): (string | null)[] {
  const { texts, index } = decodeRowTexts(bytes, n);
  return Array.from(index, (text) => texts[text] ?? null);
}
