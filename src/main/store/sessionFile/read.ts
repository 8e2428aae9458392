import { closeSync, openSync, readSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { isDeepStrictEqual } from "node:util";
import { notThere } from "#formats/error.ts";
import { codeOf } from "#shared/fault.ts";
import { finishCopy, removeCopy } from "../database/copy.ts";
import { ALL_TIME } from "../chunks/bucket.ts";
import {
  APPLICATION_ID,
  closedOnFailure,
  columnNamesOf,
  type Db,
  numberOf,
  structureDamageOf,
  untrusted,
} from "../database/database.ts";
import { StoreError, toStoreError, DamagedData } from "../errors.ts";
import { CACHE_MIGRATIONS } from "../migrations/cache/index.ts";
import {
  countContents,
  createFile,
  damagedSession,
  type ReadSession,
  sealed,
  sealOf,
  SESSION_APPLICATION_ID,
  SESSION_VERSION,
  verifySteps,
} from "./form.ts";
import { rebuildRegister } from "../maintenance/rebuildRegister.ts";
import { openLocal } from "#formats/foreign/file.ts";
import { MAGIC } from "#formats/open/sqlite/pages.ts";
import { assertSchema, entriesOf, readFileSchema } from "./schemaPages.ts";
import { runSteps } from "./steps.ts";
import type { WorkPace } from "../types.ts";
import { CHUNK_TABLES, sliceKeys, transferBetween } from "./transfer.ts";

/** Maximum size of a session, bytes: five times ten years of a hundred stations. */
const MAX_FILE_BYTES = 32e9;
/** Maximum size of the description with all views, bytes. */
const MAX_CONTENT_BYTES = 25_000_000;
/** Maximum size of all texts of a station, network or extent, bytes. */
const MAX_ROW_BYTES = 20_000;
/** Maximum rows of a chunk or column: a day of a receiver at 20 Hz. */
const MAX_CHUNK_ROWS = 2_000_000;
/** Maximum rows per byte of the file: a day of a single value takes more than a hundred bytes. */
const MAX_ROWS_PER_BYTE = 2_000;

const SMALL_TABLES = ["station", "network", "catalogue", "site", "extent"];

/**
 * Checks that a file with our tables and sound pages does not cost more memory or time than its size justifies. Reads
 * only lengths and counts.
 *
 * @throws DamagedData
 */
function assertLimits(db: Db, path: string): void {
  const { size } = statSync(path);
  const one = (sql: string): number => numberOf(db, sql);
  assertWithin(size <= MAX_FILE_BYTES, "bytes");
  assertWithin(one("SELECT count(*) FROM session") === 1, "descriptions");
  assertWithin(one("SELECT max(octet_length(content)) FROM session") <= MAX_CONTENT_BYTES, "words");
  for (const table of SMALL_TABLES) {
    const bytes = columnNamesOf(db, table)
      .map((name) => `coalesce(octet_length(${name}), 0)`)
      .join(" + ");
    assertWithin(one(`SELECT max(${bytes}) FROM ${table}`) <= MAX_ROW_BYTES, "words");
  }
  for (const table of ["chunk", "chunk_column"]) {
    assertWithin(one(`SELECT count(*) FROM ${table} WHERE NOT n BETWEEN 0 AND ${MAX_CHUNK_ROWS}`) === 0, "rows");
    assertWithin(one(`SELECT total(n) FROM ${table}`) <= size * MAX_ROWS_PER_BYTE, "rows");
  }
}

function assertWithin(isWithin: boolean, what: string): void {
  if (!isWithin) throw new DamagedData(`more ${what} than a session has`);
}

/** Share of the progress until everything is copied. */
const COPIED_SHARE = 0.6;

/** Returns whether a file begins like an SQLite database, as a session with data does; one with only views is text. */
export function isDatabaseFile(path: string): boolean {
  const head = Buffer.alloc(MAGIC.length);
  try {
    const place = statSync(path);
    // Opening a pipe would block until somebody writes to it.
    if (!place.isFile() && !place.isDirectory())
      throw new StoreError("cannotOpen", path, `${path}: This is a pipe or a device, and no file.`);
    const file = openSync(path, "r");
    try {
      readSync(file, head, 0, head.length, 0);
      return head.toString("latin1") === MAGIC;
    } finally {
      closeSync(file);
    }
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") throw new StoreError("cannotOpen", path, notThere(path), thrown);
    throw toStoreError(path, thrown);
  }
}

/**
 * Creates a cache file from a shared session; to be run in its own thread. The session is untrusted: its rows are
 * copied into our own tables, and everything is decoded once before the cache gets its final name.
 *
 * @param target path of a file that does not exist
 * @throws StoreError `foreign`, `newer` or `corrupt` with a sentence about the file, and what the signal throws;
 * nothing is left of an unfinished cache then
 */
export async function copySession(path: string, name: string, target: string, pace: WorkPace): Promise<ReadSession> {
  const unfinished = `${target}.unfinished`;
  removeCopy(target);
  try {
    const read = await copyAll(path, name, unfinished, pace);
    const verify = { from: COPIED_SHARE, to: 1, total: read.contents.chunks };
    await runSteps(verifySteps(unfinished, APPLICATION_ID.cache), null, verify, pace);
    finishCopy(target);
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
  }
}

async function copyAll(path: string, name: string, unfinished: string, pace: WorkPace) {
  const from = openFile(path, name);
  try {
    const { manifest, contents, version } = inspect(from, path, name);
    const to = createFile(unfinished, APPLICATION_ID.cache, version);
    try {
      await runSteps(copyTables(from, to), to, { from: 0, to: COPIED_SHARE, total: contents.columns }, pace);
      // For older files, the migration to the newest format rebuilds the register.
      if (version === CACHE_MIGRATIONS.length) rebuildRegister(to);
      if (!isDeepStrictEqual(countContents(to), contents)) throw damagedSession(path, name, "counts that do not fit");
    } finally {
      to.close();
    }
    return { manifest, contents };
  } finally {
    from.close();
  }
}

function* copyTables(from: Db, to: Db): Generator<number> {
  const transfer = transferBetween(from, to);
  for (const table of ["catalogue", "station", "network", "site", "extent"]) {
    transfer.rows(table);
    yield 0;
  }
  const sites = to.prepare<[], number>("SELECT site FROM site").pluck().all();
  for (const site of sites) {
    for (const of of CHUNK_TABLES) {
      for (const key of sliceKeys(from, of, site)) {
        for (const n of transfer.slices(of, key, [ALL_TIME])) yield of.table === "chunk_column" ? n : 0;
      }
    }
  }
}

function openFile(path: string, name: string): Db {
  if (!isDatabaseFile(path)) throw foreign(path, name);
  assertForm(path, name);
  const db = new Database(path, { readonly: true });
  try {
    return closedOnFailure(db, untrusted);
  } catch (thrown) {
    throw damagedSession(path, name, thrown);
  }
}

/** Checks the file before SQLite opens it. */
function assertForm(path: string, name: string): void {
  const file = openLocal(path);
  try {
    const { applicationId, userVersion, entries } = readFileSchema(file);
    if (applicationId !== SESSION_APPLICATION_ID) throw foreign(path, name);
    if (userVersion > CACHE_MIGRATIONS.length) throw newer(path, name);
    if (userVersion < 1) throw damagedSession(path, name, "no version");
    assertSchema(entries, userVersion);
  } catch (thrown) {
    throw thrown instanceof StoreError ? thrown : damagedSession(path, name, thrown);
  } finally {
    file.close();
  }
}

function inspect(db: Db, path: string, name: string) {
  try {
    const version = Number(db.pragma("user_version", { simple: true }));
    assertSchema(entriesOf(db), version);
    if (structureDamageOf(db) !== null) throw damagedSession(path, name, "its pages");
    assertLimits(db, path);
    const text = db.prepare<[], string>("SELECT content FROM session").pluck().get();
    const json: unknown = JSON.parse(String(text));
    if (isNewer(json)) throw newer(path, name);
    const { manifest, contents, seal } = sealed.parse(json);
    if (sealOf(db, manifest, contents) !== seal) throw damagedSession(path, name, "a seal that does not fit");
    return { manifest, contents, version };
  } catch (thrown) {
    throw thrown instanceof StoreError ? thrown : damagedSession(path, name, thrown);
  }
}

function isNewer(json: unknown): boolean {
  const version = (json as { manifest?: { version?: unknown } } | null)?.manifest?.version;
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
