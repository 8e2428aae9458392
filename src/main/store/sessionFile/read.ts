import { closeSync, openSync, readSync, statSync } from "node:fs";
import { setImmediate as otherTurns } from "node:timers/promises";
import { notThere } from "#formats/error.ts";
import { type ForeignFile, openLocal } from "#formats/foreign/file.ts";
import { type ZipEntry, zipEntries } from "#formats/open/packed/zip.ts";
import { codeOf } from "#shared/fault.ts";
import { ARCHIVE_MAGIC } from "#shared/views/file.ts";
import type { Column, SeriesRows } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { openCache } from "../cache/cache.ts";
import { decodeChunk } from "../chunks/chunk.ts";
import { NO_COVERAGE } from "../chunks/coverage.ts";
import { removeCopy, unfinishedOf } from "../database/copy.ts";
import { DamagedData, StoreError, toStoreError } from "../errors.ts";
import { removeLockFile } from "../locks/fileLock.ts";
import type { Cache, ResponseWriter, WorkPace } from "../types.ts";
import {
  damagedSession,
  MANIFEST_NAME,
  type ReadSession,
  readFrames,
  SESSION_VERSION,
  type SessionChunk,
  type SessionPart,
  storedManifest,
  VIEWS_NAME,
} from "./form.ts";

/** Maximum size of a session, bytes: five times ten years of a hundred stations. */
const MAX_FILE_BYTES = 32e9;
/** Maximum size of an entry: the manifest of 500 stations, or 64 days of a receiver at 20 Hz. */
const MAX_ENTRY_BYTES = 1e9;
/** Maximum size of the manifest and the views, which are parsed at once. */
const MAX_TEXT_BYTES = 25_000_000;
/** Maximum rows per byte of the file: a day of a single value takes more than a hundred bytes. */
const MAX_ROWS_PER_BYTE = 2_000;

/** Irregularities that rows of a cache cannot have. */
const FOREIGN_ROWS = ["outOfRange", "offGrid", "conflict"] as const;

/** Returns whether a file begins like an archive, as a session with data does; one with only views is text. */
export function isArchive(path: string): boolean {
  const header = Buffer.alloc(ARCHIVE_MAGIC.length);
  try {
    const place = statSync(path);
    // Opening a pipe would block until somebody writes to it.
    if (!place.isFile() && !place.isDirectory())
      throw new StoreError("cannotOpen", path, `${path}: This is a pipe or a device, and no file.`);
    const file = openSync(path, "r");
    try {
      readSync(file, header, 0, header.length, 0);
      return header.toString("latin1") === ARCHIVE_MAGIC;
    } finally {
      closeSync(file);
    }
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") throw new StoreError("cannotOpen", path, notThere(path), thrown);
    throw toStoreError(path, thrown);
  }
}

/**
 * Creates an unfinished cache file from a shared session, for `finishCopy`; to be run in its own thread. The session is
 * untrusted: sizes and counts are limited by the size of the file, checksums and schemas are verified, and everything is
 * decoded and inserted like the rows of a response.
 *
 * @param target path of a file that does not exist
 * @throws StoreError `foreign`, `newer` or `corrupt` with a sentence about the file, and what the signal throws; nothing
 * is left of an unfinished cache then
 */
export async function copySession(path: string, name: string, target: string, pace: WorkPace): Promise<ReadSession> {
  if (!isArchive(path)) throw foreign(path, name);
  const file = openLocal(path);
  const unfinished = unfinishedOf(target);
  removeCopy(target);
  try {
    const cache = openCache(unfinished);
    let read: ReadSession;
    try {
      read = await insertAll(file, cache, { path, name }, pace);
    } finally {
      cache.close();
    }
    removeLockFile(unfinished);
    pace.onProgress(1);
    return read;
  } catch (thrown) {
    removeCopy(target);
    if (pace.signal.aborted || (thrown instanceof StoreError && thrown.path === path)) throw thrown;
    const error = toStoreError(target, thrown);
    // Errors of the disk concern this computer; all others come from the contents of the file.
    throw ["full", "io", "readOnly", "cannotOpen", "busy"].includes(error.kind)
      ? error
      : damagedSession(path, name, thrown);
  } finally {
    file.close();
  }
}

async function insertAll(
  file: ForeignFile,
  cache: Cache,
  { path, name }: { readonly path: string; readonly name: string },
  { onProgress, signal }: WorkPace,
): Promise<ReadSession> {
  const entries = new Map((await zipEntries(file)).map((entry) => [entry.name, entry]));
  assertWithin(file.bytes <= MAX_FILE_BYTES);
  // Nothing is compressed, so that the archive cannot be longer than the file.
  assertWithin([...entries.values()].reduce((sum, { bytes }) => sum + bytes, 0) <= file.bytes);
  const listed = entries.get(MANIFEST_NAME);
  if (listed === undefined) throw foreign(path, name);
  const json: unknown = JSON.parse(await textOf(listed));
  if (isNewer(json)) throw newer(path, name);
  const { contents, stations, withdrawn, networks, fetchedAtMs, ...about } = storedManifest.parse(json);
  const stored = entries.get(VIEWS_NAME);
  const views = stored === undefined ? null : await textOf(stored);
  assertWithin(entries.size === contents.parts + (views === null ? 1 : 2));

  // Stations that are in the first list only count as withdrawn once they have data.
  cache.replaceCatalogue([...stations, ...withdrawn], networks, fetchedAtMs ?? 0);
  const known = new Set<string>();
  const seen = new Set<string>();
  let rows = 0;
  for (let n = 1; n <= contents.parts; n++) {
    signal.throwIfAborted();
    const entry = entries.get(`data/${n}`);
    if (entry === undefined) throw new DamagedData("an entry is missing");
    const { part, chunks } = readFrames(await bytesOf(entry, MAX_ENTRY_BYTES));
    const key = JSON.stringify(part);
    if (seen.has(key)) throw new DamagedData("a part is there twice");
    seen.add(key);
    assertWithin(chunks.reduce((sum, chunk) => sum + chunk.rows, rows) <= file.bytes * MAX_ROWS_PER_BYTE);
    rows += insertPart(cache, part, chunks);
    known.add(part.stationId);
    onProgress(n / contents.parts);
    await otherTurns();
  }
  cache.replaceCatalogue(stations, networks, fetchedAtMs ?? 0);
  if (rows !== contents.rows || known.size !== contents.stations) throw new DamagedData("counts that do not fit");
  return { manifest: { ...about, views }, contents };
}

