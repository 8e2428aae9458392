import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Result, success } from "#shared/service/error.ts";
import type { FormatError } from "../error.ts";
import { Pace, type SeriesFileSource, type WriteOptions, type WrittenFile } from "../source.ts";
import { writeThroughSink } from "../sink.ts";
import { writeThroughFolder } from "../temporaryFolder.ts";
import { fill, type Target } from "./fill.ts";
import { isDataset, PART_NAME, partitionOf } from "./partitions.ts";
import { ParquetFile, type ParquetOutput, PartFile } from "./file.ts";
import { keyValuesOf, schemaOf, tableOf } from "./schema.ts";

export type { CoverageOf } from "./manifest.ts";
export { type UpdatedPartitions, updateParquetDataset } from "./update.ts";

/**
 * Writes series as a Parquet dataset: a folder of `station_id=…/month=YYYY-MM/part-0.parquet`, which DuckDB, Spark, Dask
 * and pandas read as one table with the columns `station_name, latitude_deg, longitude_deg, height_m, time, ztd_mm, …,
 * station_id, month`; satellites have a row each, with `prn, el_deg, az_deg, cn0_<band>_dbhz`. Times are UTC in
 * milliseconds, values are unchanged doubles, missing values null. Memory does not grow with the number of rows. Stations
 * without rows have no partition; without any row there is one empty partition, to define the columns.
 *
 * @param path the folder; replaced if it contains only such a dataset
 */
export async function writeParquetDataset(
  path: string,
  source: SeriesFileSource,
  options: WriteOptions = {},
): Promise<Result<WrittenFile, FormatError>> {
  const result = await writeThroughFolder(path, isDataset, (folder) => fillDataset(folder, source, options), options);
  if (!result.ok) return result;
  options.onProgress?.(result.value.rows);
  return success({ path, ...result.value });
}

/** Writes the rows of `writeParquetDataset` as a single file or stream, with the station in the column `station_id`. */
export async function writeParquetFile(
  path: string,
  source: SeriesFileSource,
  options: WriteOptions = {},
): Promise<Result<WrittenFile, FormatError>> {
  return writeThroughSink(path, (sink, pace) => fillFile(sink, source, options, pace), options);
}

async function fillDataset(
  folder: string,
  source: SeriesFileSource,
  options: WriteOptions,
): Promise<Omit<WrittenFile, "path">> {
  const table = await tableOf(source, options);
  const schema = schemaOf(table, false);
  let bytes = 0;
  let part = null as PartFile | null;
  const target: Target = {
    hasId: false,
    async enter({ id }, momentMs) {
      const { name, range } = partitionOf(id, momentMs);
      const partition = join(folder, name);
      await mkdir(partition, { recursive: true });
      part = await PartFile.create(join(partition, PART_NAME));
      return { file: await ParquetFile.begin(part, schema), endMs: range.endMs };
    },
    async leave(file, station) {
      bytes += await file.finish(keyValuesOf(source, table, [station]), source.provenance.program);
      await part?.finish();
      part = null;
    },
  };
  try {
    const pace = new Pace(options);
    await fill(source, table, target, pace);
    const [first] = source.stations;
    if (pace.rows === 0 && first) await target.leave((await target.enter(first, source.range.startMs)).file, first);
    return { bytes, rows: pace.rows };
  } finally {
    await part?.abandon();
  }
}

async function fillFile(
  output: ParquetOutput,
  source: SeriesFileSource,
  options: WriteOptions,
  pace: Pace,
): Promise<void> {
  const table = await tableOf(source, options);
  const file = await ParquetFile.begin(output, schemaOf(table, true));
  const partition = { file, endMs: Number.POSITIVE_INFINITY };
  await fill(source, table, { hasId: true, enter: async () => partition, leave: async () => {} }, pace);
  await file.finish(keyValuesOf(source, table, source.stations), source.provenance.program);
}
