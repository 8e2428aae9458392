import { dirname } from "node:path";
import { makeFolder } from "#formats/makeFolder.ts";
import { demandFree } from "../database/copy.ts";
import { usedBytesOf } from "../database/database.ts";
import { busy } from "../errors.ts";
import type { CopyTask } from "../thread/messages.ts";
import { copyInThread } from "../thread/thread.ts";
import type { WorkPace } from "../types.ts";
import type { CacheAccess } from "./access.ts";
import { inspectFile, paceUntil } from "./checks.ts";

/** The work on the whole file of a cache, in a thread. @param isForgetting whether data are being deleted */
export function cacheMaintenance(access: CacheAccess, isForgetting: () => boolean) {
  const { path, file, run, closing, assertFree, assertWritable, withoutWrites, onDamage } = access;
  const inspect = (work: "check" | "repair", pace: WorkPace) =>
    inspectFile(work, path, paceUntil(closing, pace), onDamage);
  /** Compacts or copies the file. */
  const copy = (task: CopyTask, pace: WorkPace): Promise<void> =>
    withoutWrites(task.work, async () => {
      const work = paceUntil(closing, pace);
      await copyInThread(task, usedBytesOf(file.db), work).catch((thrown: unknown) => {
        work.signal.throwIfAborted();
        run(() => {
          throw thrown;
        });
      });
    });
  return {
    /**
     * Checks a snapshot of the whole file in a thread, without changing it. A file with a broken structure is quarantined
     * when it is opened next.
     *
     * @throws the reason of the signal when it aborts
     */
    check: (pace: WorkPace) => inspect("check", pace),
    /**
     * Removes damaged data with their coverage, so that they are requested again; everything else is kept and can be read
     * meanwhile. Damage that only a new file can repair is reported as `structure`.
     *
     * @throws StoreError, and the reason of the signal when it aborts: repairs made by then stay
     */
    async repair(pace: WorkPace) {
      run(assertFree);
      try {
        return await inspect("repair", pace);
      } finally {
        file.tables.readCache.clear();
      }
    },
    /**
     * Returns freed pages to the file system, in a thread. The cache can be read meanwhile; writes are refused with
     * `busy`.
     *
     * @throws StoreError if the disk is full or another process has the file open; the reason of the signal when it
     * aborts. The file is unchanged then.
     */
    async compact(pace: WorkPace): Promise<void> {
      assertWritable();
      if (isForgetting())
        throw busy(path, "Data of this cache are being deleted. Wait until that is done, or stop it, then compact.");
      await copy({ work: "compact", path }, pace);
    },
    /**
     * Copies the file in a thread, and verifies the whole copy. The cache can be read meanwhile; writes are refused with
     * `busy`.
     *
     * @param target path of a file that does not exist
     * @param onProgress receives the completed share, 0 to 1
     * @throws StoreError if it cannot be copied, or another program has the file open; no part of the copy is left then
     */
    async copyTo(target: string, onProgress: (share: number) => void): Promise<void> {
      demandFree(target);
      makeFolder(dirname(target), 0o700);
      await copy({ work: "copy", path, target }, { onProgress, signal: closing });
    },
  };
}
