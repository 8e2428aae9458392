import type { CacheDamage } from "#shared/series/cache.ts";
import { busy, StoreError, toStoreError } from "../errors.ts";
import { placeOf } from "../database/place.ts";
import type { FileLock, FileLockOptions } from "../fileLock.ts";
import { createAutoRepair } from "../maintenance/repair.ts";
import type { Tables } from "../tables/index.ts";
import type { WorkPace } from "../types.ts";
import type { OpenCacheFile } from "./openFile.ts";
import { messageOf } from "#shared/fault.ts";
import { markDamaged } from "../maintenance/quarantine.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** Callbacks for events of an open cache. */
export interface CacheWatch extends FileLockOptions {
  /** Called once no other process can move or delete the file, before it is opened. May throw to cancel the opening. */
  readonly confirm?: () => void;
  /** Called once, when damage is found. */
  readonly onDamage?: (message: string) => void;
  /** Called after damaged data were removed, so that they are requested again. */
  readonly onRepaired?: (damages: readonly CacheDamage[]) => void;
}

/** How the open file of a cache is read and written: in transactions, by one process alone, or not at all. */
export function createAccess(
  path: string,
  file: OpenCacheFile,
  lock: FileLock,
  { onDamage = () => {}, onRepaired = () => {} }: CacheWatch,
) {
  const { db, tables, refusal } = file;
  const place = placeOf(path);
  const closing = new AbortController();
  /** What keeps this process from writing. */
  let closedBy: keyof typeof CLOSED_BY | null = null;
  const { run, report } = createGuard(path, onDamage);
  const lastUse = createLastUse(tables.maintenance.use);
  /** @throws StoreError if the file can only be read */
  const assertWritable = (): void => {
    if (refusal !== null) throw refusal;
  };
  /** @throws StoreError if nothing can be written now */
  const assertFree = (): void => {
    assertWritable();
    if (closedBy !== null) throw busy(path, CLOSED_BY[closedBy]);
    place.assertInPlace();
  };
  const transaction = db.transaction((work: () => unknown) => work());
  const removeDamage = (work: () => void): void => {
    assertFree();
    transaction.immediate(work);
  };
  /** Damage that is found is repaired, and the work repeated. */
  const repairing = createAutoRepair(db, tables, removeDamage, onRepaired);
  const read = <T>(work: () => T): T =>
    run(() => {
      const found = repairing(() => transaction.deferred(work) as T);
      file.assertUnchanged();
      return found;
    });
  const write = <T>(work: () => T): T =>
    run(() => {
      assertFree();
      const result = repairing(() => {
        try {
          return transaction.immediate(() => {
            lastUse.writeWhenDue();
            return work();
          }) as T;
        } catch (thrown) {
          // What the transaction left in memory was rolled back in the file.
          tables.readCache.clear();
          throw thrown;
        }
      });
      lastUse.committed();
      // A commit to a file that is no longer at its path must not count as stored.
      place.assertInPlace();
      return result;
    });
  const saveLastUse = (): void => {
    if (lastUse.hasAny() && closedBy === null && refusal === null) write(() => lastUse.write());
  };
  return {
    path,
    file,
    lock,
    place,
    run,
    /** Marks the file as damaged. */
    report,
    /** Reads a snapshot. */
    read,
    /** Returns a function of the cache that runs a function of its tables on a snapshot. */
    reading:
      <A extends unknown[], R>(work: (tables: Tables, ...args: A) => R) =>
      (...args: A): R =>
        read(() => work(tables, ...args)),
    /** Writes in one transaction. */
    write,
    lastUse,
    saveLastUse,
    assertWritable,
    assertFree,
    /** Aborts when the cache is closed. */
    closing: closing.signal,
    /** Does work of a thread, which ends when the cache is closed. @throws StoreError, and the reason of the signal when it aborts */
    async inThread<T>({ onProgress, signal }: WorkPace, work: (pace: WorkPace) => Promise<T>): Promise<T> {
      const end = AbortSignal.any([signal, closing.signal]);
      try {
        return await work({ onProgress, signal: end });
      } catch (thrown) {
        end.throwIfAborted();
        return run(() => {
          throw thrown;
        });
      }
    },
    /** Does work on the file while no other process has it open, and writes of this one are refused. */
    withoutWrites: (doing: keyof typeof CLOSED_BY, work: () => Promise<void>) =>
      lock.exclusively(`${doing} the cache`, async () => {
        run(assertFree);
        saveLastUse();
        closedBy = doing;
        try {
          await work();
        } finally {
          closedBy = null;
        }
      }),
    close(): void {
      closing.abort(busy(path, "The cache was closed. Try again."));
      closedBy = null;
      try {
        if (db.open) saveLastUse();
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

export type CacheAccess = ReturnType<typeof createAccess>;

const CLOSED_BY = {
  compact: "The cache is being compacted. Wait for its end, or stop it, then try again.",
  copy: "The cache is being copied to its new place. Wait for its end, then try again.",
};

/** Converts errors of a cache file. @param onDamage called once, with a sentence */
function createGuard(path: string, onDamage: (message: string) => void) {
  let isReported = false;
  /** Marks a file that is damaged for quarantine at its next opening. @param damage its message is shown */
  const report = (damage: unknown): StoreError => {
    markDamaged(path, String(damage));
    const sentence =
      `${path}: The cache is damaged (${messageOf(damage)}). Rebuild it under Storage, or with “zenith cache repair”. ` +
      "Intact data are kept; lost data can be downloaded again.";
    if (!isReported) onDamage(sentence);
    isReported = true;
    return new StoreError("corrupt", path, sentence, damage);
  };
  return {
    report,
    /** Runs work on the file. @throws StoreError for whatever it throws; damage is reported */
    run<T>(work: () => T): T {
      try {
        return work();
      } catch (thrown) {
        const error = toStoreError(path, thrown);
        throw error.kind === "corrupt" ? report(thrown) : error;
      }
    },
  };
}

/** Minimum time between two writes of last uses along with other data. */
const WRITE_AFTER_MS = 60_000;

/**
 * Times at which stations were last read. They are kept in memory and written along with other data, so that reading
 * does not write.
 */
function createLastUse(save: (usedAtMs: ReadonlyMap<string, UtcMs>) => void) {
  const noted = new Map<string, UtcMs>();
  let written: ReadonlyMap<string, UtcMs> = new Map();
  let writtenMs = -Infinity;
  const write = (): void => {
    save(noted);
    written = new Map(noted);
  };
  return {
    note: (stationId: string) => void noted.set(stationId, Date.now()),
    /** Writes the noted times if that is due. Must run in a write transaction. */
    writeWhenDue(): void {
      if (noted.size > 0 && Date.now() - writtenMs > WRITE_AFTER_MS) write();
    },
    /** Writes the noted times. */
    write,
    /** Forgets the written times; after a transaction that failed, they are written again. */
    committed(): void {
      if (written.size > 0) writtenMs = Date.now();
      for (const [stationId, usedAtMs] of written) if (noted.get(stationId) === usedAtMs) noted.delete(stationId);
      written = new Map();
    },
    hasAny: (): boolean => noted.size > 0,
  };
}