/** Inserts the rows of an entry like those of responses, one for each set of variables, and returns their number. */
function insertPart(cache: Cache, part: SessionPart, chunks: readonly SessionChunk[]): number {
  const { stationId, intervalSeconds, raw, range } = part;
  const writers = new Map<string, ResponseWriter>();
  const coverage = new Map(part.coverage.map(({ variable, ...own }) => [variable, own]));
  const open = (variables: readonly Variable[]): ResponseWriter => {
    const key = variables.join();
    const writer =
      writers.get(key) ?? cache.openResponse({ stationIds: [stationId], variables, intervalSeconds, raw, range });
    writers.set(key, writer);
    return writer;
  };
  let rows = 0;
  for (const chunk of chunks) {
    const columns = new Map(chunk.columns.map((column) => [column.variable, column]));
    const decoded = decodeChunk({ ...chunk, columns }, [...columns.keys()]);
    rows += decoded.timesMs.length;
    for (const { variables, timesMs, columns: own } of presentTogether(decoded)) {
      const received = { stationId, timesMs, scalars: scalarsIn(own), texts: textsIn(own) };
      open(variables).add(received);
    }
  }
  const unseen = [...coverage.keys()].filter((one) => ![...writers.keys()].some((key) => key.split(",").includes(one)));
  if (unseen.length > 0) open(unseen);
  for (const writer of writers.values()) {
    // Rows that are not of the range would be left out.
    const { irregularities } = writer.commit((_, variable) => {
      const own = coverage.get(variable) ?? NO_COVERAGE;
      coverage.delete(variable);
      return own;
    });
    if (FOREIGN_ROWS.some((kind) => irregularities[kind])) throw new DamagedData("rows of another range");
  }
  return rows;
}

interface PresentRows extends SeriesRows {
  readonly variables: readonly Variable[];
}

/** Splits rows by the variables that are present in them: only those are inserted. */
function presentTogether({ timesMs, columns }: SeriesRows): PresentRows[] {
  const all = Object.entries(columns) as [Variable, Column][];
  const groups = new Map<string, { variables: Variable[]; present: Uint8Array | null }>();
  for (const [variable, { present }] of all) {
    const key = present === null ? "all" : Buffer.from(present).toString("latin1");
    const group = groups.get(key) ?? { variables: [], present };
    group.variables.push(variable);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ variables, present }) => {
    const isKept = (_: unknown, i: number): boolean => present === null || present[i] === 1;
    const own = variables.map((variable): [Variable, Column] => {
      const column = columns[variable]!;
      if (column.kind === "scalar") return [variable, { ...column, values: column.values.filter(isKept) }];
      return [variable, { ...column, values: column.values.filter(isKept) }];
    });
    return { variables, timesMs: timesMs.filter(isKept), columns: Object.fromEntries(own) };
  });
}

function scalarsIn(columns: SeriesRows["columns"]): Partial<Record<Variable, Float64Array>> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([variable, column]) =>
      column.kind === "scalar" ? [[variable, column.values]] : [],
    ),
  );
}

function textsIn(columns: SeriesRows["columns"]): Partial<Record<Variable, (string | null)[]>> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([variable, column]) =>
      column.kind === "text" ? [[variable, [...column.values]]] : [],
    ),
  );
}

async function bytesOf(entry: ZipEntry, mostBytes: number): Promise<Buffer> {
  assertWithin(entry.bytes <= mostBytes);
  const pieces: Uint8Array[] = [];
  await entry.unpack((bytes) => void pieces.push(bytes.slice()));
  return Buffer.concat(pieces);
}

async function textOf(entry: ZipEntry): Promise<string> {
  return (await bytesOf(entry, MAX_TEXT_BYTES)).toString("utf8");
}

function assertWithin(isWithin: boolean): void {
  if (!isWithin) throw new DamagedData("more than a session has");
}

function isNewer(json: unknown): boolean {
  const version = (json as { version?: unknown } | null)?.version;
  return typeof version === "number" && version > SESSION_VERSION;
}

function foreign(path: string, name: string): StoreError {
  return new StoreError(
    "foreign",
    path,
    `${name}: This is not a session of Zenith Desk. Such files end in “.zenith” and are written with “Share”.`,
  );
}

function newer(path: string, name: string): StoreError {
  const sentence = `${name}: This file was written by a newer version of Zenith Desk: update the program to open it.`;
  return new StoreError("newer", path, sentence);
}
