import { emptyRows, type RowBlock } from "./rows.ts";

/** The current row of a station; past the end of its rows, the block has none. */
interface Cursor {
  /** Index of the station. */
  readonly station: number;
  readonly blocks: Iterator<RowBlock>;
  block: RowBlock;
  row: number;
}

/**
 * Merges the rows of several stations by time; rows of one moment are in the order of the stations.
 * Call `load` until it returns false, then `next` until it returns null.
 */
export class Merge {
  readonly #cursors: readonly Cursor[];
  /** Time of each station's next row; Infinity past its end. */
  readonly #heads: Float64Array;
  #nowMs = -Infinity;
  #current: Cursor | null = null;
  #loaded = 0;
  /** Blocks read so far, which shows the caller that work was done. */
  blocksRead = 0;

  constructor(series: readonly Iterable<RowBlock>[]) {
    this.#cursors = series.map((blocks, station) => ({
      station,
      blocks: blocks[Symbol.iterator](),
      block: emptyRows([], 0),
      row: 0,
    }));
    this.#heads = new Float64Array(series.length).fill(Infinity);
  }

  /** Reads the first block of one more station; false when all have been read. */
  load(): boolean {
    const cursor = this.#cursors[this.#loaded++];
    if (cursor) this.#refill(cursor);
    return cursor !== undefined;
  }

  /** Advances to the next row; the returned cursor changes with the next call. Returns null past the last row. */
  next(): Readonly<Cursor> | null {
    if (this.#current) this.#advance(this.#current);
    const heads = this.#heads;
    const count = heads.length;
    for (let s = this.#current ? this.#current.station + 1 : 0; ; s++) {
      if (s === count) {
        let earliest = Infinity;
        for (let k = 0; k < count; k++) earliest = Math.min(earliest, heads[k]!);
        if (earliest === Infinity) return null;
        this.#nowMs = earliest;
        s = 0;
      }
      if (heads[s] === this.#nowMs) {
        this.#current = this.#cursors[s]!;
        return this.#current;
      }
    }
  }

  #advance(cursor: Cursor): void {
    if (++cursor.row === cursor.block.count) this.#refill(cursor);
    else this.#heads[cursor.station] = cursor.block.timesMs[cursor.row]!;
  }

  #refill(cursor: Cursor): void {
    const step = cursor.blocks.next();
    cursor.block = step.done ? emptyRows([], 0) : step.value;
    cursor.row = 0;
    this.#heads[cursor.station] = step.done ? Infinity : step.value.timesMs[0]!;
    this.blocksRead++;
  }
}
