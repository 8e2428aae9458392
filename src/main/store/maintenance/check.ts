import Database from "better-sqlite3";
import { defined } from "#shared/defined.ts";
import { messageOf } from "#shared/fault.ts";
import type { CacheDamage, CacheFindings } from "#shared/series/cache.ts";
import { type Db, numberOf, structureDamageOf } from "../database/database.ts";
import { ALL_TIME } from "../chunks/bucket.ts";
import { assertForm } from "../database/form.ts";
import { isBroken } from "../errors.ts";
import { openReader } from "../database/readOnly.ts";
import { openTables, type Tables } from "../tables/index.ts";
import { CACHE_FORM } from "../tables/schema.ts";
import { examine, rowRemover, type StoredRow } from "./repair.ts";
import type { ThreadPace } from "../types.ts";

/** More than anybody reads. */
const MAX_DAMAGES = 100_000;

/**
 * Verifies everything in a snapshot of a cache file once; others may write to the file meanwhile. To be run in a thread,
 * because SQLite checks all pages in one call.
 *
 * @throws Stopped, and what SQLite throws if the file cannot be opened
 */
export function checkFile(path: string, pace: ThreadPace): CacheFindings {
  return inspect(openReader(path), pace, () => {});
}

/**
 * Deletes damaged buckets, rows and coverage together. Damage that only a new file can repair is reported.
 *
 * @throws as `checkFile`
 */
export function repairFile(path: string, pace: ThreadPace): CacheFindings {
  const db = new Database(path, { fileMustExist: true, timeout: 10_000 });
  return inspect(db, pace, (tables, bad) =>
    db
      .transaction(() => {
        rowRemover(db)(bad);
        removeOrphans(db, tables);
      })
      .immediate(),
  );
}

/** Checks all pages, then every bucket of a snapshot. @param finish receives the damaged rows, after the snapshot */
function inspect(
  db: Db,
  { onProgress, throwIfStopped }: ThreadPace,
  finish: (tables: Tables, bad: readonly StoredRow[]) => void,
): CacheFindings {
  const damages: CacheDamage[] = [];
  try {
    assertForm(db, CACHE_FORM, db.name);
    const tables = openTables(db);
    db.exec("BEGIN");
    const structure = structureDamageOf(db);
    if (structure !== null) return { damages, structure };
    const total = Math.max(1, numberOf(db, "SELECT count(*) FROM bucket"));
    const bad: StoredRow[] = [];
    let done = 0;
    for (const { stored, damage } of examine(db, tables)) {
      throwIfStopped();
      onProgress(Math.min(1, ++done / total));
      if (damage === null) continue;
      bad.push(stored);
      if (damages.length < MAX_DAMAGES) damages.push(damage);
    }
    db.exec("COMMIT");
    finish(tables, bad);
    return { damages, structure: null };
  } catch (thrown) {
    if (!isBroken(thrown)) throw thrown;
    return { damages, structure: messageOf(thrown) };
  } finally {
    db.close();
  }
}

/** Deletes columns and pyramids that no bucket names. */
function removeOrphans(db: Db, { buckets }: Tables): void {
  const named = new Set<number>();
  for (const key of buckets.keys())
    for (const row of buckets.scan(key, ALL_TIME))
      for (const variable of row.variables) named.add(defined(row.column(variable)).id);
  for (const table of ["bucket_column", "pyramid"]) {
    const ids = db.prepare<[], number>(`SELECT id FROM ${table}`).pluck().all();
    const remove = db.prepare<[number]>(`DELETE FROM ${table} WHERE id = ?`);
    for (const id of ids) if (!named.has(id)) remove.run(id);
  }
}
