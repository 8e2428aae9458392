import { NO_TEMPLATE, NUMBER_MARK, type SatelliteMatrix } from "#shared/series/satelliteBlock.ts";
import { DamagedData } from "../errors.ts";
import { compress, decodeBits, decompress, encodeBits } from "./compress.ts";
import { byteReader, byteWriter } from "./bytes.ts";
import { decodeDifferences, encodeDifferences } from "./differences.ts";
import { createTemplateBook } from "./templates.ts";
import { type NamedLists, type SlotOrder, slotOrder } from "./texts.ts";

/**
 * Encodes comma-separated values as a matrix of whole numbers with a column (slot) for each satellite, in which
 * neighbouring values differ little.
 *
 * @param named the satellite lists of the same rows: they name the slots, so that a rising satellite does not shift the
 *   others
 * @returns null if a value cannot be split, or a row has not as many values as its list has satellites
 */
export function encodeMatrix(values: readonly (string | null)[], named: NamedLists): Uint8Array | null {
  const missing = Uint8Array.from(values, (text) => (text === null ? 1 : 0));
  const marks = missing.includes(1) ? missing : null;
  const order = slotOrder(named, marks);
  if (order === null) return null;
  const book = createTemplateBook();
  const templateOf = new Uint8Array(order.entries);
  const numbers: number[] = [];
  /** Index of the first number of each entry. */
  const firstOf = new Int32Array(order.entries + 1);
  let entry = 0;
  for (const [row, text] of values.entries()) {
    const satellites = named.lists[named.list[row]!]?.length ?? 0;
    for (let i = 0, from = 0; i < satellites; i++, from = book.end() + 1) {
      firstOf[entry] = numbers.length;
      if (text !== null) {
        const template = book.read(text, from, numbers);
        if (template < 0 || (book.end() === text.length) !== (i === satellites - 1)) return null;
        templateOf[entry] = template;
      }
      entry++;
    }
  }
  firstOf[entry] = numbers.length;
  const lists: number[][] = [];
  let at = 0;
  for (const size of order.sizes) {
    const places: number[][] = [];
    for (const end = at + size; at < end; at++) {
      const own = order.entryOf[at]!;
      for (let k = firstOf[own]!, place = 0; k < firstOf[own + 1]!; k++, place++)
        (places[place] ??= []).push(numbers[k]!);
    }
    lists.push(...places);
  }
  const templates = book.templates();
  const kinds = templates.length > 1 ? Uint8Array.from(order.entryOf, (own) => templateOf[own]!) : new Uint8Array(0);
  const out = byteWriter(values.length * 64 + 256);
  out.block(marks === null ? new Uint8Array(0) : encodeBits(marks));
  out.block(new TextEncoder().encode(templates.join(",")));
  out.unsigned(kinds.length);
  out.block(compress(kinds));
  out.bytes(encodeDifferences(lists));
  return out.finish();
}

/** Values in the order of the rows, and 1 for each row without a value; null if every row has one. */
interface DecodedMatrix {
  readonly matrix: SatelliteMatrix;
  readonly missing: Uint8Array | null;
}

/**
 * @param orderOf returns the order of the slots, given the rows (1) without a value
 * @throws DamagedData
 */
export function decodeMatrix(
  bytes: Uint8Array,
  orderOf: (missing: Uint8Array | null) => SlotOrder | null,
): DecodedMatrix {
  const source = byteReader(bytes);
  const bitmap = source.block();
  const missing = bitmap.length === 0 ? null : decodeBits(bitmap);
  const templates = new TextDecoder().decode(source.block()).split(",");
  const kindCount = source.unsigned();
  const kinds = decompress(source.block(), kindCount);
  const order = orderOf(missing);
  if (order === null) throw new DamagedData("satellite values without satellites");
  const { entries, entryOf, sizes } = order;
  if (kinds.length !== 0 && kinds.length !== entryOf.length) throw new DamagedData("templates without values");
  const numbersIn = templates.map(numberCount);
  const slots = lengthsOf(sizes, kinds, numbersIn);
  const lists = decodeDifferences(source.rest(), slots.flat());
  const places = Array.from({ length: Math.max(...numbersIn) }, () => new Int32Array(entries));
  const kindOf = kinds.length === 0 && entryOf.length === entries ? kinds : new Uint8Array(entries).fill(NO_TEMPLATE);
  const next = new Int32Array(places.length);
  let at = 0;
  let list = 0;
  for (const [slot, size] of sizes.entries()) {
    next.fill(0);
    for (const end = at + size; at < end; at++) {
      const entry = entryOf[at]!;
      const kind = kinds[at] ?? 0;
      if (kindOf.length > 0) kindOf[entry] = kind;
      for (let place = 0; place < numbersIn[kind]!; place++)
        places[place]![entry] = lists[list + place]![next[place]!++]!;
    }
    list += slots[slot]!.length;
  }
  return { matrix: { templates, kinds: kindOf, places }, missing };
}

function numberCount(template: string): number {
  let n = 0;
  for (let i = 0; i < template.length; i++) if (template.charCodeAt(i) >= NUMBER_MARK) n++;
  return n;
}

/** Returns the number of numbers of each slot at each place of its templates. @throws DamagedData */
function lengthsOf(sizes: readonly number[], kinds: Uint8Array, numbersIn: readonly number[]): number[][] {
  let at = 0;
  return sizes.map((size) => {
    if (kinds.length === 0) return Array.from({ length: numbersIn[0] ?? 0 }, () => size);
    const lengths: number[] = [];
    for (const end = at + size; at < end; at++) {
      const numbers = numbersIn[kinds[at]!];
      if (numbers === undefined) throw new DamagedData("a missing template");
      for (let place = 0; place < numbers; place++) lengths[place] = (lengths[place] ?? 0) + 1;
    }
    return lengths;
  });
}
