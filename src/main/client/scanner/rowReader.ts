import { defined } from "#shared/defined.ts";
import { addIrregularity, type IrregularityCounts } from "#shared/series/rows.ts";
import { parseUtc } from "#shared/time/utc.ts";
import type { Block, Blocks, Columns } from "./blocks.ts";
import type { Kernel } from "./kernel/kernel.ts";
import {
  HAND_ON,
  MOST_TEXTS,
  NO_GUESS,
  STATE_AT,
  STATE_LAST,
  STATE_ROWS,
  STATE_TEXTS,
  TEMPLATE_NEXT,
  TEMPLATE_OTHER,
} from "./kernel/layout.ts";
import { placeTemplate, shapeOf, type Template } from "./template.ts";
import { parseTolerantly, scalarValue, textValue } from "./values.ts";

/** Returns the id under which a row is passed to the caller. */
export type StationOf = (row: Readonly<Record<string, unknown>>) => string;

/** Where the values of rows go. */
interface RowTarget {
  readonly columns: Columns;
  readonly blocks: Blocks;
  readonly stationOf: StationOf;
  readonly irregularities: IrregularityCounts;
}

/** Maximum number of learned shapes; above it (or if learning does not pay) new ones are read by `JSON.parse`. */
const MAX_TEMPLATES = 4_096;

/**
 * Creates a reader of rows in the kernel's memory. It expects the shapes that followed the shape of the last row before:
 * the next row of the same station, or a row of the next station. A wrong guess costs time, never a row: a row that fits
 * no guess is read by `JSON.parse`, and its shape is learned.
 */
export function createRowReader(kernel: Kernel, target: RowTarget) {
  const { columns, blocks } = target;
  // The kernel would write more texts beyond the end of its structure.
  if (columns.texts.length > MOST_TEXTS) throw new RangeError(`More than ${MOST_TEXTS} columns of texts.`);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const templates = new Map<string, Template>();
  const byAddress = new Map<number, Template>();
  /** Grows with every right guess, and shrinks with every shape that is analysed. */
  let credit = 1_000;

  function state(field: number): number {
    return kernel.word(kernel.state + field);
  }

  function setState(field: number, value: number): void {
    kernel.setWord(kernel.state + field, value);
  }

  /** Returns a counter of the kernel, and sets it to zero. */
  function take(field: number): number {
    const counted = state(field);
    setState(field, 0);
    return counted;
  }

  function follow(template: Template): void {
    const last = state(STATE_LAST);
    const next = last === 0 ? template.address : kernel.word(last + TEMPLATE_NEXT);
    if (next !== template.address) {
      kernel.setWord(last + TEMPLATE_OTHER, next);
      kernel.setWord(last + TEMPLATE_NEXT, template.address);
    }
    setState(STATE_LAST, template.address);
  }

  function learn(start: number, end: number, block: Block): void {
    if (credit <= 0) return;
    credit--;
    const shape = shapeOf(kernel.bytes.subarray(start, end), columns);
    if (shape === null) return;
    let template = templates.get(shape.key);
    if (template === undefined) {
      if (templates.size >= MAX_TEMPLATES) return;
      template = placeTemplate(kernel, shape, block);
      templates.set(shape.key, template);
      byAddress.set(template.address, template);
    }
    follow(template);
  }

  /** Decodes the texts that the kernel found in its last row; returns their length. */
  function takeTexts({ block, texts, missingTexts }: Template): number {
    const row = blocks.rowsOf(block) - 1;
    let characters = 0;
    for (const { column, values } of texts) {
      const start = state(STATE_TEXTS + 8 * column);
      const length = state(STATE_TEXTS + 8 * column + 4);
      values[row] = length < 0 ? null : kernel.bytes.toString("latin1", start, start + length);
      characters += Math.max(0, length);
    }
    for (const { values } of missingTexts) values[row] = null;
    return characters;
  }

  return {
    /**
     * Reads rows by their guessed shapes from an address on, while a guess fits and another row follows.
     *
     * @returns whether the last row was complete and something other than a row follows; false if no guess fits, or a
     *   row is incomplete
     */
    run(at: number): boolean {
      setState(STATE_AT, at);
      for (;;) {
        const why = kernel.run();
        if (why !== HAND_ON) return why !== NO_GUESS;
        const template = defined(byAddress.get(state(STATE_LAST)));
        blocks.added(template.block, columns.texts.length > 0 ? takeTexts(template) : 0);
        const behind = state(STATE_AT);
        if (!isNextRow(kernel.bytes, behind)) return true;
        setState(STATE_AT, behind + 1);
      }
    },
    /** The address at which `run` stopped. */
    at: () => state(STATE_AT),
    /** Returns the number of rows that `run` has read since the last call. */
    takeRowCount(): number {
      const rows = take(STATE_ROWS);
      credit += rows;
      return rows;
    },
    /**
     * Reads the element of `data` between two addresses, whatever its shape.
     *
     * @throws if it is not valid JSON
     */
    read(start: number, end: number): void {
      const element = parseTolerantly(decoder.decode(kernel.bytes.subarray(start, end)));
      const block = readParsedRow(element, target);
      if (block !== null) learn(start, end, block);
    },
  };
}

/** Whether these are the two bytes between most rows: `,{`. */
export function isNextRow(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0x2c && bytes[at + 1] === 0x7b;
}

/**
 * Reads any parsed element of `data` into the blocks: the slow path, for rows of unexpected shape, and the reference
 * that the fast path must agree with.
 *
 * @returns the block with the row; null if the row was discarded
 */
function readParsedRow(element: unknown, { columns, blocks, stationOf, irregularities }: RowTarget): Block | null {
  const row = isObject(element) ? element : {};
  const time = row["timestamp"];
  const timeMs = typeof time === "string" ? parseUtc(time) : null;
  if (timeMs === null) {
    addIrregularity(irregularities, "unreadableTime");
    return null;
  }
  const has = (variable: string) => Object.hasOwn(row, variable);
  const scalars = columns.scalars.map((v) => (has(v) ? scalarValue(row[v], irregularities) : Number.NaN));
  const texts = columns.texts.map((v) => (has(v) ? textValue(row[v], irregularities) : null));
  const block = blocks.of(stationOf(row));
  blocks.add(block, timeMs, scalars, texts);
  return block;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
