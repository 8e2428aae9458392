import { defined } from "#shared/defined.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { Pace } from "../pace.ts";
import type { FileStation, SeriesFileSource, WrittenFile } from "../source.ts";
import type { ParquetFile } from "./file.ts";
import { RowBuffer } from "./rowGroup.ts";
import { stationColumns } from "./schema.ts";
import type { Table } from "./tables.ts";

export type Counts = Pick<WrittenFile, "rows" | "stationsWithRows">;

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
export async function fill(source: SeriesFileSource, table: Table, target: Target, pace: Pace): Promise<Counts> {
  const buffer = new RowBuffer(table.columns.length, table.hasSatellites);
  let stationsWithRows = 0;
  for (const [index, station] of source.stations.entries()) {
    let partition = null as Partition | null;
    const flush = async (): Promise<void> => {
      const { rows } = buffer;
      if (rows > 0)
        await partition?.file.append([...stationColumns(station, target.hasId, rows), ...buffer.encode()], rows);
    };
    const leave = async (): Promise<void> => {
      if (partition === null) return;
      await flush();
      await target.leave(partition.file, station);
      partition = null;
    };
    const before = pace.rows;
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
    if (pace.rows > before) stationsWithRows++;
    await pace.step();
  }
  return { stationsWithRows, rows: pace.rows };
}

/** Returns the index of the first moment at or after `momentMs`, from `from` on, or the length. Times are ascending. */
function firstFrom(timesMs: Float64Array, momentMs: number, from: number): number {
  if (defined(timesMs.at(-1)) < momentMs) return timesMs.length;
  let end = from;
  while (timesMs[end]! < momentMs) end++;
  return end;
}
