import { NUMBER_MARK, type SatelliteMatrix } from "#shared/series/satelliteBlock.ts";
import type { NamedLists } from "./texts.ts";

const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;

/** Converts decoded satellite values back to the texts of the rows. @param missing 1 for each row without a value */
export function textsOfMatrix(
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
