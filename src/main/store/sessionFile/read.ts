import { closeSync, openSync, readSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { isDeepStrictEqual } from "node:util";
import { finishCopy, removeCopy } from "../database/copy.ts";
import { APPLICATION_ID, type Db } from "../database/database.ts";
import { StoreError, toStoreError, DamagedData } from "../errors.ts";
import { CACHE_MIGRATIONS } from "../migrations/cache/index.ts";
import {
  countContents,
  createFile,
  sealed,
  sealOf,
  SESSION_APPLICATION_ID,
  SESSION_VERSION,
  verifySteps,
} from "./form.ts";
import { rebuildRegister } from "../maintenance/rebuildRegister.ts";
import { demandSchema, entriesOf } from "./expectedSchema.ts";
import type { ReadSession } from "./messages.ts";
import { readFileSchema } from "./schemaPages.ts";
import { type Pace, takeSteps } from "./steps.ts";
import { CHUNK_TABLES, transferBetween } from "./transfer.ts";

/** Of a file that a colleague shared, in bytes; ten years of a hundred stations take a fifth of it. */
const MOST_FILE_BYTES = 32e9;
/** Of the description, with all views in it. */
const MOST_CONTENT_BYTES = 25_000_000;
/** Of a station, a network or an extent, all its texts together. */
const MOST_ROW_BYTES = 20_000;
/** Of one chunk or column: a day of a receiver that measures twenty times a second. */
const MOST_ROWS_OF_CHUNK = 2_000_000;
/** How much smaller than its rows a file can be: a day of one value takes more than a hundred bytes. */
const MOST_ROWS_PER_BYTE = 2_000;

const SMALL_TABLES = ["station", "network", "catalogue", "site", "extent"];

/**
 * Makes sure that a file with our tables and sound pages does not ask for more memory or time than its size is worth. Looks
 * at lengths and counts only.
 *
 * @throws DamagedData
 */
function demandLimits(db: Db, path: string): void {
  const { size } = statSync(path);
  const one = (sql: string): number => Number(db.prepare(sql).pluck().get() ?? 0);
  demand(size <= MOST_FILE_BYTES, "bytes");
  demand(one("SELECT count(*) FROM session") === 1, "descriptions");
  demand(one("SELECT max(octet_length(content)) FROM session") <= MOST_CONTENT_BYTES, "words");
  for (const table of SMALL_TABLES) {
    const columns = (db.pragma(`table_info(${table})`) as { readonly name: string }[]).map((c) => c.name);
    const bytes = columns.map((name) => `coalesce(octet_length(${name}), 0)`).join(" + ");
    demand(one(`SELECT max(${bytes}) FROM ${table}`) <= MOST_ROW_BYTES, "words");
  }
  for (const table of ["chunk", "chunk_column"]) {
    demand(one(`SELECT count(*) FROM ${table} WHERE NOT n BETWEEN 0 AND ${MOST_ROWS_OF_CHUNK}`) === 0, "rows");
    demand(one(`SELECT total(n) FROM ${table}`) <= size * MOST_ROWS_PER_BYTE, "rows");
  }
}

function demand(isWithin: boolean, what: string): void {
  if (!isWithin) throw new DamagedData(`more ${what} than a session has`);
}

const MAGIC = "SQLite format 3\0";
const COPIED_SHARE = 0.6;
const ALWAYS = [{ startMs: -9e15, endMs: 9e15 }];

/** Whether a file begins as a session with data does; one with views alone is text. */
export function isDatabaseFile(path: string): boolean {
  const head = Buffer.alloc(MAGIC.length);
  try {
    const place = statSync(path);
    // OpenRecord a pipe waits for whoever writes into it.
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
    throw toStoreError(path, thrown);
  }
}

/**
 * Makes a cache file of a session that somebody shared: to be run in a thread of its own. Nothing of the file is trusted: its rows are copied into
 * tables of our own, and everything is decoded once, before the cache has its final name.
 *
 * @param target a path where nothing is yet
 * @throws StoreError `foreign`, `newer` or `corrupt` with a sentence about the file, and what the signal throws; nothing
 *   is left of an unfinished cache then
 */
export async function copySession(path: string, name: string, target: string, pace: Pace): Promise<ReadSession> {
  const unfinished = `${target}.unfinished`;
  removeCopy(target);
  try {
    const read = await copyAll(path, name, unfinished, pace);
    const verify = { from: COPIED_SHARE, to: 1, total: read.contents.chunks };
    await takeSteps(verifySteps(unfinished, APPLICATION_ID.cache), null, verify, pace);
    finishCopy(target);
    pace.onProgress(1);
    return read;
  } catch (thrown) {
    removeCopy(target);
    if (pace.signal.aborted || (thrown instanceof StoreError && thrown.path === path)) throw thrown;
    const error = toStoreError(target, thrown);
    // A full disk is one of this computer; what else goes wrong comes from what the file holds.
    throw ["full", "io", "readOnly", "cannotOpen", "busy"].includes(error.kind)
      ? error
      : damagedSession(path, name, thrown);
  }
}

async function copyAll(path: string, name: string, unfinished: string, pace: Pace) {
  const from = openFile(path, name);
  try {
    const { manifest, contents, version } = inspect(from, path, name);
    const to = createFile(unfinished, APPLICATION_ID.cache, version);
    try {
      await takeSteps(copyTables(from, to), to, { from: 0, to: COPIED_SHARE, total: contents.columns }, pace);
      // Older ones are summed up when they are brought to the newest form.
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
      for (const key of transfer.keys(of, site)) {
        for (const n of transfer.slices(of, key, ALWAYS)) yield of.table === "chunk_column" ? n : 0;
      }
    }
  }
}

function openFile(path: string, name: string): Db {
  if (!isDatabaseFile(path)) throw foreign(path, name);
  demandForm(path, name);
  const db = new Database(path, { readonly: true });
  try {
    // What a stranger wrote into the description of a table is not run.
    db.pragma("trusted_schema = OFF");
    db.pragma("cell_size_check = ON");
    db.pragma("mmap_size = 0");
    return db;
  } catch (thrown) {
    db.close();
    throw damagedSession(path, name, thrown);
  }
}

/** Before SQLite sees anything of the file. */
function demandForm(path: string, name: string): void {
  try {
    const { applicationId, userVersion, entries } = readFileSchema(path);
    if (applicationId !== SESSION_APPLICATION_ID) throw foreign(path, name);
    if (userVersion > CACHE_MIGRATIONS.length) throw newer(path, name);
    if (userVersion < 1) throw damagedSession(path, name, "no version");
    demandSchema(entries, userVersion);
  } catch (thrown) {
    throw thrown instanceof StoreError ? thrown : damagedSession(path, name, thrown);
  }
}

function inspect(db: Db, path: string, name: string) {
  try {
    const version = Number(db.pragma("user_version", { simple: true }));
    demandSchema(entriesOf(db), version);
    if (db.pragma("quick_check(1)", { simple: true }) !== "ok") throw damagedSession(path, name, "its pages");
    demandLimits(db, path);
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
  const said = `${name}: This file was written by a newer version of Zenith Desk: update the program to open it.`;
  return new StoreError("newer", path, said);
}

export function damagedSession(path: string, name: string, cause: unknown): StoreError {
  const said = `${name}: This file is damaged or incomplete. Ask for it again; nothing was saved.`;
  return new StoreError("corrupt", path, said, cause);
}
