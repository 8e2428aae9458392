import { defined } from "#shared/defined.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { FileStation, Pace, SeriesFileSource } from "../source.ts";
import type { ParquetFile } from "./file.ts";
import { type EncodedColumn, encodeDictionary, encodeDoubles, encodeMoments } from "./pages.ts";
import { stationColumns, type Table, type TableBlock } from "./schema.ts";

/** Rows of a row group, which is kept in memory. */
const MAX_ROWS = 131_072;

/** Collects rows of one station for a row group. */
class RowBuffer {
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

  /** Encodes the columns `time`, `prn` (with satellites) and values, and empties the buffer at once. */
  encode(): Promise<EncodedColumn>[] {
    const columns = [
      encodeMoments(this.#times.subarray(0, this.#rows)),
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

/** The file for rows of a station before `endMs`. */
interface Partition {
  readonly file: ParquetFile;
  readonly endMs: UtcMs;
}

export interface Target {
  /** Whether the station's identifier is a column; otherwise the folder's name contains it. */
  readonly hasId: boolean;
  /** Opens the partition of a station at a moment. */
  enter(station: FileStation, momentMs: UtcMs): Promise<Partition>;
  /** Completes a partition. */
  leave(file: ParquetFile, station: FileStation): Promise<void>;
}

/** Writes all rows in row groups, each with rows of one station and partition. */
export async function fill(source: SeriesFileSource, table: Table, target: Target, pace: Pace): Promise<void> {
  const buffer = new RowBuffer(table.columns.length, table.hasSatellites);
  for (const [index, station] of source.stations.entries()) {
    let partition = null as Partition | null;
    // A group is compressed in other threads while the rows of the next one are read.
    let written: Promise<void> = Promise.resolve();
    const flush = async (): Promise<void> => {
      const { rows } = buffer;
      await written;
      if (rows === 0 || partition === null) return;
      const { file } = partition;
      const columns = Promise.all([...stationColumns(station, target.hasId, rows), ...buffer.encode()]);
      written = columns.then((encoded) => file.append(encoded, rows));
      written.catch(() => {});
    };
    const leave = async (): Promise<void> => {
      if (partition === null) return;
      await flush();
      await written;
      await target.leave(partition.file, station);
      partition = null;
    };
    try {
      for (const block of table.blocks(index)) {
        const { timesMs } = block;
        for (let row = 0; row < timesMs.length;) {
          const timeMs = timesMs[row]!;
          if (partition !== null && timeMs >= partition.endMs) await leave();
          partition ??= await target.enter(station, timeMs);
          const added = buffer.add(block, row, firstFrom(timesMs, partition.endMs, row));
          row += added;
          if (buffer.isFull) await flush();
          await pace.step(added);
        }
      }
      await leave();
    } finally {
      // After a failure, the caller discards the file.
      await written.catch(() => undefined);
    }
    await pace.step();
  }
}

/** Returns the index of the first moment at or after `momentMs`, from `from` on, or the length. Times are ascending. */
function firstFrom(timesMs: Float64Array, momentMs: number, from: number): number {
  if (defined(timesMs.at(-1)) < momentMs) return timesMs.length;
  let end = from;
  while (timesMs[end]! < momentMs) end++;
  return end;
}
