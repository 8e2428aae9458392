import type { ArrivedRows } from "#shared/series/rows.ts";
import type { Columns } from "../blocks.ts";

/** A block on its way between threads; its numbers lie in a memory that it shares with others. */
export interface PackedBlock {
  readonly stationId: string;
  readonly rows: number;
  readonly texts: ArrivedRows["texts"];
}

/** Blocks and their numbers: of each block in turn its times and its scalar columns. */
export interface Packed {
  readonly blocks: readonly PackedBlock[];
  readonly memory: ArrayBuffer;
}

/** Gathers copies of blocks. */
export interface Packer {
  add(block: ArrivedRows): void;
  /** What was gathered; its memory belongs to the receiver. */
  take(): Packed;
  /** A memory that is not needed any more, to be written over. */
  reuse(memory: ArrayBuffer): void;
}

/** Some thousand rows of three variables. */
const FIRST_NUMBERS = 16_384;

export function createPacker(columns: Columns): Packer {
  let blocks: PackedBlock[] = [];
  let numbers = new Float64Array(0);
  let used = 0;

  function put(values: Float64Array): void {
    if (used + values.length > numbers.length) {
      const larger = new Float64Array(Math.max(FIRST_NUMBERS, numbers.length * 2, used + values.length));
      larger.set(numbers.subarray(0, used));
      numbers = larger;
    }
    numbers.set(values, used);
    used += values.length;
  }

  return {
    add({ stationId, timesMs, scalars, texts }) {
      put(timesMs);
      for (const variable of columns.scalars) put(scalars[variable]!);
      const own = Object.fromEntries(columns.texts.map((variable) => [variable, texts[variable]!.slice()]));
      blocks.push({ stationId, rows: timesMs.length, texts: own });
    },
    take() {
      const taken = { blocks, memory: numbers.buffer };
      blocks = [];
      numbers = new Float64Array(0);
      used = 0;
      return taken;
    },
    reuse(memory) {
      if (used === 0 && memory.byteLength > numbers.byteLength) numbers = new Float64Array(memory);
    },
  };
}

/** Hands on the blocks again, as views of the memory. */
export function unpack({ blocks, memory }: Packed, columns: Columns, onRows: (rows: ArrivedRows) => void): void {
  const numbers = new Float64Array(memory);
  let at = 0;
  for (const { stationId, rows, texts } of blocks) {
    const next = (): Float64Array => numbers.subarray(at, (at += rows));
    const timesMs = next();
    onRows({ stationId, timesMs, scalars: Object.fromEntries(columns.scalars.map((v) => [v, next()])), texts });
  }
}
