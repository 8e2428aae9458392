import { NUMBER_MARK } from "#shared/series/satelliteBlock.ts";
import { DamagedData } from "../errors.ts";
import { compress, encodeBits } from "./compress.ts";
import { byteWriter } from "./bytes.ts";
import { encodeDifferences } from "./differences.ts";
import { numbersOfSlots, openMatrix } from "./openMatrix.ts";
import { encodeRuns } from "./runs.ts";
import { createTemplateBook } from "./templates.ts";

const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;

/**
 * Creates a function that converts rows of satellite values back to text. Each slot returns its values in order, so
 * rows must be printed in the order in which they were read.
 *
 * @param kinds the template of each value, slot by slot; empty if there is only one template
 * @param starts index of the first value of each slot in `kinds`
 * @param numbers by slot and place in its templates
 */
function createRowPrinter(
  templates: readonly string[],
  kinds: Uint8Array,
  starts: readonly number[],
  numbers: readonly (readonly Int32Array[])[],
): (slots: Int32Array) => string {
  const shapes = templates.map((template) => Uint8Array.from(template, (c) => c.charCodeAt(0)));
  const values = new Int32Array(starts.length);
  const cursors = numbers.map((places) => new Int32Array(places.length));
  let line = Buffer.alloc(4_096);
  let at = 0;

  const printNumber = (value: number, decimals: number): void => {
    let rest = value < 0 ? -value : value;
    if (value < 0) line[at++] = MINUS;
    // At least one digit before the point.
    let digits = decimals + 1;
    for (let bound = 10 ** digits; bound <= rest; bound *= 10) digits++;
    const end = at + digits + (decimals > 0 ? 1 : 0);
    for (let i = 0, to = end - 1; i < digits; i++) {
      if (i === decimals && decimals > 0) line[to--] = DOT;
      const next = (rest / 10) | 0;
      line[to--] = ZERO + rest - next * 10;
      rest = next;
    }
    at = end;
  };

  const printValue = (slot: number): void => {
    const kind = kinds.length === 0 ? 0 : kinds[starts[slot]! + values[slot]!++]!;
    const shape = shapes[kind];
    if (!shape) throw new DamagedData("a missing template");
    if (at + 1 + shape.length * 24 > line.length)
      line = Buffer.concat([line, Buffer.alloc(line.length + shape.length * 24)]);
    const cursor = cursors[slot]!;
    for (let i = 0, place = 0; i < shape.length; i++) {
      const code = shape[i]!;
      if (code < NUMBER_MARK) line[at++] = code;
      else printNumber(numbers[slot]![place]![cursor[place++]!++]!, code - NUMBER_MARK);
    }
  };

  return (slots) => {
    at = 0;
    for (let i = 0; i < slots.length; i++) {
      if (i > 0) line[at++] = COMMA;
      printValue(slots[i]!);
    }
    return line.toString("latin1", 0, at);
  };
}

type Texts = readonly (string | null)[];

/** The values of one satellite: the template of each, and their numbers by place in the template. */
interface Slot {
  readonly templates: number[];
  readonly places: number[][];
}

/**
 * Encodes comma-separated values as a matrix of whole numbers with a column (slot) for each satellite, in which
 * neighbouring values differ little. `keys` are the satellite lists of the same rows: they name the slots, so that a
 * rising satellite does not shift the others.
 *
 * @returns null if a value cannot be split
 */
export function encodeMatrix(values: Texts, keys: Texts | null): Uint8Array | null {
  const resolve = createSlotResolver();
  const book = createTemplateBook();
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
    const resolved = resolve(keys?.[row] ?? null, count);
    counts.push(resolved.keyed ? 0 : count);
    for (let i = 0, from = 0; i < count; i++, from = book.end() + 1) {
      numbers.length = 0;
      const template = book.read(text, from, numbers);
      if (template < 0) return null;
      const slot = (slots[resolved.slots[i]!] ??= { templates: [], places: [] });
      slot.templates.push(template);
      for (const [place, number] of numbers.entries()) (slot.places[place] ??= []).push(number);
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

/**
 * @param keys the same as for encoding
 * @throws DamagedData
 */
export function decodeMatrix(bytes: Uint8Array, n: number, keys: Texts | null): (string | null)[] {
  const matrix = openMatrix(bytes);
  const resolve = createSlotResolver();
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
    const { slots } = resolve(count === 0 ? key : null, count === 0 ? commas(key ?? "") + 1 : count);
    for (const slot of slots) sizes[slot] = (sizes[slot] ?? 0) + 1;
    rows.push(slots);
  }
  const { starts, numbers } = numbersOfSlots(matrix, sizes);
  const print = createRowPrinter(matrix.templates, matrix.kinds, starts, numbers);
  return rows.map((slots) => (slots === null ? null : print(slots)));
}

/**
 * Returns a function that assigns the `count` values of a row to slots, so that each slot changes smoothly from row to
 * row: by satellite if the row's list has this length, else by position in the row. Slots are numbered in order of
 * appearance.
 */
function createSlotResolver(): (
  key: string | null,
  count: number,
) => { readonly slots: Int32Array; readonly keyed: boolean } {
  const known = new Map<string, number>();
  const lists = new Map<string, Int32Array>();
  const slotOf = (name: string): number => {
    const next = known.size;
    const slot = known.get(name) ?? next;
    if (slot === next) known.set(name, slot);
    return slot;
  };
  // Lists stay the same for minutes: most rows have that of the previous row.
  let lastKey: string | null = null;
  let lastSlots = new Int32Array(0);
  return (key, count) => {
    if (key !== null && key !== lastKey && commas(key) + 1 === count) {
      lastSlots = listOf(key);
      lastKey = key;
    }
    if (key !== null && key === lastKey && lastSlots.length === count) return { slots: lastSlots, keyed: true };
    return { slots: Int32Array.from({ length: count }, (_, place) => slotOf(`place ${place}`)), keyed: false };
  };

  function listOf(key: string): Int32Array<ArrayBuffer> {
    const found = lists.get(key);
    if (found) return found as Int32Array<ArrayBuffer>;
    const slots = Int32Array.from(key.split(","), slotOf);
    lists.set(key, slots);
    return slots;
  }
}

function commas(text: string): number {
  let n = 0;
  for (let at = text.indexOf(","); at >= 0; at = text.indexOf(",", at + 1)) n++;
  return n;
}
