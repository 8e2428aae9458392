import { dirname } from "node:path";
import type { CacheDamage } from "#shared/series/cache.ts";
import type { Coverage } from "#shared/series/rows.ts";
import type { CatalogueStation, Network } from "#shared/service/catalogue.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { RangeSet } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { amendCoverage, writeResponse } from "../response/commit.ts";
import { createResponseWriter } from "../response/writer.ts";
import { cacheReader, createLastUse } from "./cacheReader.ts";
import { removeStaleCopies } from "../maintenance/compact.ts";
import { usedBytesOf, placeOf } from "../database/database.ts";
import { busy, toStoreError } from "../errors.ts";
import { demandFree } from "../database/copy.ts";
import { countBuckets, forgetSteps, removeValues, runForgetSteps } from "./forget.ts";
import { createGuard, inspectFile, paceUntil } from "./checks.ts";
import { createAutoRepair } from "../maintenance/repair.ts";
import { makeFolder } from "#formats/makeFolder.ts";
import { openOrReplace } from "./openFile.ts";
import type { CopyTask } from "../thread/messages.ts";
import { copyInThread } from "../thread/thread.ts";
import type { ForgetSelection, ResponseScope, SeriesPart, WorkPace } from "../types.ts";
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
    makeFolder(dirname(path), 0o700);
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
) {
  const { db, tables, refusal } = file;
  const place = placeOf(path);
  if (refusal === null) removeStaleCopies(path);
  const closing = new AbortController();
  /** What keeps this process from writing. */
  let closedBy: keyof typeof CLOSED_BY | null = null;
  let runningForgets = 0;
  const run = createGuard(path, onDamage);
  const transaction = db.transaction((work: () => void) => work());
  const lastUse = createLastUse((usedAtMs) => tables.maintenance.use(usedAtMs));
  const assertWritable = (): void => {
    if (refusal !== null) throw refusal;
  };
  const assertFree = (): void => {
    assertWritable();
    if (closedBy !== null) throw busy(path, CLOSED_BY[closedBy]);
    place.assertInPlace();
  };
  const repairing = createAutoRepair(
    db,
    tables,
    (work) => {
      assertFree();
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
      assertFree();
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
  /** Compacts or copies the file. No other process has it open, and writes of this one are refused. */
  const withoutWrites = (doing: keyof typeof CLOSED_BY, task: CopyTask, pace: WorkPace) =>
    exclusively(`${doing} the cache`, async () => {
      saveLastUse();
      closedBy = doing;
      try {
        const work = paceUntil(closing.signal, pace);
        await copyInThread(task, usedBytesOf(db), work).catch((thrown: unknown) => {
          work.signal.throwIfAborted();
          run(() => {
            throw thrown;
          });
        });
      } finally {
        closedBy = null;
      }
    });
  const saveLastUse = (): void => write(() => lastUse.write());
  const mayWrite = (): boolean => lastUse.hasAny() && closedBy === null && refusal === null;

  /** Settings of a file that can only be read last until it is closed. */
  const unsaved = new Map<string, string | null>();

  return {
    path,
    /** Why the file can only be read: its disk is full or read-only. Settings then last until it is closed. */
    refusal,
    /** @throws StoreError if the file can only be read */
    assertWritable,
    /** Path to which a damaged file was moved when the cache was opened; null if it was sound. */
    quarantined,
    ...cacheReader(path, file, { run, read, lastUse }),
    /** Returns a small value stored beside the data, for example the learned limits; null if it was never set. */
    setting: (name: string) => (unsaved.has(name) ? (unsaved.get(name) ?? null) : run(() => tables.settings.get(name))),
    setSetting(name: string, value: string | null): void {
      if (refusal !== null) unsaved.set(name, value);
      else write(() => tables.settings.set(name, value));
    },
    /** Returns the storage used by each station. Stations without data are included only if they are pinned. */
    sizes() {
      if (mayWrite()) saveLastUse();
      return read(() => tables.maintenance.sizes());
    },
    replaceCatalogue: (stations: readonly CatalogueStation[], networks: readonly Network[], fetchedAtMs: UtcMs) =>
      write(() => tables.catalogue.replace(stations, networks, fetchedAtMs)),
    openResponse(scope: ResponseScope) {
      assertWritable();
      return createResponseWriter(scope, (normal, arrivals, judge) => {
        for (const id of scope.stationIds) lastUse.note(id);
        return write(() => writeResponse(tables, normal, arrivals, judge));
      });
    },
    /**
     * Replaces the coverage of parts of series, in one transaction.
     *
     * @param amend receives the coverage within and next to the part, and returns what replaces it
     */
    amendCoverage: (parts: readonly SeriesPart[], amend: (before: Coverage, part: SeriesPart) => Coverage) =>
      write(() => amendCoverage(tables, parts, amend)),
    /** Removes the values of a variable in these ranges, whose coverage stays: the service no longer has them. */
    removeValues: (series: Omit<SeriesPart, "range">, ranges: RangeSet) =>
      write(() => removeValues(tables, series, ranges)),
    /**
     * Keeps all other processes out of the file while `work` runs.
     *
     * @param purpose completes the sentence of the error, for example "move the cache"
     * @throws StoreError `busy`, which names the processes that have the file open, before `work` begins
     */
    exclusively,
    /** Returns whether the open file is still the one at its path. If not, all writes throw. */
    isInPlace: place.isSame,
    /**
     * Deletes rows and extents of the stations, the range and the variables (null: all).
     *
     * @returns the number of rows that were deleted or lost a variable
     * @throws StoreError `busy` if another process has the file open: it may be downloading, or exporting from it
     */
    forget(
      stationIds: readonly string[] | null,
      range: TimeRange | null,
      variables: readonly Variable[] | null = null,
    ): number {
      assertWritable();
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
    /**
     * Deletes like `forget`, in small steps, so that other work gets its turn. If it is stopped, or the program ends, the
     * completed steps stay deleted, rows and extents together.
     *
     * @param onProgress receives the completed share of the chunks, 0 to 1
     */
    async forgetInSteps(
      forgetting: ForgetSelection,
      onProgress: (share: number) => void,
      signal: AbortSignal,
    ): Promise<number> {
      assertWritable();
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
    /** Protects stations from automatic deletion, or ends that protection. */
    pin: (stationIds: readonly string[], isPinned: boolean) =>
      write(() => tables.maintenance.pin(stationIds, isPinned)),
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
        tables.readCache.clear();
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
      if (runningForgets > 0)
        throw busy(path, "Data of this cache are being deleted. Wait until that is done, or stop it, then compact.");
      await withoutWrites("compact", { work: "compact", path }, pace);
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
      await withoutWrites("copy", { work: "copy", path, target }, { onProgress, signal: closing.signal });
    },
    close(): void {
      closing.abort(busy(path, "The cache was closed. Try again."));
      closedBy = null;
      try {
        if (db.open && mayWrite()) saveLastUse();
      } catch {
        // The times of last use are not worth an error.
      }
      try {
        run(() => db.close());
      } finally {
        lock.close();
      }
    },
  };
}

/** A cache: one file per connection, replaceable. Single writer. */
export type Cache = ReturnType<typeof createCache>;

/** The part of a cache that changes no data. */
export type CacheReader = ReturnType<typeof cacheReader> & Pick<Cache, "setting" | "sizes">;

const FORGET = "forget data of the cache";
const CLOSED_BY = {
  compact: "The cache is being compacted. Wait for its end, or stop it, then try again.",
  copy: "The cache is being copied to its new place. Wait for its end, then try again.",
};

/** Runs `work` in a transaction and returns its result: one prepared wrapper serves all types of results. */
function resultOf<T>(transaction: (work: () => void) => void, work: () => T): T {
  let result: { readonly value: T } | null = null;
  transaction(() => {
    result = { value: work() };
  });
  return result!.value;
}
