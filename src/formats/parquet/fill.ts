import type { UtcMs } from "#shared/time/utc.ts";
import type { Pace } from "../pace.ts";
import type { FileStation, SeriesFileSource, WrittenFile } from "../source.ts";
import type { ParquetFile } from "./file.ts";
import { RowBuffer } from "./rowGroup.ts";
import { stationColumns } from "./schema.ts";
import type { Table } from "./tables.ts";

export type Counts = Pick<WrittenFile, "rows" | "stationsWithRows">;

/** Where the rows of a station go, up to the first moment that goes elsewhere. */
interface Place {
  readonly file: ParquetFile;
  readonly endMs: UtcMs;
}

export interface Target {
  /** Whether the identifier of the station is a column; else the folder tells it. */
  readonly hasId: boolean;
  enter(station: FileStation, momentMs: UtcMs): Promise<Place>;
  leave(file: ParquetFile, station: FileStation): Promise<void>;
}

/** Writes all rows in row groups, none of which crosses a border between stations or places. */
export async function fill(source: SeriesFileSource, table: Table, target: Target, pace: Pace): Promise<Counts> {
  const buffer = new RowBuffer(table.columns.length, table.hasSatellites);
  let stationsWithRows = 0;
  for (const [index, station] of source.stations.entries()) {
    let place = null as Place | null;
    const flush = async (): Promise<void> => {
      const { rows } = buffer;
      if (rows > 0)
        await place?.file.append([...stationColumns(station, target.hasId, rows), ...buffer.encode()], rows);
    };
    const leave = async (): Promise<void> => {
      if (place === null) return;
      await flush();
      await target.leave(place.file, station);
      place = null;
    };
    const before = pace.rows;
    for (const block of table.blocks(index)) {
      const { timesMs } = block;
      for (let row = 0; row < timesMs.length;) {
        if (place !== null && timesMs[row]! >= place.endMs) await leave();
        place ??= await target.enter(station, timesMs[row]!);
        const taken = buffer.take(block, row, firstFrom(timesMs, place.endMs, row));
        row += taken;
        if (buffer.isFull) await flush();
        await pace.breathe(taken);
      }
    }
    await leave();
    if (pace.rows > before) stationsWithRows++;
    await pace.breathe();
  }
  return { stationsWithRows, rows: pace.rows };
}

/** Place of the first moment at or after `momentMs`, looked for from `from` on. Times ascend. */
function firstFrom(timesMs: Float64Array, momentMs: number, from: number): number {
  if (timesMs.at(-1)! < momentMs) return timesMs.length;
  let end = from;
  while (timesMs[end]! < momentMs) end++;
  return end;
}
