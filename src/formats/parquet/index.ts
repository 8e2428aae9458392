import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { failure, success, type Result } from "#shared/service/error.ts";
import type { FormatError } from "../error.ts";
import { Pace } from "../pace.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { FileStation, SeriesFileSource, WriteOptions, WrittenFile } from "../source.ts";
import { guarded } from "../sourceRows.ts";
import { writeThroughTemporary } from "../temporary.ts";
import { writeThroughFolder } from "../temporaryFolder.ts";
import { ParquetFile } from "./file.ts";
import { encodeConstant } from "./pages.ts";
import { isDataset, monthOf, PART_NAME, partitionName } from "./partition.ts";
import { RowBuffer } from "./rowGroup.ts";
import { keyValuesOf, schemaOf } from "./schema.ts";

/**
 * Writes series as a Parquet dataset: a folder of `station_id=…/month=YYYY-MM/part-0.parquet`, which DuckDB, Spark, Dask
 * and pandas read as one table with the columns `station_name, time, ztd_mm, …, station_id, month`. Times are UTC in
 * milliseconds, scalars doubles to the bit, per-satellite variables the texts of the service; what has no value is null.
 * Memory does not grow with the number of rows. A station without rows has no partition.
 *
 * @param path the folder; replaced where it holds such a dataset and nothing else
 */
export async function writeParquetDataset(
  path: string,
  source: SeriesFileSource,
  options: WriteOptions = {},
): Promise<Result<WrittenFile, FormatError>> {
  const result = await writeThroughFolder(path, isDataset, (folder) => fillDataset(folder, source, options));
  if (!result.ok) return result;
  options.onProgress?.(result.value.rows);
  return success({ path, ...result.value });
}

/** Writes the same rows as a single file, with the station in the column `station_id`. */
export async function writeParquetFile(
  path: string,
  source: SeriesFileSource,
  options: WriteOptions = {},
): Promise<Result<WrittenFile, FormatError>> {
  const result = await writeThroughTemporary(
    path,
    (temporaryPath) => fillFile(temporaryPath, source, options),
    options.signal,
  );
  if (!result.ok) return failure(result.error);
  const { bytes, value } = result.value;
  options.onProgress?.(value.rows);
  return success({ path, bytes, ...value });
}

async function fillDataset(
  folder: string,
  source: SeriesFileSource,
  options: WriteOptions,
): Promise<Omit<WrittenFile, "path">> {
  const schema = schemaOf(["station_name"], source.variables);
  let bytes = 0;
  const counts = await fill(source, options, {
    async enter({ id, displayName }, momentMs) {
      const month = monthOf(momentMs);
      const place = join(folder, partitionName("station_id", id), partitionName("month", month.name));
      await mkdir(place, { recursive: true });
      const file = await ParquetFile.open(join(place, PART_NAME), schema, "wx");
      return { file, texts: [displayName], endMs: month.endMs };
    },
    async leave(file, station) {
      bytes += await file.finish(keyValuesOf(source, [station]), source.provenance.program);
    },
  });
  return { bytes, ...counts };
}

async function fillFile(path: string, source: SeriesFileSource, options: WriteOptions): Promise<Counts> {
  const file = await ParquetFile.open(path, schemaOf(["station_id", "station_name"], source.variables), "w");
  try {
    const counts = await fill(source, options, {
      enter: async ({ id, displayName }) => ({ file, texts: [id, displayName], endMs: Number.POSITIVE_INFINITY }),
      leave: async () => {},
    });
    await file.finish(keyValuesOf(source, source.stations), source.provenance.program);
    return counts;
  } finally {
    await file.close();
  }
}

type Counts = Pick<WrittenFile, "rows" | "stationsWithRows">;

/** Where the rows of a station go, up to the first moment that goes elsewhere. */
interface Place {
  readonly file: ParquetFile;
  /** What the first columns say in every row. */
  readonly texts: readonly string[];
  readonly endMs: UtcMs;
}

interface Target {
  enter(station: FileStation, momentMs: UtcMs): Promise<Place>;
  leave(file: ParquetFile, station: FileStation): Promise<void>;
}

/** Writes all rows in row groups, none of which crosses a border between stations or places. */
async function fill(source: SeriesFileSource, options: WriteOptions, target: Target): Promise<Counts> {
  const pace = new Pace(options);
  const buffer = new RowBuffer(source.variables);
  let stationsWithRows = 0;
  let place = null as Place | null;
  const flush = async ({ file, texts }: Place): Promise<void> => {
    const { rows } = buffer;
    if (rows > 0) await file.append([...texts.map((text) => encodeConstant(text, rows)), ...buffer.encode()], rows);
  };
  try {
    for (const [index, station] of source.stations.entries()) {
      const before = pace.rows;
      for (const rows of guarded(() => source.blocks(index))) {
        for (let row = 0; row < rows.timesMs.length;) {
          if (place !== null && rows.timesMs[row]! >= place.endMs) {
            await flush(place);
            await target.leave(place.file, station);
            place = null;
          }
          place ??= await target.enter(station, rows.timesMs[row]!);
          const taken = buffer.take(rows, row, firstFrom(rows.timesMs, place.endMs, row));
          row += taken;
          if (buffer.isFull) await flush(place);
          await pace.breathe(taken);
        }
      }
      if (place !== null) {
        await flush(place);
        await target.leave(place.file, station);
        place = null;
      }
      if (pace.rows > before) stationsWithRows++;
      await pace.breathe();
    }
  } catch (thrown) {
    await place?.file.close();
    throw thrown;
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
