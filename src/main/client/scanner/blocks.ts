import { defined } from "#shared/defined.ts";
import type { ReceivedRows } from "#shared/series/rows.ts";
import { isVariable, type Variable, variableKind, withImpliedVariables } from "#shared/service/variables.ts";
import type { Kernel } from "./kernel/kernel.ts";
import {
  BLOCK_BYTES,
  BLOCK_CAPACITY,
  BLOCK_ROWS,
  BLOCK_SCALARS,
  BLOCK_TIMES,
  MOST_WAITING,
  STATE_WAITING,
} from "./kernel/layout.ts";

/** The columns that rows are read into: the requested variables and what they imply. */
export interface Columns {
  readonly scalars: readonly Variable[];
  readonly texts: readonly Variable[];
}

export function columnsFor(variables: Iterable<Variable>): Columns {
  const all = withImpliedVariables(variables).filter(isVariable);
  return {
    scalars: all.filter((v) => variableKind(v) === "scalar"),
    texts: all.filter((v) => variableKind(v) === "satellite"),
  };
}

/** A growing block of rows of one station: numbers are in the kernel's memory, texts here. */
export interface Block {
  readonly stationId: string;
  /** Address of its structure in the kernel's memory. */
  readonly address: number;
  readonly texts: (string | null)[][];
}

/** Collects rows in one block per station, and emits the blocks before they grow large. */
export interface Blocks {
  /** Returns the block of a station; the same object for the whole body. */
  of(stationId: string): Block;
  /** Adds a row, with one value for each column. */
  add(block: Block, timeMs: number, scalars: readonly number[], texts: readonly (string | null)[]): void;
  /** Called after the kernel has added rows to the block, with `textLength` characters of text. */
  added(block: Block, textLength: number): void;
  /** Index of the next row. */
  rowsOf(block: Block): number;
  /** Emits all remaining rows. */
  flush(): void;
}

const INITIAL_CAPACITY = 256;
const MAX_CAPACITY = 4_096;
/** Maximum characters of text in all blocks together, for any number of stations. */
const MAX_CHARACTERS = 8_000_000;

/** @param onRows receives each block once; its arrays are overwritten as soon as it returns */
export function createBlocks(kernel: Kernel, columns: Columns, onRows: (rows: ReceivedRows) => void): Blocks {
  const byStation = new Map<string, Block>();
  let waitingCharacters = 0;

  function get(block: Block, field: number): number {
    return kernel.word(block.address + field);
  }

  function set(block: Block, field: number, value: number): void {
    kernel.setWord(block.address + field, value);
  }

  /** Adds to the rows that wait in all blocks, and returns their number. */
  function wait(rows: number): number {
    const waiting = kernel.word(kernel.state + STATE_WAITING) + rows;
    kernel.setWord(kernel.state + STATE_WAITING, waiting);
    return waiting;
  }

  function reserve(block: Block, capacity: number): void {
    const times = kernel.allocate(8 * capacity * (1 + columns.scalars.length));
    set(block, BLOCK_ROWS, 0);
    set(block, BLOCK_CAPACITY, capacity);
    set(block, BLOCK_TIMES, times);
    set(block, BLOCK_SCALARS, times + 8 * capacity);
  }

  function emit(block: Block): void {
    const rows = get(block, BLOCK_ROWS);
    if (rows === 0) return;
    wait(-rows);
    const { stationId, texts } = block;
    const capacity = get(block, BLOCK_CAPACITY);
    const first = get(block, BLOCK_TIMES) >> 3;
    const column = (k: number) => kernel.doubles.subarray(first + k * capacity, first + k * capacity + rows);
    onRows({
      stationId,
      timesMs: column(0),
      scalars: Object.fromEntries(columns.scalars.map((v, k) => [v, column(k + 1)])),
      texts: Object.fromEntries(columns.texts.map((v, k) => [v, defined(texts[k])])),
    });
    set(block, BLOCK_ROWS, 0);
    for (const text of texts) text.length = 0;
  }

  function flush(): void {
    for (const block of byStation.values()) emit(block);
    waitingCharacters = 0;
  }

  function added(block: Block, textLength: number): void {
    waitingCharacters += textLength;
    const capacity = get(block, BLOCK_CAPACITY);
    if (get(block, BLOCK_ROWS) === capacity) {
      emit(block);
      if (capacity < MAX_CAPACITY) reserve(block, capacity * 2);
    }
    if (wait(0) >= MOST_WAITING || waitingCharacters >= MAX_CHARACTERS) flush();
  }

  return {
    of(stationId) {
      const known = byStation.get(stationId);
      if (known) return known;
      const block: Block = { stationId, address: kernel.allocate(BLOCK_BYTES), texts: columns.texts.map(() => []) };
      reserve(block, INITIAL_CAPACITY);
      byStation.set(stationId, block);
      return block;
    },
    add(block, timeMs, scalars, texts) {
      const row = get(block, BLOCK_ROWS);
      const capacity = get(block, BLOCK_CAPACITY);
      const first = get(block, BLOCK_TIMES) >> 3;
      kernel.doubles[first + row] = timeMs;
      let textLength = 0;
      scalars.forEach((value, k) => (kernel.doubles[first + (k + 1) * capacity + row] = value));
      texts.forEach((text, k) => {
        block.texts[k]![row] = text;
        textLength += text?.length ?? 0;
      });
      set(block, BLOCK_ROWS, row + 1);
      wait(1);
      added(block, textLength);
    },
    added,
    rowsOf: (block) => get(block, BLOCK_ROWS),
    flush,
  };
}
