import { defined } from "#shared/defined.ts";
import { messageOf } from "#shared/fault.ts";
import type { CacheDamage, CacheFindings } from "#shared/series/cache.ts";
import { checkPages, type Db, queryNumber, withDatabase } from "../database/database.ts";
import { ALL_TIME } from "../tables/keys.ts";
import { openForm } from "../database/form.ts";
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
 * @throws Stopped, StoreError, and what SQLite throws if the file cannot be opened
 */
export function checkFile(path: string, pace: ThreadPace): CacheFindings {
  return inspect(() => openReader(path, CACHE_FORM), pace);
}

/**
 * Deletes damaged buckets, rows and coverage together. Damage that only a new file can repair is reported.
 *
 * @throws as `checkFile`
 */
export function repairFile(path: string, pace: ThreadPace): CacheFindings {
  return inspect(
    () => openForm(path, CACHE_FORM),
    pace,
    (db, tables, bad) =>
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
  open: () => Db,
  { onProgress, throwIfStopped }: ThreadPace,
  finish: (db: Db, tables: Tables, bad: readonly StoredRow[]) => void = () => {},
): CacheFindings {
  try {
    return withDatabase(open(), (db) => {
      const tables = openTables(db);
      db.exec("BEGIN");
      checkPages(db);
      const total = Math.max(1, queryNumber(db, "SELECT count(*) FROM bucket"));
      const bad: StoredRow[] = [];
      const damages: CacheDamage[] = [];
      let done = 0;
      for (const { stored, damage } of examine(db, tables)) {
        throwIfStopped();
        onProgress(Math.min(1, ++done / total));
        if (damage === null) continue;
        bad.push(stored);
        if (damages.length < MAX_DAMAGES) damages.push(damage);
      }
      db.exec("COMMIT");
      finish(db, tables, bad);
      return { damages, structure: null };
    });
  } catch (thrown) {
    if (!isBroken(thrown)) throw thrown;
    return { damages: [], structure: messageOf(thrown) };
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
