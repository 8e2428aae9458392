import { encodeChosen, encodeDoubles, encodeMoments, type EncodedColumn } from "./pages.ts";
import type { TableBlock } from "./tables.ts";

/** A row group is held in memory. */
const MAX_ROWS = 131_072;

/** Rows of one station on their way into a row group. */
export class RowBuffer {
  readonly #times = new Float64Array(MAX_ROWS);
  readonly #values: readonly Float64Array[];
  readonly #satellites: Uint32Array | null;
  readonly #names = new Map<string, number>();
  #rows = 0;

  /** @param values columns of doubles; @param hasSatellites whether each row is that of a satellite */
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

  /** Takes rows from `from` on, up to `to` (exclusive), as many as there is room for, and tells how many. */
  take(block: TableBlock, from: number, to: number): number {
    const end = Math.min(to, from + MAX_ROWS - this.#rows);
    this.#times.set(block.timesMs.subarray(from, end), this.#rows);
    for (const [i, values] of this.#values.entries()) {
      const own = block.values[i];
      if (own) values.set(own.subarray(from, end), this.#rows);
      else values.fill(Number.NaN, this.#rows, this.#rows + end - from);
    }
    if (this.#satellites && block.satellites) {
      const { names, chosen } = block.satellites;
      const places = new Int32Array(names.length).fill(-1);
      for (let row = from; row < end; row++) {
        const name = chosen[row]!;
        if (places[name]! < 0) places[name] = this.#placeOf(names[name]!);
        this.#satellites[this.#rows + row - from] = places[name]!;
      }
    }
    this.#rows += end - from;
    return end - from;
  }

  /** The columns `time`, `prn` where there are satellites, and those of the values; the buffer is empty afterwards. */
  encode(): EncodedColumn[] {
    const columns = [
      encodeMoments(this.#times.slice(0, this.#rows)),
      ...(this.#satellites ? [encodeChosen([...this.#names.keys()], this.#satellites.subarray(0, this.#rows))] : []),
      ...this.#values.map((values) => encodeDoubles(values.subarray(0, this.#rows))),
    ];
    this.#names.clear();
    this.#rows = 0;
    return columns;
  }

  #placeOf(name: string): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    this.#names.set(name, this.#names.size);
    return this.#names.size - 1;
  }
}
