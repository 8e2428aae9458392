import { checkFile } from "../maintenance/check.ts";
import { clearMark, isMarkedDamaged, quarantine } from "../maintenance/quarantine.ts";
import { closedOnFailure } from "../database/database.ts";
import { type Opened, openOrRead } from "../database/readOnly.ts";
import { toStoreError } from "../errors.ts";
import { openTables, type Tables } from "../tables/index.ts";
import { CACHE_FORM } from "../tables/schema.ts";
import type { FileLock } from "../fileLock.ts";

const UNSEEN = { onProgress() {}, throwIfStopped() {} };

export interface OpenCacheFile extends Opened {
  readonly tables: Tables;
}

/**
 * Opens a cache file; creates it if missing. A file that is visibly damaged is quarantined and replaced, unless another
 * process has it open, because its writes would go to quarantine too.
 */
export function openOrReplace(
  path: string,
  lock: FileLock,
): { readonly file: OpenCacheFile; readonly quarantined: string | null } {
  try {
    const file = openCacheFile(path);
    if (!isMarkedDamaged(path)) return { file, quarantined: null };
    // A marked file may be sound: SQLite also reports damage when the disk failed to read it once.
    const { damages, structure } = closedOnFailure(file.db, () => checkFile(path, UNSEEN));
    if (structure === null && damages.length === 0) {
      clearMark(path);
      return { file, quarantined: null };
    }
    file.db.close();
  } catch (thrown) {
    if (toStoreError(path, thrown).kind !== "corrupt") throw thrown;
  }
  const release = lock.lockExclusively("quarantine the damaged cache");
  try {
    const quarantined = quarantine(path);
    return { file: openCacheFile(path), quarantined };
  } finally {
    release();
  }
}

/** @throws DamagedData, and whatever SQLite throws */
function openCacheFile(path: string): OpenCacheFile {
  const opened = openOrRead(path, CACHE_FORM);
  return closedOnFailure(opened.db, (db) => ({ ...opened, tables: openTables(db) }));
}
