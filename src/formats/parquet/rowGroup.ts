import { encodeDictionary, encodeDoubles, encodeMoments, type EncodedColumn } from "./pages.ts";
import type { TableBlock } from "./tables.ts";

/** Rows of a row group, which is kept in memory. */
const MAX_ROWS = 131_072;

/** Collects rows of one station for a row group. */
export class RowBuffer {
  readonly #times = new Float64Array(MAX_ROWS);
  readonly #values: readonly Float64Array[];
  readonly #satellites: Uint32Array | null;
  readonly #names = new Map<string, number>();
  #rows = 0;

  /** @param values number of double columns @param hasSatellites whether each row belongs to a satellite */
  constructor(values: number, hasSatellites: boolean) {
    this.#values = Array.from({ length: values }, () => new Float64Array(MAX_ROWS));
    this.#satellites = hasSatellites ? new Uint32Array(MAX_ROWS) : null;
  }

  get rows(): number {
    return this.#rows;
  }

  get isFull(): boolean {
    return this.#rows === MAX_ROWS;
  }

  /** Adds rows from `from` up to `to` (exclusive) until the group is full. Returns the number of added rows. */
  add(block: TableBlock, from: number, to: number): number {
    const end = Math.min(to, from + MAX_ROWS - this.#rows);
    this.#times.set(block.timesMs.subarray(from, end), this.#rows);
    for (const [i, values] of this.#values.entries()) {
      const own = block.values[i];
      if (own) values.set(own.subarray(from, end), this.#rows);
      else values.fill(Number.NaN, this.#rows, this.#rows + end - from);
    }
    if (this.#satellites && block.satellites) {
      const { names, indices } = block.satellites;
      const ownIndices = new Int32Array(names.length).fill(-1);
      for (let row = from; row < end; row++) {
        const index = indices[row]!;
        let own = ownIndices[index]!;
        if (own < 0) own = ownIndices[index] = this.#indexOf(names[index]!);
        this.#satellites[this.#rows + row - from] = own;
      }
    }
    this.#rows += end - from;
    return end - from;
  }

  /** Encodes the columns `time`, `prn` (with satellites) and values, and empties the buffer. */
  encode(): EncodedColumn[] {
    const columns = [
      encodeMoments(this.#times.slice(0, this.#rows)),
      ...(this.#satellites
        ? [encodeDictionary([...this.#names.keys()], this.#satellites.subarray(0, this.#rows))]
        : []),
      ...this.#values.map((values) => encodeDoubles(values.subarray(0, this.#rows))),
    ];
    this.#names.clear();
    this.#rows = 0;
    return columns;
  }

  #indexOf(name: string): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    this.#names.set(name, this.#names.size);
    return this.#names.size - 1;
  }
}
