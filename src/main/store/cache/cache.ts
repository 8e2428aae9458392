import type { CacheDamage } from "#shared/series/cache.ts";
import { dirname } from "node:path";
import { amendCoverage, writeResponse } from "../response/commit.ts";
import { createResponseWriter } from "../response/writer.ts";
import { cacheReader, createLastUse } from "./cacheReader.ts";
import { removeStaleCopies } from "../maintenance/compact.ts";
import { usedBytesOf, placeOf } from "../database/database.ts";
import { busy, StoreError, toStoreError } from "../errors.ts";
import { copyExactly } from "../maintenance/exactCopy.ts";
import { countBuckets, forgetSteps, removeValues, runForgetSteps } from "./forget.ts";
import { createGuard, inspectFile, paceUntil } from "./checks.ts";
import { createAutoRepair } from "../maintenance/repair.ts";
import { makePrivateFolder } from "../database/private.ts";
import { openOrReplace } from "./openFile.ts";
import { compactInThread } from "../thread/thread.ts";
import type { Cache, WorkPace } from "../types.ts";
import { shareFile, type FileLock, type FileLockOptions } from "../locks/fileLock.ts";

/** Callbacks for events of an open cache. */
export interface CacheWatch extends FileLockOptions {
  /** Called once no other process can move or delete the file, before it is opened. May throw to cancel the opening. */
  readonly confirm?: () => void;
  /** Called once, when damage is found. */
  readonly onDamage?: (message: string) => void;
  /** Called after damaged data were removed, so that they are requested again. */
  readonly onRepaired?: (damages: readonly CacheDamage[]) => void;
}

/**
 * Opens the cache file of a connection; creates it and its folder if missing. A damaged file is quarantined and
 * replaced by an empty one: `quarantined` has its new path. Several processes may have the same file open: each commit
 * is one transaction that merges with the data at that moment, and fails if the file is no longer at its path.
 *
 * @throws StoreError if the file cannot be opened, or is of a newer version or another program. So does every method;
 * damage that is found while reading leads to quarantine when the file is opened next.
 */
export function openCache(path: string, watch: CacheWatch = {}): Cache {
  try {
    makePrivateFolder(dirname(path));
    const lock = shareFile(path, watch);
    try {
      watch.confirm?.();
      return createCache(path, openOrReplace(path, lock), lock, watch);
    } catch (thrown) {
      lock.close();
      throw thrown;
    }
  } catch (thrown) {
    throw toStoreError(path, thrown);
  }
}

