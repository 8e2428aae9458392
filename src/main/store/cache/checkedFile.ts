import { checkSteps } from "../maintenance/check.ts";
import { type Abandoned, abandonedOpenings, clearMark, isMarkedDamaged, quarantine } from "../maintenance/damage.ts";
import { APPLICATION_ID, type Db, migrate, openDatabase } from "../database/database.ts";
import { isBroken, toStoreError } from "../errors.ts";
import { CACHE_MIGRATIONS } from "../migrations/cache/index.ts";
import { assertTables, type Tables } from "../tables/index.ts";
import type { FileLock } from "../locks/fileLock.ts";

/** A cache file that is open, in the newest form. */
export interface CheckedFile {
  readonly db: Db;
  readonly tables: Tables;
  /** What tells that the file has to be checked. */
  readonly abandoned: Abandoned;
}

/**
 * Opens a cache file, made where it is missing. One with damage that shows at once is put aside, and replaced: where nobody
 * else has it open, whose writes would go aside with it.
 */
export function openOrReplace(
  path: string,
  use: FileLock,
): { readonly file: CheckedFile; readonly quarantined: string | null } {
  try {
    const file = openChecked(path);
    if (!isMarkedDamaged(path)) return { file, quarantined: null };
    if (isWhole(file)) {
      clearMark(path);
      return { file, quarantined: null };
    }
    file.db.close();
  } catch (thrown) {
    if (toStoreError(path, thrown).kind !== "corrupt") throw thrown;
  }
  const release = use.lockExclusively("put the damaged cache aside");
  try {
    const quarantined = quarantine(path);
    return { file: openChecked(path), quarantined };
  } finally {
    release();
  }
}

/**
 * Whether all of a file can be read. A marked one may be whole: SQLite also calls a file malformed where the disk failed to
 * read it once.
 */
function isWhole({ db, tables }: CheckedFile): boolean {
  try {
    for (const { structure, damages } of checkSteps(db, tables))
      if (structure !== null || damages.length > 0) return false;
    return true;
  } catch (thrown) {
    if (isBroken(thrown)) return false;
    db.close();
    throw thrown;
  }
}

/** @throws DamagedData, and whatever SQLite throws */
export function openChecked(path: string): CheckedFile {
  const db = openDatabase(path, APPLICATION_ID.cache);
  try {
    migrate(db, CACHE_MIGRATIONS, APPLICATION_ID.cache);
    return { db, tables: assertTables(db), abandoned: abandonedOpenings(db) };
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}
