import { DamagedData } from "../errors.ts";
import { decodeMatrix, encodeMatrix } from "./matrix.ts";
import type { EncodedValues } from "./scalars.ts";
import { decodeTexts, distinctTexts, encodeTexts, type NamedLists, nameLists, slotOrder } from "./texts.ts";
import { NUMBER_MARK, type SatelliteMatrix } from "#shared/series/satelliteBlock.ts";

type Texts = readonly (string | null)[];

/**
 * Encodes texts without loss, verified by decoding:
 * - matrix: values with numbers, satellite by satellite
 * - texts: each distinct text once
 *
 * `keys` are the satellite lists (prn) of the same rows; null for the
 * satellite lists themselves, which repeat as a whole.
 */
export function encodeSatellites(values: Texts, keys: Texts | null): EncodedValues {
  const matrix = keys === null ? null : encodeMatrix(values, nameLists(distinctTexts(keys)));
  if (matrix !== null && isEqual(decodeSatellites("matrix", matrix, values.length, keys), values)) {
    return { codec: "matrix", bytes: matrix };
  }
  const bytes = encodeTexts(values);
  if (!isEqual(decodeTexts(bytes, values.length), values)) throw new Error("texts that cannot be encoded");
  return { codec: "texts", bytes };
}

/** @throws DamagedData */
export function decodeSatellites(codec: string, bytes: Uint8Array, n: number, keys: Texts | null): (string | null)[] {
  if (codec === "texts") return decodeTexts(bytes, n);
  if (codec !== "matrix" || keys === null) throw new DamagedData(`an unknown encoding of texts: ${codec}`);
  const named = nameLists(distinctTexts(keys));
  const { matrix, missing } = decodeMatrix(bytes, (gaps) => slotOrder(named, gaps));
  return textsOfMatrix(matrix, named, missing);
}

function isEqual(a: Texts, b: Texts): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}

const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;

/** Converts decoded satellite values back to the texts of the rows. @param missing 1 for each row without a value */
function textsOfMatrix(
  { templates, kinds, places }: SatelliteMatrix,
  { lists, list }: Pick<NamedLists, "lists" | "list">,
  missing: Uint8Array | null,
): (string | null)[] {
  const shapes = templates.map((template) => Uint8Array.from(template, (c) => c.charCodeAt(0)));
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
  const printEntry = (entry: number): void => {
    const shape = shapes[kinds[entry] ?? 0]!;
    if (at + 1 + shape.length * 24 > line.length)
      line = Buffer.concat([line, Buffer.alloc(line.length + shape.length * 24)]);
    for (let i = 0, place = 0; i < shape.length; i++) {
      const code = shape[i]!;
      if (code < NUMBER_MARK) line[at++] = code;
      else printNumber(places[place++]![entry]!, code - NUMBER_MARK);
    }
  };

  let entry = 0;
  return Array.from(list, (index, row) => {
    const satellites = lists[index]?.length ?? 0;
    if (missing?.[row] === 1) {
      entry += satellites;
      return null;
    }
    at = 0;
    for (let i = 0; i < satellites; i++) {
      if (i > 0) line[at++] = COMMA;
      printEntry(entry++);
    }
    return line.toString("latin1", 0, at);
  });
}
