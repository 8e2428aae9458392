import Database from "better-sqlite3";
import { messageOf } from "#shared/thrown.ts";
import type { CacheDamage, CacheFindings } from "#shared/series/damage.ts";
import { structureOf } from "./damage.ts";
import type { Db } from "../database/database.ts";
import { isBroken } from "../errors.ts";
import { mender } from "./mend/mend.ts";
import { mendSites } from "./mend/sites.ts";
import { assertTables, type Tables } from "../tables/index.ts";
import type { ThreadPace } from "./thread/messages.ts";

const ALWAYS = { startMs: -9e15, endMs: 9e15 };
/** As many as a person reads, and some more. */
const MOST_DAMAGES = 100_000;

/** One step of a look at a whole file. */
export interface CheckStep {
  /** Share of the stations that are done. */
  readonly share: number;
  readonly damages: readonly CacheDamage[];
  readonly structure: string | null;
  /** Chunks that were decoded. */
  readonly chunks: number;
}

/**
 * Decodes everything in a cache file once, as it is at one moment: others may write to it meanwhile. To be run in a
 * thread: a look at all pages is one piece.
 *
 * @throws Stopped, and what SQLite throws where the file cannot be opened at all
 */
export function checkFile(path: string, pace: ThreadPace): CacheFindings {
  return lookAt(path, pace, { readonly: true, fileMustExist: true }, (db) => {
    db.exec("BEGIN");
    return checkSteps(db, assertTables(db));
  });
}

/**
 * Leaves out what is damaged, with its coverage, and makes anew what follows from sound rows. Each station is one
 * transaction. What only a new file can mend is told.
 *
 * @throws as `checkFile`
 */
export function repairFile(path: string, pace: ThreadPace): CacheFindings {
  return lookAt(path, pace, { fileMustExist: true, timeout: 10_000 }, (db) => repairSteps(db, assertTables(db)));
}

function lookAt(
  path: string,
  { onProgress, demandGoOn }: ThreadPace,
  options: Database.Options,
  begin: (db: Db) => Generator<CheckStep>,
): CacheFindings {
  const db = new Database(path, options);
  const damages: CacheDamage[] = [];
  let structure: string | null = null;
  try {
    for (const step of begin(db)) {
      demandGoOn();
      onProgress(step.share);
      damages.push(...step.damages.slice(0, MOST_DAMAGES - damages.length));
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
 * Looks at all pages, then at every chunk, pyramid and extent once, in small steps.
 *
 * @throws what SQLite throws where the tables cannot be walked through
 */
export function* checkSteps(db: Db, tables: Tables): Generator<CheckStep> {
  yield { share: 0, damages: [], structure: structureOf(db), chunks: 0 };
  const { keys, periods, examine } = mender(db, tables);
  const sites = tables.sites.all();
  let columns = 0;
  for (const [i, { site }] of sites.entries()) {
    for (const key of keys(site)) {
      for (const periodMs of periods(key, ALWAYS)) {
        const { damages, sound } = examine(key, periodMs);
        for (const { variables } of sound) columns += variables.length;
        const isSummary = damages.length === 1 && damages[0]!.what === "summary";
        if (damages.length > 0 && !isSummary) columns = Number.NaN;
        yield { share: i / sites.length, damages, structure: null, chunks: sound.length };
      }
    }
  }
  const all = db.prepare<[], number>("SELECT count(*) FROM chunk_column NOT INDEXED").pluck().get();
  const structure = Number.isNaN(columns) || columns === all ? null : "columns without a chunk";
  yield { share: 1, damages: [], structure, chunks: 0 };
}

function* repairSteps(db: Db, tables: Tables): Generator<CheckStep> {
  const structure = structureOf(db);
  yield { share: 0, damages: [], structure, chunks: 0 };
  if (structure !== null) return;
  const { keys, periods, mend } = mender(db, tables);
  const now = <T>(work: () => T): T => db.transaction(work).immediate();
  now(() => mendSites(db, tables));
  const sites = tables.sites.all();
  for (const [i, { site }] of sites.entries()) {
    const damages = now(() =>
      keys(site).flatMap((key) => periods(key, ALWAYS).flatMap((periodMs) => mend(key, periodMs))),
    );
    yield { share: i / sites.length, damages, structure: null, chunks: 0 };
  }
  now(() => {
    tables.catalogue.reseal();
    db.exec(`DELETE FROM size; INSERT INTO size
      SELECT site, variable, sum(length(data) + coalesce(length(present), 0)) FROM chunk_column GROUP BY site, variable`);
  });
  // What the tables held of no chunk is found by the look that follows.
  const [left] = [...checkSteps(db, tables)].filter((step) => step.structure !== null);
  yield { share: 1, damages: [], structure: left?.structure ?? null, chunks: 0 };
}
