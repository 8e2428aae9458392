import { randomUUID } from "node:crypto";
import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { failure, type Result, success } from "#shared/service/error.ts";
import { asFormatError, type FormatError, FormatFailure } from "../error.ts";
import { openNetcdf } from "../netcdf/read.ts";
import { Pace } from "../pace.ts";
import { otherKind } from "./otherKind.ts";
import { type ColumnCache, createColumnCache } from "./columnCache.ts";
import { csvColumns } from "./csv/columns.ts";
import { describeCsv, describeTable } from "./csv/index.ts";
import { parquetRecords } from "./parquet/records.ts";
import { describeNetcdf } from "./netcdf/index.ts";
import { type Unpacked, unpacked } from "./packed/index.ts";
import { describeSinex } from "./sinex/index.ts";
import { describePlainTable } from "./table/index.ts";
import { tableLayout } from "./table/layout.ts";
import type { DatabaseTable, SeriesFile } from "./types.ts";

export { type ColumnCache, createColumnCache } from "./columnCache.ts";
export { FormatFailure } from "../error.ts";
export type { FileRows, SeriesFile } from "./types.ts";

export interface OpenOptions {
  readonly signal?: AbortSignal;
  /** Shared by files where it is given, so that the bound is one for all of them. */
  readonly cache?: ColumnCache;
  /** Reads an SQLite database of ours; without it, every database is refused. @throws FormatFailure */
  readonly database?: (path: string) => DatabaseTable;
}

const CACHE_BYTES = 256 * 1024 * 1024;

/**
 * Opens a file of series for looking at: NetCDF-3 and NetCDF-4 in any layout that CF describes, SINEX_TRO, tables of text,
 * our own Parquet and SQLite, also compressed with gzip or alone in a zip archive. The kind is told by the first bytes, not by the name.
 *
 * @returns what is in it, or a sentence on why nothing can be shown
 */
export async function openSeriesFile(
  path: string,
  { signal, cache = createColumnCache(CACHE_BYTES), database }: OpenOptions = {},
): Promise<Result<SeriesFile, FormatError>> {
  const own = scoped(cache);
  let packed: Unpacked | null = null;
  try {
    const head = await firstBytes(path);
    packed = await unpacked(path, head, signal);
    const pace = new Pace(signal ? { signal } : {});
    const label = basename(path).replace(/(\.\w{1,7}){1,2}$/, "");
    const file = packed
      ? await described(packed.path, await firstBytes(packed.path), own, pace, { database, label })
      : await described(path, head, own, pace, { database, label });
    return success(closing(file, own, packed));
  } catch (thrown) {
    own.drop("");
    await packed?.remove();
    return failure(sentence(thrown, path));
  }
}

/** What the content of a file is, by its first bytes. @throws FormatFailure, and what the file system throws */
async function described(
  path: string,
  head: Buffer,
  own: ColumnCache,
  pace: Pace,
  { database, label }: { readonly database: OpenOptions["database"]; readonly label: string },
): Promise<SeriesFile> {
  const kind = kindOf(head);
  if (kind === "parquet") return describeTable({ format: "parquet", records: parquetRecords(path) }, own, pace);
  if (database && head.toString("latin1", 0, 15) === "SQLite format 3")
    return describeTable({ format: "sqlite", ...database(path) }, own, pace);
  if (kind === "sinex") return describeSinex(path, own, pace);
  const other = kind === "netcdf" ? null : otherKind(head, path);
  if (other !== null) throw new FormatFailure("unreadable", other);
  if (kind === "csv") {
    const text = head.toString("utf8").replace(/^\ufeff/, "");
    if (csvColumns((text.split(/\r?\n/, 1)[0] ?? "").split(",")) !== null) return describeCsv(path, own, pace);
    const layout = tableLayout(text);
    if (layout === null) throw new FormatFailure("unreadable", NO_NAMES);
    return describePlainTable(path, layout, label, own, pace);
  }
  if (kind === null) throw new FormatFailure("unreadable", NEITHER);
  const file = await openNetcdf(path);
  if (!file.ok) throw new FormatFailure(...ofContent(file.error));
  try {
    return await describeNetcdf(file.value, (await stat(path)).size, own, pace);
  } catch (thrown) {
    file.value.close();
    throw thrown;
  }
}

/** With what was decoded of a file goes the memory that it takes. */
function closing(file: SeriesFile, own: ColumnCache, packed: Unpacked | null): SeriesFile {
  return {
    ...file,
    close() {
      file.close();
      own.drop("");
      void packed?.remove();
    },
  };
}

const NEITHER =
  "This is neither a NetCDF or SINEX_TRO file nor a table of text, nor a Parquet or SQLite file of Zenith Desk. Such files can be opened; others have to be converted first.";
const NO_NAMES =
  "This text has no line that names a column of time. Give it a first line such as “station,time,ztd_mm”, with times as 2026-01-31T06:30:00Z and units in the names.";
const DAMAGED =
  "This file is damaged, or has a structure that cannot be read. Inspect it with “ncdump -h”, or create it again.";

/** The file was there a moment ago: what has no sentence of its own is the fault of what is in it. */
function ofContent({ kind, message, cause }: FormatError): ConstructorParameters<typeof FormatFailure> {
  const isSaid = ["truncated", "unreadable", "tooLarge"].includes(kind);
  return isSaid ? [kind, message, cause] : ["unreadable", DAMAGED, cause];
}

function sentence(thrown: unknown, path: string): FormatError {
  if (thrown instanceof FormatFailure)
    return thrown.error.kind === "cancelled" ? { ...thrown.error, message: "Opening was stopped." } : thrown.error;
  const error = asFormatError(thrown, path);
  const code = (thrown as { code?: unknown } | null)?.code;
  // What a disk has to say has a code; all else was thrown over content that nobody foresaw.
  if (typeof code !== "string") return { ...error, kind: "unreadable", message: DAMAGED };
  return {
    ...error,
    message: DISK_SENTENCES[code]?.(path) ?? `${path} cannot be read (${code}). Look at its disk, and open it again.`,
  };
}

const DISK_SENTENCES: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `${path} is not there. Look where it is, and open it from there.`,
  EACCES: (path) => `${path} may not be read. Ask whoever owns it for the permission, and open it again.`,
  EPERM: (path) => `${path} may not be read. Ask whoever owns it for the permission, and open it again.`,
  EISDIR: (path) => `${path} is a folder: open the files in it.`,
};

const HEAD_BYTES = 4_096;

async function firstBytes(path: string): Promise<Buffer> {
  const place = await stat(path);
  // Opening a pipe waits for whoever writes into it, and a device may have no end.
  if (!place.isFile() && !place.isDirectory())
    throw new FormatFailure("unreadable", "This is a pipe or a device. Save its output as a file, and open that.");
  const handle = await open(path, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await handle.read(head, 0, HEAD_BYTES, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function kindOf(head: Buffer): "netcdf" | "csv" | "parquet" | "sinex" | null {
  const mark = head.toString("latin1", 0, 4);
  if (mark.startsWith("CDF") || mark === "\x89HDF") return "netcdf";
  if (mark === "PAR1") return "parquet";
  if (mark + head.toString("latin1", 4, 5) === "%=TRO") return "sinex";
  // A text has no NUL in it; which texts are ours, the first line tells.
  return head.length > 0 && !head.includes(0) ? "csv" : null;
}

function scoped(cache: ColumnCache): ColumnCache {
  const scope = `${randomUUID()}/`;
  return {
    get: (key, make) => cache.get(scope + key, make),
    drop: (prefix) => cache.drop(scope + prefix),
  };
}
