import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Result, success } from "#shared/service/error.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { FormatError } from "../error.ts";
import { Pace } from "../pace.ts";
import { writeThroughSink } from "../sink.ts";
import type { FileStation, SeriesFileSource, WriteOptions, WrittenFile } from "../source.ts";
import { writeThroughFolder } from "../temporaryFolder.ts";
import { ParquetFile, type ParquetOutput, PartFile } from "./file.ts";
import { RowBuffer } from "./rowGroup.ts";
import { keyValuesOf, schemaOf, stationColumns } from "./schema.ts";
import { type Table, tableOf } from "./tables.ts";
import type { Dirent } from "node:fs";

/** A calendar month in UTC. */
export interface Month {
  /** `2026-10` */
  readonly name: string;
  readonly endMs: UtcMs;
}

function monthOf(moment: UtcMs): Month {
  const date = new Date(moment);
  return {
    name: date.toISOString().slice(0, 7),
    endMs: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1),
  };
}

/**
 * Name of a partition's folder as Hive has it: `key=value`, with what file systems or tools do not take as `%XX`, which
 * all of them read back.
 */
export function partitionName(key: string, value: string): string {
  const escaped = encodeURIComponent(value.toWellFormed()).replaceAll(
    /[!'()*~]|\.$/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${key}=${escaped}`;
}

const PART_NAME = "part-0.parquet";
const LEVELS = [/^station_id=/, /^month=\d{4,6}-\d{2}$/, /^part-\d+\.parquet$/];

/** Whether a folder holds nothing but what an export as a dataset writes: only such a one is replaced by another. */
async function isDataset(folder: string, level = 0): Promise<boolean> {
  const isLast = level === LEVELS.length - 1;
  const fits = (entry: Dirent): boolean => LEVELS[level]!.test(entry.name) && entry.isDirectory() !== isLast;
  const entries = await readdir(folder, { withFileTypes: true });
  if (!entries.every(fits)) return false;
  if (isLast) return true;
  for (const { name } of entries) if (!(await isDataset(join(folder, name), level + 1))) return false;
  return true;
}

/**
 * Writes series as a Parquet dataset: a folder of `station_id=…/month=YYYY-MM/part-0.parquet`, which DuckDB, Spark, Dask
 * and pandas read as one table with the columns `station_name, latitude_deg, longitude_deg, height_m, time, ztd_mm, …,
 * station_id, month`; satellites with a row for each of them, and `prn, el_deg, az_deg, cn0_<band>_dbhz`. Times are UTC in
 * milliseconds, values doubles to the bit; what has no value is null. Memory does not grow with the number of rows. A
 * station without rows has no partition; without any row there is one, which is empty, so that the columns are known.
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

/** Writes the same rows as a single file, or into a stream, with the station in the column `station_id`. */
export async function writeParquetFile(
  path: string,
  source: SeriesFileSource,
  options: WriteOptions = {},
): Promise<Result<WrittenFile, FormatError>> {
  const pace = new Pace(options);
  const result = await writeThroughSink(
    path,
    (sink) => fillFile(sink, source, options, pace),
    () => ({ rows: pace.rows, stationsWithRows: 0 }),
    options.signal,
  );
  if (!result.ok) return result;
  const { bytes, value } = result.value;
  options.onProgress?.(value.rows);
  return success({ path, bytes, ...value });
}

async function fillDataset(
  folder: string,
  source: SeriesFileSource,
  options: WriteOptions,
): Promise<Omit<WrittenFile, "path">> {
  const table = await tableOf(source, new Pace({ ...options, onProgress: () => {} }));
  const schema = schemaOf(table, false);
  let bytes = 0;
  let part = null as PartFile | null;
  const target: Target = {
    hasId: false,
    async enter({ id }, momentMs) {
      const month = monthOf(momentMs);
      const place = join(folder, partitionName("station_id", id), partitionName("month", month.name));
      await mkdir(place, { recursive: true });
      part = await PartFile.create(join(place, PART_NAME));
      return { file: await ParquetFile.begin(part, schema), endMs: month.endMs };
    },
    async leave(file, station) {
      bytes += await file.finish(keyValuesOf(source, table, [station]), source.provenance.program);
      await part?.finish();
      part = null;
    },
  };
  try {
    const counts = await fill(source, table, target, new Pace(options));
    const [first] = source.stations;
    if (counts.rows === 0 && first) await target.leave((await target.enter(first, source.range.startMs)).file, first);
    return { bytes, ...counts };
  } finally {
    await part?.abandon();
  }
}

async function fillFile(
  output: ParquetOutput,
  source: SeriesFileSource,
  options: WriteOptions,
  pace: Pace,
): Promise<Counts> {
  const table = await tableOf(source, new Pace({ ...options, onProgress: () => {} }));
  const file = await ParquetFile.begin(output, schemaOf(table, true));
  const counts = await fill(
    source,
    table,
    { hasId: true, enter: async () => ({ file, endMs: Number.POSITIVE_INFINITY }), leave: async () => {} },
    pace,
  );
  await file.finish(keyValuesOf(source, table, source.stations), source.provenance.program);
  return counts;
}

type Counts = Pick<WrittenFile, "rows" | "stationsWithRows">;

/** Where the rows of a station go, up to the first moment that goes elsewhere. */
interface Place {
  readonly file: ParquetFile;
  readonly endMs: UtcMs;
}

interface Target {
  /** Whether the identifier of the station is a column; else the folder tells it. */
  readonly hasId: boolean;
  enter(station: FileStation, momentMs: UtcMs): Promise<Place>;
  leave(file: ParquetFile, station: FileStation): Promise<void>;
}

/** Writes all rows in row groups, none of which crosses a border between stations or places. */
async function fill(source: SeriesFileSource, table: Table, target: Target, pace: Pace): Promise<Counts> {
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
