import { brotliDecompressSync, crc32, gunzipSync, zstdDecompressSync } from "node:zlib";
import {
  type AsyncBuffer,
  type ColumnData,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  type RowGroup,
} from "hyparquet";
import { deserializeTCompactProtocol } from "hyparquet/src/thrift.js";
import { FormatFailure, readable, unreadable } from "../../error.ts";
import { bytesIn, type ForeignFile } from "../../foreign/file.ts";
import { shortestDecimal } from "../meaning/values.ts";
import { listed } from "../notes.ts";
import { fieldOf, recordSource, type TableSource } from "../table/source.ts";
import { FOOTER_KEY, isFooterIntact } from "../../parquet/footer.ts";

const LARGE_GROUP =
  "This Parquet file has more than 2,000,000 rows in a group. Write it again with smaller ones (row_group_size).";
const DAMAGED = "This Parquet file is damaged: part of it cannot be read.";
/** Limit of rows per group, because a hostile file can state any number; exports have fewer. */
const MAX_GROUP_ROWS = 2_000_000;
const BATCH_ROWS = 5_000;
const MAX_PAGE_BYTES = 1 << 28;
const COMPRESSORS = {
  ZSTD: (packed: Uint8Array) => new Uint8Array(zstdDecompressSync(packed, { maxOutputLength: MAX_PAGE_BYTES })),
  GZIP: (packed: Uint8Array) => new Uint8Array(gunzipSync(packed, { maxOutputLength: MAX_PAGE_BYTES })),
  BROTLI: (packed: Uint8Array) => new Uint8Array(brotliDecompressSync(packed, { maxOutputLength: MAX_PAGE_BYTES })),
};
/** Columns of a table by the fields of a station in the footer of an export. */
const FIELDS = {
  station_name: "displayName",
  latitude_deg: "latitudeDeg",
  longitude_deg: "longitudeDeg",
  height_m: "height",
  height_reference: "heightReference",
} as const;

/** Opens a Parquet file of any program, a single-file export, or a part of a dataset with one station. @throws FormatFailure */
export async function parquetSource(source: ForeignFile): Promise<TableSource> {
  const file = bufferOf(source);
  const metadata = await readable(DAMAGED, () => parquetMetadataAsync(file));
  await readable(DAMAGED, () => assertFooter(source, metadata));
  const nested = columnsOf(metadata).flatMap(({ name, textOf }) => (textOf ? [] : [name]));
  const remarks =
    nested.length === 0
      ? []
      : [
          `Columns with several values in a row are not shown: ${listed(nested)}. Write each of the values as a column of its own.`,
        ];
  return recordSource({ format: "parquet", remarks }, () => recordsOf(source, file, metadata));
}

async function* recordsOf(source: ForeignFile, file: AsyncBuffer, metadata: FileMetaData): AsyncIterable<string[][]> {
  const columns = columnsOf(metadata).flatMap(({ name, textOf }) => (textOf ? [{ name, textOf }] : []));
  const names = columns.map(({ name }) => name);
  const known = stationsOf(metadata);
  const [only] = known;
  const hasId = names.includes("station_id");
  const fields = (Object.keys(FIELDS) as (keyof typeof FIELDS)[]).filter((name) => !names.includes(name));
  const texts = new Map(known.map((station) => [station.id, fields.map((name) => fieldOf(station[FIELDS[name]]))]));
  const unknown = fields.map(() => "");
  // A part of a dataset has its station in the footer alone; files of others have none there.
  const isPart = !hasId && known.length === 1;
  const described = known.length > 0 && (hasId || isPart) ? fields : [];
  yield [[...(isPart ? ["station_id", ...names] : names), ...described]];
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows);
    if (!(rows >= 0 && rows <= MAX_GROUP_ROWS)) throw new FormatFailure("tooLarge", LARGE_GROUP);
    if (rows === 0) continue;
    await readable(DAMAGED, () => assertPages(source, group));
    const chunks: ColumnData[] = [];
    const onChunk = (chunk: ColumnData): void => void chunks.push(chunk);
    const range = { rowStart, rowEnd: rowStart + rows };
    await readable(DAMAGED, () => parquetRead({ file, metadata, compressors: COMPRESSORS, ...range, onChunk }));
    const readers = columns.map(({ name, textOf }) => {
      const valueAt = columnReader(
        chunks.filter(({ columnName }) => columnName === name),
        rows,
      );
      return (row: number): string => textOf(valueAt(row));
    });
    const station = isPart && only ? [only.id] : [];
    const idAt = hasId ? names.indexOf("station_id") : 0;
    // In batches, because the texts of a whole group take many times the memory of its columns.
    for (let start = rowStart; start < range.rowEnd; start += BATCH_ROWS) {
      const length = Math.min(BATCH_ROWS, range.rowEnd - start);
      yield Array.from({ length }, (_, i) => {
        const record = [...station, ...readers.map((textAt) => textAt(start + i))];
        return [...record, ...(described.length === 0 ? [] : (texts.get(record[idAt] ?? "") ?? unknown))];
      });
    }
    rowStart = range.rowEnd;
  }
}

interface Column {
  readonly name: string;
  /** The text of a value; null for lists and structures. */
  readonly textOf: ((value: unknown) => string) | null;
}

