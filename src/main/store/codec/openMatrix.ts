import { NUMBER_MARK } from "#shared/series/satelliteBlock.ts";
import { DamagedData } from "../errors.ts";
import { bounded, byteReader } from "./bytes.ts";
import { decodeBits, decompress } from "./compress.ts";
import { decodeDifferences } from "./differences.ts";
import { decodeRuns } from "./runs.ts";

/** An encoded matrix before its values are assigned to slots. */
interface OpenMatrix {
  /** 1 for each row without a value; null if all have one. */
  readonly missing: Uint8Array | null;
  /** Number of values of each row with a value; 0: as many as its satellite list, which names their slots. */
  readonly counts: Float64Array;
  readonly templates: readonly string[];
  /** Template of each value, slot by slot; empty if there is only one. */
  readonly kinds: Uint8Array;
  readonly differences: Uint8Array;
}

/** @throws DamagedData */
export function openMatrix(bytes: Uint8Array): OpenMatrix {
  const source = byteReader(bytes);
  const bitmap = source.block();
  const missing = bitmap.length === 0 ? null : decodeBits(bitmap);
  const counts = decodeRuns(source.block());
  bounded(counts.reduce((sum, count) => sum + Math.abs(count), 0));
  const templates = new TextDecoder().decode(source.block()).split(",");
  const kindCount = source.unsigned();
  const kinds = decompress(source.block(), kindCount);
  return { missing, counts, templates, kinds, differences: source.rest() };
}

interface SlotNumbers {
  /** Index of the first value of each slot in `kinds`. */
  readonly starts: readonly number[];
  /** Numbers by slot and place in the templates. */
  readonly numbers: readonly (readonly Int32Array[])[];
}

/**
 * @param sizes number of values of each slot
 * @throws DamagedData
 */
export function numbersOfSlots(
  { templates, kinds, differences }: OpenMatrix,
  sizes: ArrayLike<number> & Iterable<number>,
): SlotNumbers {
  const starts: number[] = [];
  let total = 0;
  for (const size of sizes) {
    starts.push(total);
    total += size;
  }
  if (kinds.length !== 0 && kinds.length !== total) throw new DamagedData("templates without values");
  const numbersIn = templates.map(numberCount);
  const lengths = starts.map((start, slot) => placeLengths(kinds, start, sizes[slot]!, numbersIn));
  const places = decodeDifferences(differences, lengths.flat());
  let next = 0;
  return { starts, numbers: lengths.map((list) => places.slice(next, (next += list.length))) };
}

/** Returns the number of numbers in a template. */
export function numberCount(template: string): number {
  let n = 0;
  for (let i = 0; i < template.length; i++) if (template.charCodeAt(i) >= NUMBER_MARK) n++;
  return n;
}

/** Returns the number of numbers of a slot at each place of its templates. */
function placeLengths(kinds: Uint8Array, start: number, size: number, numbersIn: readonly number[]): number[] {
  if (kinds.length === 0) return Array.from({ length: numbersIn[0] ?? 0 }, () => size);
  const lengths: number[] = [];
  for (let i = start; i < start + size; i++) {
    const numbers = numbersIn[kinds[i]!] ?? 0;
    for (let place = 0; place < numbers; place++) lengths[place] = (lengths[place] ?? 0) + 1;
  }
  return lengths;
}
