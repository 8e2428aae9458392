import Database from "better-sqlite3";
import { defined } from "#shared/defined.ts";
import { messageOf } from "#shared/fault.ts";
import type { CacheDamage, CacheFindings } from "#shared/series/cache.ts";
import { type Db, numberOf, structureDamageOf } from "../database/database.ts";
import { ALL_TIME } from "../chunks/bucket.ts";
import { assertForm } from "../database/form.ts";
import { DamagedData, isBroken } from "../errors.ts";
import { openReader } from "../database/readOnly.ts";
import { openTables, type Tables } from "../tables/index.ts";
import { CACHE_FORM } from "../tables/schema.ts";
import { examine, rowRemover, type StoredRow } from "./repair.ts";
import type { ThreadPace } from "../types.ts";

/** More than anybody reads. */
const MAX_DAMAGES = 100_000;

/** One step of the check of a file. */
interface CheckStep {
  /** Completed share of the buckets. */
  readonly share: number;
  readonly damages: readonly CacheDamage[];
  readonly structure: string | null;
  /** Number of buckets that were examined. */
  readonly buckets: number;
  /** The row of a damaged bucket. */
  readonly bad: StoredRow | null;
}

/**
 * Verifies everything in a snapshot of a cache file once; others may write to the file meanwhile. To be run in a thread,
 * because SQLite checks all pages in one call.
 *
 * @throws Stopped, and what SQLite throws if the file cannot be opened
 */
export function checkFile(path: string, pace: ThreadPace): CacheFindings {
  return runSteps(openReader(path), pace, (db) => checkSteps(db, tablesOf(db)));
}

/**
 * Deletes damaged buckets, rows and coverage together. Damage that only a new file can repair is reported.
 *
 * @throws as `checkFile`
 */
export function repairFile(path: string, pace: ThreadPace): CacheFindings {
  const db = new Database(path, { fileMustExist: true, timeout: 10_000 });
  return runSteps(db, pace, () => repairSteps(db, tablesOf(db)));
}

function tablesOf(db: Db): Tables {
  assertForm(db, CACHE_FORM, db.name);
  return openTables(db);
}

function runSteps(
  db: Db,
  { onProgress, throwIfStopped }: ThreadPace,
  begin: (db: Db) => Generator<CheckStep>,
): CacheFindings {
  const damages: CacheDamage[] = [];
  let structure: string | null = null;
  try {
    for (const step of begin(db)) {
      throwIfStopped();
      onProgress(step.share);
      damages.push(...step.damages.slice(0, MAX_DAMAGES - damages.length));
      structure ??= step.structure;
    }
  } catch (thrown) {
    if (!isBroken(thrown)) throw thrown;
    structure ??= messageOf(thrown);
  } finally {
    db.close();
  }
  return { damages, structure };
}

/**
 * Checks all pages, then every bucket of a snapshot once, in small steps.
 *
 * @throws what SQLite throws if a table cannot be scanned
 */
export function* checkSteps(db: Db, tables: Tables): Generator<CheckStep> {
  // One snapshot: others may write meanwhile.
  const isOwnSnapshot = !db.inTransaction;
  if (isOwnSnapshot) db.exec("BEGIN");
  try {
    const structure = structureDamageOf(db);
    yield { share: 0, damages: [], structure, buckets: 0, bad: null };
    if (structure !== null) return;
    const total = Math.max(1, numberOf(db, "SELECT count(*) FROM bucket"));
    let done = 0;
    for (const { stored, damage } of examine(db, tables)) {
      const share = Math.min(1, ++done / total);
      yield { share, damages: damage ? [damage] : [], structure: null, buckets: 1, bad: damage && stored };
    }
  } finally {
    if (isOwnSnapshot && db.inTransaction) db.exec("COMMIT");
  }
}

/** Verifies everything in small steps, and yields the number of buckets of each. @throws DamagedData if any is damaged */
export function* soundSteps(db: Db, tables: Tables): Generator<number> {
  for (const { damages, structure, buckets } of checkSteps(db, tables)) {
    if (structure !== null) throw new DamagedData(structure);
    if (damages.length > 0) throw new DamagedData("rows or coverage are not as they were written");
    yield buckets;
  }
}

function* repairSteps(db: Db, tables: Tables): Generator<CheckStep> {
  const bad: StoredRow[] = [];
  for (const step of checkSteps(db, tables)) {
    yield step;
    if (step.structure !== null) return;
    if (step.bad) bad.push(step.bad);
  }
  db.transaction(() => {
    rowRemover(db)(bad);
    tables.catalogue.reseal();
    removeOrphans(db, tables);
  }).immediate();
  yield { share: 1, damages: [], structure: null, buckets: 0, bad: null };
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
