import { setImmediate as otherTurns } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { CacheStatistics } from "#shared/series/cacheStatistics.ts";
import { checkSteps } from "./check.ts";
import { copyDatabase, finishCopy, removeDatabase } from "../database/copy.ts";
import type { Db } from "../database/database.ts";
import { busy, DamagedData, StoreError, toStoreError } from "../errors.ts";
import { openChecked } from "../cache/checkedFile.ts";
import { statisticsOf } from "../database/statistics.ts";

/** A copy that was overtaken by a write is made again. */
const MOST_COPIES = 3;
/** Work between two turns of the others while a copy is read. */
const SLICE_MS = 8;

/**
 * Copies a cache that is in use, reads the whole copy once, and makes it anew where something was written meanwhile.
 *
 * @param target a path where nothing is yet
 * @throws StoreError; nothing is left of the copy then
 */
export async function copyExactly(db: Db, target: string, onProgress: (share: number) => void): Promise<void> {
  const path = db.name;
  try {
    for (let tries = 0; tries < MOST_COPIES; tries++) {
      const copy = await copyDatabase(db, target, onProgress);
      try {
        // At this very moment both are the same.
        const [expected, then] = [statisticsOf(path, db), changesOf(db)];
        await demandSame(copy, expected);
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

/** Reads the whole copy once. @throws StoreError where it is not what the file holds */
async function demandSame(copyPath: string, expected: CacheStatistics): Promise<void> {
  const { db, tables } = openChecked(copyPath);
  try {
    const { fileBytes: _, ...held } = statisticsOf(copyPath, db);
    const { fileBytes: __, ...wanted } = expected;
    // Who has the file open has not the copy: without this, it would seem to have been left open by who is gone.
    db.exec("DELETE FROM opening");
    if (!isDeepStrictEqual(held, wanted)) throw new DamagedData("it lacks something");
    let sinceMs = -Infinity;
    for (const { damages, structure } of checkSteps(db, tables)) {
      if (structure !== null) throw new DamagedData(structure);
      if (damages.length > 0) throw new DamagedData("rows or coverage are not as they were written");
      if (performance.now() - sinceMs < SLICE_MS) continue;
      await otherTurns();
      sinceMs = performance.now();
    }
  } catch (thrown) {
    if (!(thrown instanceof DamagedData)) throw thrown;
    const said = `${copyPath}: The copy is not sound (${thrown.message}). The cache stays where it is: check the disk of the new place.`;
    throw new StoreError("io", copyPath, said, thrown);
  } finally {
    db.close();
  }
}
