import type { RowBlock } from "./rows.ts";

/** The position of a station: a row of a block; the block is null past the end. */
interface Cursor {
  readonly blocks: Iterator<RowBlock>;
  block: RowBlock | null;
  row: number;
}

/**
 * Merges the rows of several stations by time; rows of one moment are in the order of the stations.
 * Call `load` until it returns false, then `next` for each row.
 */
export class Merge {
  readonly #cursors: readonly Cursor[];
  /** Time of each station's next row; Infinity past its end. */
  readonly #heads: Float64Array;
  #nowMs = -Infinity;
  #station = -1;
  #loaded = 0;
  /** Blocks read so far, which shows the caller that work was done. */
  blocksRead = 0;

  constructor(series: readonly Iterable<RowBlock>[]) {
    this.#cursors = series.map((blocks) => ({ blocks: blocks[Symbol.iterator](), block: null, row: 0 }));
    this.#heads = new Float64Array(series.length).fill(Infinity);
  }

  /** Reads the first block of one more station; false when all have been read. */
  load(): boolean {
    if (this.#loaded === this.#cursors.length) return false;
    this.#refill(this.#loaded++);
    return true;
  }

  /** Advances to the next row; returns false if there is none. */
  next(): boolean {
    if (this.#station >= 0) this.#advance(this.#station);
    const heads = this.#heads;
    const count = heads.length;
    for (let s = this.#station + 1; ; s++) {
      if (s === count) {
        let earliest = Infinity;
        for (let k = 0; k < count; k++) if (heads[k]! < earliest) earliest = heads[k]!;
        if (earliest === Infinity) return false;
        this.#nowMs = earliest;
        s = 0;
      }
      if (heads[s] === this.#nowMs) {
        this.#station = s;
        return true;
      }
    }
  }

  /** Index of the station of the current row. */
  get station(): number {
    return this.#station;
  }

  get block(): RowBlock {
    return this.#cursors[this.#station]!.block!;
  }

  get row(): number {
    return this.#cursors[this.#station]!.row;
  }

  #advance(station: number): void {
    const cursor = this.#cursors[station]!;
    const block = cursor.block!;
    if (++cursor.row < block.count) this.#heads[station] = block.timesMs[cursor.row]!;
    else this.#refill(station);
  }

  #refill(station: number): void {
    const cursor = this.#cursors[station]!;
    const step = cursor.blocks.next();
    cursor.block = step.done ? null : step.value;
    cursor.row = 0;
    this.#heads[station] = step.done ? Infinity : step.value.timesMs[0]!;
    this.blocksRead++;
  }
}
