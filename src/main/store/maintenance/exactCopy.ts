import { rmSync } from "node:fs";
import { copyDatabase, finishCopy, removeDatabase } from "../database/copy.ts";
import { type Db, foreignCommitsOf, numberOf } from "../database/database.ts";
import { busy, StoreError, toStoreError } from "../errors.ts";
import { runInThread } from "../thread/thread.ts";

/** Maximum number of copies: a copy is repeated if the file was written meanwhile. */
const MAX_COPIES = 3;

/**
 * Copies a cache that is in use and checks the copy in a thread. If the cache was written to meanwhile, it is copied again.
 *
 * @param target path of a file that does not exist
 * @throws StoreError; nothing is left of the copy then
 */
export async function copyExactly(db: Db, target: string, onProgress: (share: number) => void): Promise<void> {
  const path = db.name;
  const foreignCommits = foreignCommitsOf(db);
  /** Changes with every write to the file, of this connection to it or another. */
  const version = (): string => `${foreignCommits()} ${numberOf(db, "SELECT total_changes()")}`;
  try {
    for (let tries = 0; tries < MAX_COPIES; tries++) {
      const copy = await copyDatabase(db, target, onProgress);
      try {
        const copied = version();
        // The check is neither shown nor stopped.
        const work = { work: "check", path: copy } as const;
        const found = await runInThread(work, { onProgress: () => {}, signal: new AbortController().signal });
        // A reader leaves the empty logs that it needed.
        for (const log of ["-wal", "-shm"]) rmSync(copy + log, { force: true });
        if (found.structure !== null || found.damages.length > 0) throw unsound(copy, found.structure);
        if (version() === copied) return finishCopy(target);
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

function unsound(copy: string, structure: string | null): StoreError {
  const reason = structure ?? "rows or coverage are not as they were written";
  const sentence = `${copy}: The copy is not sound (${reason}). The cache stays where it is: check the disk of the new place.`;
  return new StoreError("io", copy, sentence);
}
