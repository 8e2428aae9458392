import type { ArrivedRows } from "#shared/series/rows.ts";
import { isVariable, type Variable, variableKind, withImpliedVariables } from "#shared/service/variables.ts";

/** The columns that rows are read into: the requested variables and what they imply. */
export interface Columns {
  readonly scalars: readonly Variable[];
  readonly texts: readonly Variable[];
}

export function columnsOf(variables: Iterable<Variable>): Columns {
  const all = withImpliedVariables(variables).filter(isVariable);
  return {
    scalars: all.filter((v) => variableKind(v) === "scalar"),
    texts: all.filter((v) => variableKind(v) === "satellite"),
  };
}

/** Rows of one station that are being gathered. The row at index `rows` is open: written to, and not yet counted. */
export interface Block {
  readonly stationId: string;
  rows: number;
  capacity: number;
  timesMs: Float64Array;
  scalars: Float64Array[];
  readonly texts: (string | null)[][];
}

/** Gathers rows into blocks per station and hands them on before they grow large. */
export interface Blocks {
  /** The block of a station; the same object for as long as the body lasts. */
  of(stationId: string): Block;
  /** The open row of the block is complete; `textLength` characters of text came with it. */
  commit(block: Block, textLength: number): void;
  /** Hands on everything that is left. */
  flush(): void;
}

const FIRST_CAPACITY = 256;
const LAST_CAPACITY = 4_096;
/** However many stations there are, this much waits in all blocks together at most. */
const MOST_ROWS = 65_536;
const MOST_CHARACTERS = 8_000_000;

/** @param onRows receives each block once; its arrays are written over as soon as it returns */
export function createBlocks(columns: Columns, onRows: (rows: ArrivedRows) => void): Blocks {
  const byStation = new Map<string, Block>();
  let waitingRows = 0;
  let waitingCharacters = 0;

  function reserve(block: Block, capacity: number): void {
    block.capacity = capacity;
    block.timesMs = new Float64Array(capacity);
    block.scalars = columns.scalars.map(() => new Float64Array(capacity));
  }

  function emit(block: Block): void {
    const { stationId, rows, timesMs, scalars, texts } = block;
    if (rows === 0) return;
    // A text of the open row may already be there.
    for (const text of texts) text.length = rows;
    waitingRows -= rows;
    onRows({
      stationId,
      timesMs: timesMs.subarray(0, rows),
      scalars: Object.fromEntries(columns.scalars.map((v, k) => [v, scalars[k]!.subarray(0, rows)])),
      texts: Object.fromEntries(columns.texts.map((v, k) => [v, texts[k]!])),
    });
    block.rows = 0;
    for (const text of texts) text.length = 0;
  }

  function flush(): void {
    for (const block of byStation.values()) emit(block);
    waitingCharacters = 0;
  }

  return {
    of(stationId) {
      const known = byStation.get(stationId);
      if (known) return known;
      const texts = columns.texts.map(() => []);
      const block: Block = { stationId, rows: 0, capacity: 0, timesMs: new Float64Array(0), scalars: [], texts };
      reserve(block, FIRST_CAPACITY);
      byStation.set(stationId, block);
      return block;
    },
    commit(block, textLength) {
      block.rows++;
      waitingRows++;
      waitingCharacters += textLength;
      if (block.rows === block.capacity) {
        emit(block);
        if (block.capacity < LAST_CAPACITY) reserve(block, block.capacity * 2);
      }
      if (waitingRows >= MOST_ROWS || waitingCharacters >= MOST_CHARACTERS) flush();
    },
    flush,
  };
}
