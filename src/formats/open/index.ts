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
import { folderFiles } from "./folder.ts";
import { describeParts } from "./joined.ts";
import { listed, quoted } from "./notes.ts";
import { type PackedFile, packedFiles } from "./packed/index.ts";
import { describeSinex } from "./sinex/index.ts";
import { describePlainTable } from "./table/index.ts";
import { tableLayout } from "./table/layout.ts";
import type { DatabaseTable, SeriesFile } from "./types.ts";
import { isWorkbook, workbookRecords } from "./xlsx/records.ts";

export { type ColumnCache, createColumnCache } from "./columnCache.ts";
export { FormatFailure } from "../error.ts";
export type { FileRows, SeriesFile } from "./types.ts";

export interface OpenOptions {
  readonly signal?: AbortSignal;
  /** Shared by files where it is given, so that the bound is one for all of them. */
  readonly cache?: ColumnCache;
  /** Reads an SQLite database of ours; without it, every database is refused. @throws FormatFailure */
  readonly database?: (path: string) => DatabaseTable;
  /** Of a zip archive or a folder: the only file, or the only folder in it, that is opened. */
  readonly member?: string;
}

const CACHE_BYTES = 256 * 1024 * 1024;
const PART_CACHE_BYTES = 64 * 1024 * 1024;

/**
 * Opens a file of series for looking at: NetCDF-3 and NetCDF-4 in any layout that CF describes, SINEX_TRO, tables of text,
 * our own Parquet, SQLite and Excel, also compressed with gzip, and all files of a zip archive or a folder as one.
 * The kind is told by the first bytes, not by the name.
 *
 * @returns what is in it, or a sentence on why nothing can be shown
 */
export async function openSeriesFile(
  path: string,
  { signal, cache = createColumnCache(CACHE_BYTES), database, member }: OpenOptions = {},
): Promise<Result<SeriesFile, FormatError>> {
  const own = scoped(cache);
  try {
    const opening = { own, database, signal, member, pace: new Pace(signal ? { signal } : {}) };
    const isFolder = (await stat(path)).isDirectory();
    const file = await (isFolder ? ofFolder(path, opening) : ofFile(path, basename(path), opening, null));
    return success(closing(file, () => own.drop("")));
  } catch (thrown) {
    own.drop("");
    return failure(sentence(thrown, path));
  }
}

interface Opening {
  readonly signal: AbortSignal | undefined;
  readonly database: OpenOptions["database"];
  readonly member: string | undefined;
  readonly own: ColumnCache;
  readonly pace: Pace;
}

async function ofFolder(folder: string, opening: Opening): Promise<SeriesFile> {
  const files = await folderFiles(folder);
  const parts = files.map(({ name, path }) => ({ name, open: (own: Opening) => ofFile(path, name, own, null) }));
  return together(parts, opening);
}

/** @param within what it was unpacked from: nothing is unpacked three times */
async function ofFile(
  path: string,
  name: string,
  opening: Opening,
  within: "zip" | "gzip" | null,
): Promise<SeriesFile> {
  const head = await firstBytes(path);
  const packed = within === "gzip" ? null : await packedFiles(path, head);
  if (packed === null || (within === "zip" && packed[0]?.name !== null)) {
    if (opening.member !== undefined) throw new FormatFailure("unreadable", NO_MEMBERS);
    const label = basename(name).replace(/(\.\w{1,7}){1,2}$/, "");
    return described(path, head, opening.own, opening.pace, { database: opening.database, label });
  }
  const parts = packed.map((file) => ({
    name: file.name ?? name,
    open: (own: Opening) => ofUnpacked(file, file.name ?? name, own),
  }));
  return together(parts, opening);
}

async function ofUnpacked(file: PackedFile, name: string, opening: Opening): Promise<SeriesFile> {
  const { path, remove } = await file.unpack(opening.signal);
  try {
    const content = await ofFile(path, name, opening, file.name === null ? "gzip" : "zip");
    return closing(content, () => void remove());
  } catch (thrown) {
    await remove();
    throw thrown;
  }
}

interface FoundPart {
  readonly name: string;
  open(opening: Opening): Promise<SeriesFile>;
}

/** The parts that are wanted, as one file. */
async function together(all: readonly FoundPart[], opening: Opening): Promise<SeriesFile> {
  const { member, own, pace } = opening;
  const parts = member === undefined ? all : all.filter(({ name }) => name === member || name.startsWith(`${member}/`));
  const [only] = parts;
  if (!only) {
    const names = listed(all.map(({ name }) => name));
    throw new FormatFailure("unreadable", `There is no ${quoted(member ?? "")} in it. It has ${names}.`);
  }
  if (parts.length === 1) return only.open({ ...opening, member: undefined });
  // A part is closed before the next one is read: its columns are not kept.
  const cache = createColumnCache(PART_CACHE_BYTES);
  return describeParts(
    parts.map(({ name, open: openPart }) => ({
      name,
      open: () => openPart({ ...opening, member: undefined, own: scoped(cache) }),
    })),
    own,
    pace,
  );
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
  if (head.toString("hex", 0, 4) === "504b0304" && (await isWorkbook(path)))
    return describeTable({ format: "excel", records: workbookRecords(path) }, own, pace);
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
function closing(file: SeriesFile, afterwards: () => void): SeriesFile {
  return {
    ...file,
    close() {
      file.close();
      afterwards();
    },
  };
}

const NEITHER =
  "This is neither a NetCDF or SINEX_TRO file nor a table of text, nor a Parquet, SQLite or Excel file of Zenith Desk. Such files can be opened; others have to be converted first.";
const NO_MEMBERS = "This is neither a zip archive nor a folder: no file in it can be chosen.";
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