/** The columns: times of day are counts since midnight, and numbers of single precision are shown as their shortest decimals. */
function columnsOf({ schema }: FileMetaData): Column[] {
  let nested = 0;
  return schema.slice(1).flatMap((each): Column[] => {
    const { name, num_children: children = 0, type, logical_type: logical } = each;
    const isOwn = nested === 0;
    nested = Math.max(0, nested - 1) + children;
    if (!isOwn) return [];
    if (children > 0 || each.repetition_type === "REPEATED") return [{ name, textOf: null }];
    const perMs = logical?.type === "TIME" ? { MILLIS: 1, MICROS: 1e3, NANOS: 1e6 }[logical.unit] : null;
    const hasZone = logical?.type !== "TIMESTAMP" || logical.isAdjustedToUTC;
    const textOf = (value: unknown): string => {
      if (value === null || value === undefined) return "";
      if (perMs !== null) return fieldOf(new Date(Number(value) / perMs)).slice(11, 23);
      const text = fieldOf(type === "FLOAT" ? shortestDecimal(value as number) : value);
      return hasZone ? text : text.replace(/Z$/, "");
    };
    return [{ name, textOf }];
  });
}

const OURS = /^Zenith Desk\b/;
const [LENGTH_BYTES, MARK_BYTES] = [4, 4];

/**
 * Compares the footer with the rows of its groups, and that of a file of this program with its checksum. Damage can
 * hide who wrote the file, which every program states.
 * @throws Error
 */
function assertFooter(source: ForeignFile, metadata: FileMetaData): void {
  const rows = metadata.row_groups.reduce((sum, group) => sum + group.num_rows, 0n);
  if (rows !== metadata.num_rows) throw new Error("groups with another number of rows");
  const length = metadata.metadata_length + LENGTH_BYTES;
  const footer = bytesIn(source, source.bytes - MARK_BYTES - length, length);
  const isOurs = metadata.created_by === undefined ? footer.includes(FOOTER_KEY) : OURS.test(metadata.created_by);
  if (!isOurs) return;
  const stated = metadata.key_value_metadata?.find(({ key }) => key === FOOTER_KEY)?.value;
  if (!isFooterIntact(footer, stated)) throw new Error("a footer with another checksum");
}

const DICTIONARY_PAGE = 2;
/** `PLAIN_DICTIONARY` and `RLE_DICTIONARY` */
const DICTIONARY_ENCODINGS: ReadonlySet<number> = new Set([2, 8]);

/** Compares the pages of a row group with their checksums (PageHeader.crc), where they have some. @throws Error */
function assertPages(source: ForeignFile, { columns }: RowGroup): void {
  for (const { meta_data: meta } of columns) {
    if (!meta) continue;
    // Some writers state 0 without a dictionary.
    const dictionary = Number(meta.dictionary_page_offset ?? 0);
    const start = dictionary > 0 ? dictionary : Number(meta.data_page_offset);
    const bytes = bytesIn(source, start, Number(meta.total_compressed_size));
    const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset: 0 };
    let hasDictionary = false;
    while (reader.offset < bytes.length) {
      // Type, size and checksum of the page, and the headers of data of version 1 and 2.
      const header = deserializeTCompactProtocol(reader) as {
        field_1: number;
        field_3: number;
        field_4?: number;
        field_5?: { field_2: number };
        field_8?: { field_4: number };
      };
      const { field_1: type, field_3: size, field_4: crc } = header;
      hasDictionary ||= type === DICTIONARY_PAGE;
      // No checksum covers the header.
      if (DICTIONARY_ENCODINGS.has(header.field_5?.field_2 ?? header.field_8?.field_4 ?? 0) && !hasDictionary)
        throw new Error("a page without its dictionary");
      if (!(size >= 0) || reader.offset + size > bytes.length) throw new Error("a page beyond its column");
      const content = bytes.subarray(reader.offset, reader.offset + size);
      if (crc !== undefined && (crc32(content) | 0) !== crc) throw new Error("a page with another checksum");
      reader.offset += size;
    }
  }
}

/** Returns a reader of a column for ascending rows. @throws FormatFailure if it has fewer values than rows */
function columnReader(chunks: readonly ColumnData[], rows: number): (row: number) => unknown {
  const ordered = chunks.toSorted((a, b) => a.rowStart - b.rowStart);
  const values = ordered.reduce((sum, { columnData }) => sum + columnData.length, 0);
  if (values < rows) throw unreadable(DAMAGED);
  let at = 0;
  return (row) => {
    let chunk = ordered[at];
    while (chunk && row >= chunk.rowEnd) chunk = ordered[++at];
    return chunk?.columnData[row - chunk.rowStart];
  };
}

type Station = { readonly id: string } & Readonly<Record<string, unknown>>;

function stationsOf({ key_value_metadata: pairs = [] }: FileMetaData): readonly Station[] {
  try {
    const found: unknown = JSON.parse(pairs.find(({ key }) => key === "stations")?.value ?? "");
    return Array.isArray(found) && found.every(isStation) ? found : [];
  } catch {
    return [];
  }
}

function isStation(value: unknown): value is Station {
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";
}

function bufferOf(source: ForeignFile): AsyncBuffer {
  return {
    byteLength: source.bytes,
    slice: (start, end = source.bytes) => bytesIn(source, start, Math.max(0, end - start)).buffer,
  };
}
