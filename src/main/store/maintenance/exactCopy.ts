import { isDeepStrictEqual } from "node:util";
import type { CacheStatistics } from "#shared/series/cache.ts";
import { soundSteps } from "./check.ts";
import { copyDatabase, finishCopy, removeDatabase } from "../database/copy.ts";
import { type Db, statisticsOf } from "../database/database.ts";
import { busy, DamagedData, StoreError, toStoreError } from "../errors.ts";
import { openCacheFile } from "../cache/openFile.ts";
import { runSteps } from "../sessionFile/steps.ts";
import type { WorkPace } from "../types.ts";

/** Maximum number of copies: a copy is repeated if the file was written meanwhile. */
const MAX_COPIES = 3;
/** The check of a copy is neither shown nor stopped. */
const UNSEEN: WorkPace = { onProgress: () => {}, signal: new AbortController().signal };

/**
 * Copies a cache that is in use, verifies the whole copy, and repeats it if something was written meanwhile.
 *
 * @param target path of a file that does not exist
 * @throws StoreError; nothing is left of the copy then
 */
export async function copyExactly(db: Db, target: string, onProgress: (share: number) => void): Promise<void> {
  const path = db.name;
  try {
    for (let tries = 0; tries < MAX_COPIES; tries++) {
      const copy = await copyDatabase(db, target, onProgress);
      try {
        // Right now, both are the same.
        const [expected, then] = [statisticsOf(path, db), changesOf(db)];
        await verifyCopy(copy, expected);
        if (changesOf(db) === then) return finishCopy(target);
      } catch (thrown) {
        removeDatabase(copy);
        throw thrown;
      }
      removeDatabase(copy);
    }
  } catch (thrown) {
    throw toStoreError(target, thrown);
  }
  throw busy(path, "The cache was written to all the while. It stays where it is: try again when downloads rest.");
}

/** Changes with every write to the file, of this connection to it or another. */
function changesOf(db: Db): string {
  const own = db.prepare<[], number>("SELECT total_changes()").pluck().get();
  return `${own} ${String(db.pragma("data_version", { simple: true }))}`;
}

/** Reads the whole copy once. @throws StoreError if it differs from the file */
async function verifyCopy(copyPath: string, expected: CacheStatistics): Promise<void> {
  const { db, tables } = openCacheFile(copyPath);
  try {
    const { fileBytes: _, ...held } = statisticsOf(copyPath, db);
    const { fileBytes: __, ...wanted } = expected;
    // Processes that have the file open do not have the copy open: it would seem to have been left open by a dead one.
    db.exec("DELETE FROM opening");
    if (!isDeepStrictEqual(held, wanted)) throw new DamagedData("it lacks something");
    await runSteps(soundSteps(db, tables), null, { from: 0, to: 1, total: 1 }, UNSEEN);
  } catch (thrown) {
    if (!(thrown instanceof DamagedData)) throw thrown;
    const sentence = `${copyPath}: The copy is not sound (${thrown.message}). The cache stays where it is: check the disk of the new place.`;
    throw new StoreError("io", copyPath, sentence, thrown);
  } finally {
    db.close();
  }
}
