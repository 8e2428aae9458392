import Database from "better-sqlite3";
import { messageOf } from "#shared/fault.ts";
import type { CacheDamage, CacheFindings } from "#shared/series/cache.ts";
import { type Db, structureDamageOf } from "../database/database.ts";
import { ALL_TIME } from "../chunks/bucket.ts";
import { DamagedData, isBroken } from "../errors.ts";
import { createRepairer } from "./repair/repairer.ts";
import { repairSites } from "./repair/autoRepair.ts";
import { assertTables, type Tables } from "../tables/index.ts";
import { openReader } from "../database/readOnly.ts";
import type { ThreadPace } from "../types.ts";

/** More than anybody reads. */
const MAX_DAMAGES = 100_000;

/** One step of the check of a file. */
interface CheckStep {
  /** Completed share of the stations. */
  readonly share: number;
  readonly damages: readonly CacheDamage[];
  readonly structure: string | null;
  /** Number of chunks that were decoded. */
  readonly chunks: number;
}

/**
 * Decodes everything in a snapshot of a cache file once; others may write to the file meanwhile. To be run in a thread,
 * because SQLite checks all pages in one call.
 *
 * @throws Stopped, and what SQLite throws if the file cannot be opened
 */
export function checkFile(path: string, pace: ThreadPace): CacheFindings {
  return runSteps(openReader(path), pace, (db) => checkSteps(db, assertTables(db)));
}

/**
 * Removes damaged data with their coverage, and rebuilds what can be derived from sound rows. Each station is one
 * transaction. Damage that only a new file can repair is reported.
 *
 * @throws as `checkFile`
 */
export function repairFile(path: string, pace: ThreadPace): CacheFindings {
  const db = new Database(path, { fileMustExist: true, timeout: 10_000 });
  return runSteps(db, pace, () => repairSteps(db, assertTables(db)));
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
 * Checks all pages, then every chunk, pyramid and extent of a snapshot once, in small steps.
 *
 * @throws what SQLite throws if a table cannot be scanned
 */
export function* checkSteps(db: Db, tables: Tables): Generator<CheckStep> {
  // One snapshot: counts of different moments would differ by what others write in between, as if the file were broken.
  const isOwnSnapshot = !db.inTransaction;
  if (isOwnSnapshot) db.exec("BEGIN");
  try {
    yield* stepsOf(db, tables);
  } finally {
    if (isOwnSnapshot && db.inTransaction) db.exec("COMMIT");
  }
}

function* stepsOf(db: Db, tables: Tables): Generator<CheckStep> {
  yield { share: 0, damages: [], structure: structureDamageOf(db), chunks: 0 };
  const { keys, periods, examine } = createRepairer(db, tables);
  const sites = tables.sites.all();
  let columns = 0;
  for (const [i, { site }] of sites.entries()) {
    for (const key of keys(site)) {
      for (const periodMs of periods(key, ALL_TIME)) {
        const { damages, sound } = examine(key, periodMs);
        for (const { variables } of sound) columns += variables.length;
        const isSummary = damages.length === 1 && damages[0]?.what === "summary";
        if (damages.length > 0 && !isSummary) columns = Number.NaN;
        yield { share: i / sites.length, damages, structure: null, chunks: sound.length };
      }
    }
  }
  const columnRows = db.prepare<[], number>("SELECT count(*) FROM chunk_column NOT INDEXED").pluck().get();
  const structure = Number.isNaN(columns) || columns === columnRows ? null : "columns without a chunk";
  yield { share: 1, damages: [], structure, chunks: 0 };
}

/** Decodes everything in small steps, and yields the number of chunks of each. @throws DamagedData if any is damaged */
export function* soundSteps(db: Db, tables: Tables): Generator<number> {
  for (const { damages, structure, chunks } of checkSteps(db, tables)) {
    if (structure !== null) throw new DamagedData(structure);
    if (damages.length > 0) throw new DamagedData("rows or coverage are not as they were written");
    yield chunks;
  }
}

function* repairSteps(db: Db, tables: Tables): Generator<CheckStep> {
  const structure = structureDamageOf(db);
  yield { share: 0, damages: [], structure, chunks: 0 };
  if (structure !== null) return;
  const { keys, periods, repairPeriod } = createRepairer(db, tables);
  const inTransaction = <T>(work: () => T): T => db.transaction(work).immediate();
  inTransaction(() => repairSites(db, tables));
  const sites = tables.sites.all();
  for (const [i, { site }] of sites.entries()) {
    const damages = inTransaction(() =>
      keys(site).flatMap((key) => periods(key, ALL_TIME).flatMap((periodMs) => repairPeriod(key, periodMs))),
    );
    yield { share: i / sites.length, damages, structure: null, chunks: 0 };
  }
  inTransaction(() => {
    tables.catalogue.reseal();
    db.exec(`DELETE FROM size; INSERT INTO size
      SELECT site, variable, sum(length(data) + coalesce(length(present), 0)) FROM chunk_column GROUP BY site, variable`);
  });
  // This check finds rows that belong to no chunk.
  const [left] = [...checkSteps(db, tables)].filter((step) => step.structure !== null);
  yield { share: 1, damages: [], structure: left?.structure ?? null, chunks: 0 };
}
