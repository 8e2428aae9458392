import { type FileHandle, open } from "node:fs/promises";
import { zstdDecompressSync } from "node:zlib";
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { z } from "zod";
import { FormatFailure } from "../../error.ts";

const NOT_OURS =
  "This is not a Parquet file of Zenith Desk: it names no stations, or has no column time. Convert other tables to NetCDF, for example with xarray.";
/** Rows of one group: ours have fewer, and what a hostile file announces costs it nothing. */
const MOST_GROUP_ROWS = 2_000_000;
/** Bytes that a page may become. */
const MOST_PAGE_BYTES = 1 << 28;
const COMPRESSORS = {
  ZSTD: (packed: Uint8Array) => new Uint8Array(zstdDecompressSync(packed, { maxOutputLength: MOST_PAGE_BYTES })),
};
const stations = z.array(z.looseObject({ id: z.string() }));

/**
 * A Parquet file of ours as the records of a table, in batches, the names of its columns first: a whole export in one
 * file, or a part of a dataset, which has one station. @throws FormatFailure
 */
export async function* parquetRecords(path: string): AsyncIterable<string[][]> {
  await using handle = await open(path, "r");
  const file = await bufferOf(handle);
  const metadata = await readable(parquetMetadataAsync(file));
  const names = metadata.schema.slice(1).map((column) => column.name);
  const ids = stationsOf(metadata);
  const [only] = ids;
  const hasId = names.includes("station_id");
  if (!names.includes("time") || only === undefined || (!hasId && ids.length > 1))
    throw new FormatFailure("unreadable", NOT_OURS);
  yield [hasId ? names : ["station_id", ...names]];
  let rowStart = 0;
  for (const { num_rows: count } of metadata.row_groups) {
    const rows = Number(count);
    if (!(rows >= 0 && rows <= MOST_GROUP_ROWS)) throw new FormatFailure("unreadable", NOT_OURS);
    const options = { file, metadata, compressors: COMPRESSORS, rowStart, rowEnd: rowStart + rows };
    const found = rows === 0 ? [] : await readable(parquetReadObjects(options));
    rowStart += rows;
    yield found.map((row) => [...(hasId ? [] : [only]), ...names.map((name) => textOf(row[name]))]);
  }
}

async function readable<T>(reading: T | Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (thrown) {
    throw new FormatFailure("unreadable", "This Parquet file is damaged: part of it cannot be read.", thrown);
  }
}

/** Ids of the stations that the footer names. */
function stationsOf({ key_value_metadata: pairs = [] }: FileMetaData): string[] {
  const text = pairs.find(({ key }) => key === "stations")?.value;
  try {
    return stations.parse(JSON.parse(text ?? "")).map(({ id }) => id);
  } catch {
    return [];
  }
}

function textOf(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : value.toISOString();
  return typeof value === "string" || typeof value === "number" || typeof value === "bigint" ? String(value) : "";
}

async function bufferOf(handle: FileHandle): Promise<AsyncBuffer> {
  const { size } = await handle.stat();
  return {
    byteLength: size,
    async slice(start, end = size) {
      const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - start));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
      return bytes.buffer.slice(0, bytesRead);
    },
  };
}
