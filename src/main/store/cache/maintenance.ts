import { dirname } from "node:path";
import { makeFolder } from "#formats/makeFolder.ts";
import type { CacheFindings } from "#shared/series/cache.ts";
import { demandFree } from "../database/copy.ts";
import { usedBytesOf } from "../database/statistics.ts";
import { busy, DamagedData } from "../errors.ts";
import type { CopyTask } from "../thread/messages.ts";
import { copyInThread, runInThread } from "../thread/thread.ts";
import type { WorkPace } from "../types.ts";
import type { CacheAccess } from "./access.ts";

/** The work on the whole file of a cache, in a thread. @param isForgetting whether data are being deleted */
export function cacheMaintenance(access: CacheAccess, isForgetting: () => boolean) {
  const { path, file, run, report, inThread, assertFree, assertWritable, withoutWrites } = access;
  const inspect = async (work: "check" | "repair", pace: WorkPace): Promise<CacheFindings> => {
    const findings = await inThread(pace, (own) => runInThread({ work, path }, own));
    if (findings.structure !== null) report(new DamagedData(findings.structure));
    return findings;
  };
  /** Compacts or copies the file. */
  const copy = (task: CopyTask, pace: WorkPace): Promise<void> =>
    withoutWrites(task.work, () => inThread(pace, (own) => copyInThread(task, usedBytesOf(file.db), own)));
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
     * @throws StoreError if it cannot be copied, or another program has the file open; the reason of the signal when it
     * aborts. No part of the copy is left then.
     */
    async copyTo(target: string, pace: WorkPace): Promise<void> {
      demandFree(target);
      makeFolder(dirname(target), 0o700);
      await copy({ work: "copy", path, target }, pace);
    },
  };
}
