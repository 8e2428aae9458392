import type { SatelliteColumns } from "#shared/series/satelliteBlock.ts";
import { DamagedData } from "../errors.ts";
import { compress, decodeBits, decompress, encodeBits } from "./compress.ts";
import { byteReader, byteWriter } from "./bytes.ts";
import { decodeRuns, encodeRuns } from "./runs.ts";

/**
 * Encodes texts as a list of distinct ones and the index of each row: satellite lists change every few minutes.
 * Distinct texts cost little more than themselves, so this is the fallback for all other values.
 */
export function encodeTexts(values: readonly (string | null)[]): Uint8Array {
  const { texts, index } = distinctTexts(values);
  const indices = index.filter((text) => text >= 0);
  // JSON can contain half a surrogate pair, which UTF-8 cannot encode, but UTF-16 can.
  const encoding = texts.every((text) => text.isWellFormed()) ? "utf8" : "utf16le";
  const encoded = texts.map((text) => Buffer.from(text, encoding));
  const raw = Buffer.concat(encoded);
  const out = byteWriter(raw.length / 4 + 64);
  out.block(
    indices.length === values.length
      ? new Uint8Array(0)
      : encodeBits(Uint8Array.from(index, (text) => (text < 0 ? 1 : 0))),
  );
  out.unsigned(encoding === "utf8" ? 0 : 1);
  out.block(encodeRuns(Float64Array.from(indices)));
  out.block(encodeRuns(Float64Array.from(encoded, (piece) => piece.length)));
  out.unsigned(raw.length);
  out.bytes(compress(raw));
  return out.finish();
}

/** Texts of rows: each distinct one once, and the index of each row; -1: none. */
interface RowTexts {
  readonly texts: readonly string[];
  readonly index: Int32Array;
}

export function distinctTexts(values: readonly (string | null)[]): RowTexts {
  const known = new Map<string, number>();
  const index = Int32Array.from(values, (value) => {
    if (value === null) return -1;
    const number = known.get(value) ?? known.size;
    if (number === known.size) known.set(value, number);
    return number;
  });
  return { texts: [...known.keys()], index };
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
    if (text === undefined || texts[text] === undefined) throw new DamagedData("a missing text");
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

export type NamedLists = Pick<SatelliteColumns, "names" | "lists" | "list">;

/** Splits comma-separated lists of satellites, each distinct list once. */
export function nameLists({ texts, index }: RowTexts): NamedLists {
  const known = new Map<string, number>();
  const lists = texts.map((text) =>
    Int32Array.from(text.split(","), (name) => {
      const number = known.get(name) ?? known.size;
      if (number === known.size) known.set(name, number);
      return number;
    }),
  );
  return { names: [...known.keys()], lists, list: index };
}

/** Positions of the values of each satellite (slot) in the order of the rows. */
export interface SlotOrder {
  /** Number of satellites in all rows, including rows without a value. */
  readonly entries: number;
  /** Number of values of each slot. Slots are numbered in the order in which rows with a value contain them. */
  readonly sizes: readonly number[];
  /** Entry of each value, slot by slot. */
  readonly entryOf: Int32Array;
}

/** Returns null if a row has a value but no list. */
export function slotOrder({ names, lists, list }: NamedLists, missing: Uint8Array | null): SlotOrder | null {
  const slotOf = new Int32Array(names.length).fill(-1);
  const rowsOf = new Int32Array(lists.length);
  let slots = 0;
  let entries = 0;
  for (let row = 0; row < list.length; row++) {
    const index = list[row]!;
    const seen = lists[index];
    if (seen) entries += seen.length;
    if (missing?.[row] === 1) continue;
    if (!seen) return null;
    if (rowsOf[index]!++ > 0) continue;
    for (const name of seen) if (slotOf[name] === -1) slotOf[name] = slots++;
  }
  const sizes = Array.from({ length: slots }, () => 0);
  lists.forEach((seen, index) => {
    const count = rowsOf[index]!;
    if (count > 0) for (const name of seen) sizes[slotOf[name]!]! += count;
  });
  let values = 0;
  const next = Int32Array.from(sizes, (size) => (values += size) - size);
  const entryOf = new Int32Array(values);
  for (let row = 0, entry = 0; row < list.length; row++) {
    const seen = lists[list[row]!];
    if (seen === undefined) continue;
    if (missing?.[row] === 1) entry += seen.length;
    else for (let i = 0; i < seen.length; i++) entryOf[next[slotOf[seen[i]!]!]!++] = entry++;
  }
  return { entries, sizes, entryOf };
}