function createCache(
  path: string,
  { file, quarantined }: ReturnType<typeof openOrReplace>,
  lock: FileLock,
  { onDamage = () => {}, onRepaired = () => {} }: CacheWatch,
): Cache {
  const { db, tables, refusal } = file;
  const place = placeOf(path);
  if (refusal === null) removeStaleCopies(path);
  const closing = new AbortController();
  let isCompacting = false;
  let runningForgets = 0;
  const run = createGuard(path, onDamage);
  const transaction = db.transaction((work: () => void) => work());
  const lastUse = createLastUse((usedAtMs) => tables.maintenance.use(usedAtMs));
  const assertNotRefused = (): void => {
    if (refusal !== null) throw refusal;
  };
  const assertWritable = (): void => {
    assertNotRefused();
    if (isCompacting) throw busy(path, "The cache is being compacted. Wait for its end, or stop it, then try again.");
    place.assertInPlace();
  };
  const repairing = createAutoRepair(
    db,
    tables,
    (work) => {
      assertWritable();
      resultOf(transaction.immediate, work);
    },
    onRepaired,
  );
  const read = <T>(work: () => T): T =>
    run(() => {
      const found = repairing(() => resultOf(transaction.deferred, work));
      file.assertUnchanged();
      return found;
    });
  const write = <T>(work: () => T): T =>
    run(() => {
      assertWritable();
      const result = repairing(() =>
        committed(() => {
          lastUse.writeWhenDue();
          return work();
        }),
      );
      // A commit to a file that is no longer at its path must not count as stored.
      place.assertInPlace();
      return result;
    });
  /** Runs work in a transaction. What a rolled back one left in memory is forgotten. */
  const committed = <T>(work: () => T): T => {
    try {
      return resultOf(transaction.immediate, work);
    } catch (thrown) {
      tables.readCache.clear();
      throw thrown;
    }
  };
  const exclusively = async <T>(purpose: string, work: () => Promise<T>): Promise<T> => {
    const release = lock.lockExclusively(purpose);
    try {
      return await work();
    } finally {
      release();
    }
  };
  const inspect = (work: "check" | "repair", pace: WorkPace) =>
    inspectFile(work, path, paceUntil(closing.signal, pace), onDamage);
  const closed = (): StoreError => busy(path, "The cache was closed. Try again.");

  /** Settings of a file that can only be read last until it is closed. */
  const unsaved = new Map<string, string | null>();
  const reader = cacheReader(path, file, { run, read, lastUse });

  return {
    path,
    refusal,
    assertWritable: assertNotRefused,
    quarantined,
    ...reader,
    setting: (name) => (unsaved.has(name) ? (unsaved.get(name) ?? null) : reader.setting(name)),
    sizes() {
      const writesLastUse = lastUse.hasAny() && !isCompacting && refusal === null;
      return (writesLastUse ? write : read)(() => {
        if (writesLastUse) lastUse.write();
        return tables.maintenance.sizes();
      });
    },
    replaceCatalogue: (stations, networks, fetchedAtMs) =>
      write(() => tables.catalogue.replace(stations, networks, fetchedAtMs)),
    openResponse(scope) {
      assertNotRefused();
      return createResponseWriter(scope, (normal, arrivals, judge) => {
        for (const id of scope.stationIds) lastUse.note(id);
        return write(() => writeResponse(tables, normal, arrivals, judge));
      });
    },
    amendCoverage: (parts, amend) => write(() => amendCoverage(tables, parts, amend)),
    removeValues: (series, ranges) => write(() => removeValues(tables, series, ranges)),
    setSetting(name, value) {
      if (refusal !== null) unsaved.set(name, value);
      else write(() => tables.settings.set(name, value));
    },
    exclusively,
    isInPlace: place.isSame,
    forget(stationIds, range, variables = null) {
      assertNotRefused();
      const release = lock.lockExclusively(FORGET);
      try {
        return write(() => {
          let rows = 0;
          for (const step of forgetSteps(tables, { stationIds, range, variables })) rows += step.rows;
          return rows;
        });
      } finally {
        release();
      }
    },
    forgetInSteps: async (forgetting, onProgress, signal) => {
      assertNotRefused();
      return exclusively(FORGET, async () => {
        const total = read(() => countBuckets(tables, forgetting));
        runningForgets++;
        try {
          return await runForgetSteps(() => forgetSteps(tables, forgetting), write, { total, onProgress, signal });
        } finally {
          runningForgets--;
        }
      });
    },
    pin: (stationIds, isPinned) => write(() => tables.maintenance.pin(stationIds, isPinned)),
    check: (pace) => inspect("check", pace),
    async repair(pace) {
      run(assertWritable);
      try {
        return await inspect("repair", pace);
      } finally {
        tables.readCache.clear();
      }
    },
    async compact(pace) {
      assertNotRefused();
      if (runningForgets > 0)
        throw busy(path, "Data of this cache are being deleted. Wait until that is done, or stop it, then compact.");
      const release = lock.lockExclusively("compact the cache");
      try {
        // Refused if the cache is being compacted already.
        write(() => lastUse.write());
      } catch (thrown) {
        release();
        throw thrown;
      }
      isCompacting = true;
      try {
        const work = paceUntil(closing.signal, pace);
        await compactInThread(path, usedBytesOf(db), work).catch((thrown: unknown) => {
          work.signal.throwIfAborted();
          run(() => {
            throw thrown;
          });
        });
      } finally {
        isCompacting = false;
        release();
      }
    },
    async copyTo(target, onProgress) {
      write(() => lastUse.write());
      await exclusively("copy the cache", () => copyExactly(db, target, onProgress));
    },
    close() {
      closing.abort(closed());
      isCompacting = false;
      if (db.open && lastUse.hasAny() && refusal === null) {
        try {
          write(() => lastUse.write());
        } catch {
          // The times of last use are not worth an error.
        }
      }
      try {
        run(() => db.close());
      } finally {
        lock.close();
      }
    },
  };
}

const FORGET = "forget data of the cache";

/** Runs `work` in a transaction and returns its result: one prepared wrapper serves all types of results. */
function resultOf<T>(transaction: (work: () => void) => void, work: () => T): T {
  let result: { readonly value: T } | null = null;
  transaction(() => {
    result = { value: work() };
  });
  return result!.value;
}
