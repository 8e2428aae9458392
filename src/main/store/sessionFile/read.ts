import { setImmediate as otherTurns } from "node:timers/promises";
import { type ForeignFile, openLocal } from "#formats/foreign/index.ts";
import { type ZipEntry, zipEntries } from "#formats/zip.ts";
import type { Variable } from "#shared/service/variables.ts";
import { containsMoment, isAligned } from "#shared/time/range.ts";
import { bucketLength, bucketStart, type ChunkKey, variablesOfKind } from "../tables/keys.ts";
import { decodeChunk, encodeChunk } from "../chunks/chunk.ts";
import { dropAbsent } from "../chunks/rows.ts";
import { removeCopy, unfinishedOf } from "../database/copy.ts";
import type { Db } from "../database/database.ts";
import { openForm } from "../database/form.ts";
import { DamagedData, Stopped, StoreError, toStoreError } from "../errors.ts";
import type { BucketChange } from "../tables/chunks.ts";
import { openTables } from "../tables/index.ts";
import { CACHE_FORM } from "../tables/schema.ts";
import type { ThreadPace } from "../types.ts";
import { isArchive } from "./archive.ts";
import {
  damagedSession,
  decodePart,
  MANIFEST_NAME,
  type ReadSession,
  SESSION_VERSION,
  type SessionBucket,
  storedManifest,
  VIEWS_NAME,
} from "./form.ts";

/** Maximum size of an entry: the manifest of 500 stations, or 64 days of a receiver at 20 Hz. */
const MAX_ENTRY_BYTES = 1e9;
/** Maximum size of the manifest and the views, which are parsed at once. */
const MAX_TEXT_BYTES = 25_000_000;

/**
 * Creates an unfinished cache file from a shared session, for `finishCopy`; to be run in its own thread. The session is
 * untrusted: sizes and counts are limited by the size of the file, checksums and schemas are verified, and every bucket is
 * decoded and encoded again before it is written like those of a response.
 *
 * @param target path of a file that does not exist
 * @throws StoreError `foreign`, `newer` or `corrupt` with a sentence about the file, and Stopped; nothing is left of an
 * unfinished cache then
 */
export async function copySession(path: string, name: string, target: string, pace: ThreadPace): Promise<ReadSession> {
  if (!isArchive(path)) throw foreign(path, name);
  const file = openLocal(path);
  removeCopy(target);
  try {
    const db = openForm(unfinishedOf(target), CACHE_FORM);
    try {
      return await insertAll(file, db, { path, name }, pace);
    } finally {
      db.close();
    }
  } catch (thrown) {
    removeCopy(target);
    if (thrown instanceof Stopped || (thrown instanceof StoreError && thrown.path === path)) throw thrown;
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
  db: Db,
  { path, name }: { readonly path: string; readonly name: string },
  { onProgress, throwIfStopped }: ThreadPace,
): Promise<ReadSession> {
  const entries = new Map((await zipEntries(file)).map((entry) => [entry.name, entry]));
  // Nothing is compressed, so that the archive cannot be longer than the file.
  assertWithin([...entries.values()].reduce((sum, { bytes }) => sum + bytes, 0) <= file.bytes);
  const listed = entries.get(MANIFEST_NAME);
  if (listed === undefined) throw foreign(path, name);
  const json: unknown = JSON.parse(await entryText(listed));
  if (isNewer(json)) {
    const sentence = `${name}: This file was written by a newer version of Zenith Desk: update the program to open it.`;
    throw new StoreError("newer", path, sentence);
  }
  const { contents, stations, withdrawn, networks, fetchedAtMs, ...about } = storedManifest.parse(json);
  const catalogue = { stations, withdrawn, networks, fetchedAtMs: fetchedAtMs ?? 0 };
  const stored = entries.get(VIEWS_NAME);
  const views = stored === undefined ? null : await entryText(stored);
  assertWithin(entries.size === contents.parts + (views === null ? 1 : 2));

  const tables = openTables(db);
  const insert = db.transaction((key: ChunkKey, buckets: readonly SessionBucket[]) => {
    for (const bucket of buckets) {
      if (tables.buckets.find(key, bucket.bucketMs)) throw new DamagedData("a bucket is there twice");
      tables.chunks.write(key, [changeOf(key, bucket)]);
    }
  });
  const known = new Set<string>();
  let rows = 0;
  for (let n = 1; n <= contents.parts; n++) {
    throwIfStopped();
    const entry = entries.get(`data/${n}`);
    if (entry === undefined) throw new DamagedData("an entry is missing");
    const { key, buckets } = decodePart(await entryBytes(entry, MAX_ENTRY_BYTES));
    rows = buckets.reduce((sum, bucket) => sum + bucket.rows, rows);
    insert(key, buckets);
    known.add(key.stationId);
    onProgress(n / contents.parts);
    await otherTurns();
  }
  db.transaction(() => tables.catalogue.replace(catalogue)).immediate();
  if (rows !== contents.rows || known.size !== contents.stations) throw new DamagedData("counts that do not fit");
  return { manifest: { ...about, views }, contents };
}

/** Returns a bucket of a stranger as a change that creates it: encoded again, with new pyramids. @throws DamagedData */
function changeOf(key: ChunkKey, { bucketMs, extents, columns, ...stored }: SessionBucket): BucketChange {
  const lengthMs = bucketLength(key);
  const bucket = { startMs: bucketMs, endMs: bucketMs + lengthMs };
  const isOfKind = (variable: Variable): boolean => variablesOfKind(key.kind).includes(variable);
  let isSound = bucketStart(bucketMs, lengthMs) === bucketMs;
  for (const [variable, own] of extents) {
    isSound &&= isOfKind(variable);
    let at = bucket.startMs;
    for (const { startMs, endMs } of own) {
      isSound &&= at <= startMs && startMs < endMs && endMs <= bucket.endMs;
      at = endMs;
    }
  }
  const change = { bucketMs, kept: null, extents: new Map(extents) };
  if (stored.rows === 0 && isSound) return { ...change, chunk: null };
  const byVariable = new Map(columns.map((column) => [column.variable, column]));
  const rows = dropAbsent(decodeChunk({ ...stored, columns: byVariable }));
  const isRow = (timeMs: number, i: number): boolean =>
    containsMoment(bucket, timeMs) &&
    (i === 0 || timeMs > rows.timesMs[i - 1]!) &&
    (key.interval === 0 || isAligned(timeMs, key.interval));
  isSound &&= columns.every(({ variable }) => isOfKind(variable)) && byVariable.size === columns.length;
  isSound &&= rows.timesMs.length === stored.rows && rows.timesMs.every(isRow);
  if (!isSound) throw new DamagedData("a bucket that no cache has");
  return { ...change, chunk: encodeChunk(rows) };
}

async function entryBytes(entry: ZipEntry, mostBytes: number): Promise<Buffer> {
  assertWithin(entry.bytes <= mostBytes);
  const pieces: Uint8Array[] = [];
  await entry.unpack((bytes) => void pieces.push(bytes.slice()));
  return Buffer.concat(pieces);
}

async function entryText(entry: ZipEntry): Promise<string> {
  return (await entryBytes(entry, MAX_TEXT_BYTES)).toString("utf8");
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
