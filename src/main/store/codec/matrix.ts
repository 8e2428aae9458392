import { encodeBits } from "./bits.ts";
import { byteWriter } from "./bytes.ts";
import { encodeDifferences } from "./differences.ts";
import { numbersOfSlots, openMatrix } from "./openMatrix.ts";
import { rowPrinter } from "./printer.ts";
import { encodeRuns } from "./runs.ts";
import { commas, slotResolver } from "./slots.ts";
import { compress } from "./compress.ts";
import { templateBook } from "./templates.ts";
import { DamagedData } from "../errors.ts";

type Texts = readonly (string | null)[];

/** Everything of one satellite: the template of each of its values, and its numbers by their place in the template. */
interface Slot {
  readonly templates: number[];
  readonly places: number[][];
}

/**
 * Comma-separated values as one matrix of whole numbers with a column for each satellite, in which neighbours differ
 * little. `keys` are the satellite lists of the same rows: the slots are named by them, so that a satellite that rises
 * does not shift all others.
 *
 * @returns null where a value cannot be taken apart
 */
export function encodeMatrix(values: Texts, keys: Texts | null): Uint8Array | null {
  const resolver = slotResolver();
  const book = templateBook();
  const slots: Slot[] = [];
  const missing = new Uint8Array(values.length);
  const counts: number[] = [];
  const numbers: number[] = [];
  for (let row = 0; row < values.length; row++) {
    const text = values[row];
    if (text === null || text === undefined) {
      missing[row] = 1;
      continue;
    }
    const count = commas(text) + 1;
    const resolved = resolver.resolve(keys?.[row] ?? null, count);
    counts.push(resolved.keyed ? 0 : count);
    for (let i = 0, from = 0; i < count; i++, from = book.end() + 1) {
      numbers.length = 0;
      const template = book.read(text, from, numbers);
      if (template < 0) return null;
      const slot = (slots[resolved.slots[i]!] ??= { templates: [], places: [] });
      slot.templates.push(template);
      for (let place = 0; place < numbers.length; place++) (slot.places[place] ??= []).push(numbers[place]!);
    }
  }
  const templates = book.templates();
  const out = byteWriter(values.length * 64 + 256);
  out.block(counts.length === values.length ? new Uint8Array(0) : encodeBits(missing));
  out.block(encodeRuns(Float64Array.from(counts)));
  out.block(new TextEncoder().encode(templates.join(",")));
  const kinds = templates.length > 1 ? Uint8Array.from(slots.flatMap((slot) => slot.templates)) : new Uint8Array(0);
  out.unsigned(kinds.length);
  out.block(compress(kinds, "pattern"));
  out.bytes(encodeDifferences(slots.flatMap((slot) => slot.places)));
  return out.finish();
}

/** @param keys the same as at encoding @throws DamagedData */
export function decodeMatrix(bytes: Uint8Array, n: number, keys: Texts | null): (string | null)[] {
  const matrix = openMatrix(bytes);
  const resolver = slotResolver();
  const rows: (Int32Array | null)[] = [];
  const sizes: number[] = [];
  for (let row = 0, k = 0; row < n; row++) {
    if (matrix.missing?.[row] === 1) {
      rows.push(null);
      continue;
    }
    const key = keys?.[row] ?? null;
    const count = matrix.counts[k++] ?? Number.NaN;
    if (Number.isNaN(count)) throw new DamagedData("satellite values without rows");
    const { slots } = resolver.resolve(count === 0 ? key : null, count === 0 ? commas(key ?? "") + 1 : count);
    for (const slot of slots) sizes[slot] = (sizes[slot] ?? 0) + 1;
    rows.push(slots);
  }
  const { starts, numbers } = numbersOfSlots(matrix, sizes);
  const print = rowPrinter(matrix.templates, matrix.kinds, starts, numbers);
  return rows.map((slots) => (slots === null ? null : print(slots)));
}
