import { DamagedData } from "../errors.ts";
import { NUMBER_MARK } from "#shared/series/satelliteBlock.ts";

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
export function createRowPrinter(
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
    if (!shape) throw new DamagedData("a template that is not there");
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
