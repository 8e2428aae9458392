import { type FileHandle, open } from "node:fs/promises";
import { zstdDecompressSync } from "node:zlib";
import { type AsyncBuffer, type ColumnData, type FileMetaData, parquetMetadataAsync, parquetRead } from "hyparquet";
import { z } from "zod";
import { FormatFailure } from "../../error.ts";

const NOT_OURS =
  "This is not a Parquet file of Zenith Desk: it names no stations, or has no column time. Convert other tables to NetCDF, for example with xarray.";
const DAMAGED = "This Parquet file is damaged: part of it cannot be read.";
/** Rows of one group: ours have fewer, and what a hostile file announces costs it nothing. */
const MOST_GROUP_ROWS = 2_000_000;
const ROWS_AT_ONCE = 5_000;
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
    if (rows === 0) continue;
    const chunks: ColumnData[] = [];
    const onChunk = (chunk: ColumnData): void => void chunks.push(chunk);
    const range = { rowStart, rowEnd: rowStart + rows };
    await readable(parquetRead({ file, metadata, compressors: COMPRESSORS, ...range, onChunk }));
    const columns = names.map((name) =>
      columnOf(
        chunks.filter(({ columnName }) => columnName === name),
        rows,
      ),
    );
    const station = hasId ? [] : [only];
    // Rows of a whole group as texts take many times what its columns do.
    for (let start = rowStart; start < range.rowEnd; start += ROWS_AT_ONCE) {
      const length = Math.min(ROWS_AT_ONCE, range.rowEnd - start);
      yield Array.from({ length }, (_, i) => [...station, ...columns.map((valueAt) => textOf(valueAt(start + i)))]);
    }
    rowStart = range.rowEnd;
  }
}

/** Reads a column row by row, in order. @throws FormatFailure if it has fewer values than rows */
function columnOf(chunks: readonly ColumnData[], rows: number): (row: number) => unknown {
  const ordered = chunks.toSorted((a, b) => a.rowStart - b.rowStart);
  const values = ordered.reduce((sum, { columnData }) => sum + columnData.length, 0);
  if (values < rows) throw new FormatFailure("unreadable", DAMAGED);
  let at = 0;
  return (row) => {
    while (at < ordered.length && row >= ordered[at]!.rowEnd) at++;
    const chunk = ordered[at];
    return chunk?.columnData[row - chunk.rowStart];
  };
}

async function readable<T>(reading: T | Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (thrown) {
    throw new FormatFailure("unreadable", DAMAGED, thrown);
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
