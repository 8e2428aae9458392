import { type SatelliteMatrix, NO_TEMPLATE } from "#shared/series/satelliteBlock.ts";
import { DamagedData } from "../errors.ts";
import { decodeMatrix, encodeMatrix } from "./matrix.ts";
import type { EncodedValues } from "./scalars.ts";
import { decodeTexts, encodeTexts, type SlotOrder } from "./texts.ts";
import { numberCount, numbersOfSlots, openMatrix } from "./openMatrix.ts";

/**
 * How texts are encoded:
 * - matrix: values with numbers, satellite by satellite
 * - texts: each distinct text once
 */
type SatelliteCodec = "matrix" | "texts";

type Texts = readonly (string | null)[];

/**
 * Encodes texts without loss, verified by decoding. `keys` are the satellite lists (prn) of the same rows; null for the
 * satellite lists themselves, which repeat as a whole.
 */
export function encodeSatellites(values: Texts, keys: Texts | null): EncodedValues<SatelliteCodec> {
  const matrix = keys === null ? null : encodeMatrix(values, keys);
  if (matrix !== null && isEqual(decodeMatrix(matrix, values.length, keys), values)) {
    return { codec: "matrix", bytes: matrix };
  }
  const bytes = encodeTexts(values);
  if (!isEqual(decodeTexts(bytes, values.length), values)) throw new Error("texts that cannot be encoded");
  return { codec: "texts", bytes };
}

/** @throws DamagedData */
export function decodeSatellites(codec: string, bytes: Uint8Array, n: number, keys: Texts | null): (string | null)[] {
  if (codec === "matrix") return decodeMatrix(bytes, n, keys);
  if (codec === "texts") return decodeTexts(bytes, n);
  throw new DamagedData(`an unknown encoding of texts: ${codec}`);
}

/** Decodes numbers without creating texts: see `decodeEntries`. @throws DamagedData */
export function decodeSatelliteNumbers(
  codec: string,
  bytes: Uint8Array,
  orderOf: (missing: Uint8Array | null) => SlotOrder | null,
): SatelliteMatrix | null {
  return codec === "matrix" ? decodeEntries(bytes, orderOf) : null;
}

function isEqual(a: Texts, b: Texts): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}

/**
 * Decodes a matrix to numbers in the order of the rows, without creating texts.
 *
 * @param orderOf returns the order of the slots, given the rows (1) without a value; null if unknown
 * @returns null if a row has values of other satellites than its list names, which only its texts can show
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
      if (count === undefined) throw new DamagedData("a missing template");
      for (let place = 0; place < count; place++) places[place]![entryOf[at]!] = lists[place]![next[place]!++]!;
    }
  });
  return { templates, kinds: kindsOfEntries(order, kinds), places };
}

function scatter(list: Int32Array, target: Int32Array, entryOf: Int32Array, start: number): void {
  for (let i = 0; i < list.length; i++) target[entryOf[start + i]!] = list[i]!;
}

/** @param kinds of the values; null if there is only one */
function kindsOfEntries({ entries, entryOf }: SlotOrder, kinds: Uint8Array | null): Uint8Array {
  if (kinds === null && entryOf.length === entries) return new Uint8Array(0);
  const found = new Uint8Array(entries).fill(NO_TEMPLATE);
  for (let i = 0; i < entryOf.length; i++) found[entryOf[i]!] = kinds === null ? 0 : kinds[i]!;
  return found;
}
