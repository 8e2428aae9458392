import { type SatelliteMatrix, NO_TEMPLATE } from "#shared/series/satelliteBlock.ts";
import { DamagedData } from "../errors.ts";
import { decodeMatrix, encodeMatrix } from "./matrix.ts";
import type { EncodedValues } from "./scalars.ts";
import type { SlotOrder } from "./nameLists.ts";
import { decodeTexts, encodeTexts } from "./texts.ts";
import { numberCount, numbersOfSlots, openMatrix } from "./openMatrix.ts";

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

/**
 * What `encodeMatrix` encoded as numbers in the order of the rows, never as text.
 *
 * @param orderOf the order of the slots where these rows (1) have no value; null where it cannot be told
 * @returns null where a row has values of other satellites than its list names, which only the texts can tell
 * @throws DamagedData
 */
function decodeEntries(
  bytes: Uint8Array,
  orderOf: (missing: Uint8Array | null) => SlotOrder | null,
): SatelliteMatrix | null {
  const matrix = openMatrix(bytes);
  const { missing, templates, kinds } = matrix;
  for (const count of matrix.counts) if (count !== 0) return null;
  const order = orderOf(missing);
  if (order === null) return null;
  if (order.rows !== matrix.counts.length) throw new DamagedData("satellite values without rows");
  const { starts, numbers } = numbersOfSlots(matrix, order.sizes);
  const { entryOf, entries } = order;
  const numbersIn = templates.map(numberCount);
  const places = Array.from({ length: Math.max(...numbersIn) }, () => new Int32Array(entries));
  if (kinds.length === 0) {
    numbers.forEach((lists, slot) =>
      lists.forEach((list, place) => scatter(list, places[place]!, entryOf, starts[slot]!)),
    );
    return { templates, kinds: kindsOfEntries(order, null), places };
  }
  const next = new Int32Array(places.length);
  numbers.forEach((lists, slot) => {
    next.fill(0);
    const end = starts[slot]! + order.sizes[slot]!;
    for (let at = starts[slot]!; at < end; at++) {
      const count = numbersIn[kinds[at]!];
      if (count === undefined) throw new DamagedData("a template that is not there");
      for (let place = 0; place < count; place++) places[place]![entryOf[at]!] = lists[place]![next[place]!++]!;
    }
  });
  return { templates, kinds: kindsOfEntries(order, kinds), places };
}

function scatter(list: Int32Array, target: Int32Array, entryOf: Int32Array, start: number): void {
  for (let i = 0; i < list.length; i++) target[entryOf[start + i]!] = list[i]!;
}

/** @param kinds of the values; null where all have the only one */
function kindsOfEntries({ entries, entryOf }: SlotOrder, kinds: Uint8Array | null): Uint8Array {
  if (kinds === null && entryOf.length === entries) return new Uint8Array(0);
  const found = new Uint8Array(entries).fill(NO_TEMPLATE);
  for (let i = 0; i < entryOf.length; i++) found[entryOf[i]!] = kinds === null ? 0 : kinds[i]!;
  return found;
}
