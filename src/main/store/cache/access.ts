import type { CacheDamage } from "#shared/series/cache.ts";
import { busy } from "../errors.ts";
import { placeOf } from "../database/database.ts";
import type { FileLock, FileLockOptions } from "../locks/fileLock.ts";
import { createAutoRepair } from "../maintenance/repair.ts";
import { createLastUse } from "./cacheReader.ts";
import { createGuard, type Guard } from "./checks.ts";
import type { OpenCacheFile } from "./openFile.ts";

/** Callbacks for events of an open cache. */
export interface CacheWatch extends FileLockOptions {
  /** Called once no other process can move or delete the file, before it is opened. May throw to cancel the opening. */
  readonly confirm?: () => void;
  /** Called once, when damage is found. */
  readonly onDamage?: (message: string) => void;
  /** Called after damaged data were removed, so that they are requested again. */
  readonly onRepaired?: (damages: readonly CacheDamage[]) => void;
}

interface TransactionParts {
  readonly run: Guard;
  /** @throws StoreError if nothing can be written now */
  readonly assertFree: () => void;
  readonly place: ReturnType<typeof placeOf>;
  readonly lastUse: ReturnType<typeof createLastUse>;
  readonly onRepaired: (damages: readonly CacheDamage[]) => void;
}

/** Reads and writes in transactions. Damage that is found is repaired, and the work repeated. */
function transactions(
  { db, tables, assertUnchanged }: OpenCacheFile,
  { run, assertFree, place, lastUse, onRepaired }: TransactionParts,
) {
  const transaction = db.transaction((work: () => void) => work());
  const removeDamage = (work: () => void): void => {
    assertFree();
    resultOf(transaction.immediate, work);
  };
  const repairing = createAutoRepair(db, tables, removeDamage, onRepaired);
  /** What a rolled back transaction left in memory is forgotten. */
  const committed = <T>(work: () => T): T => {
    try {
      return resultOf(transaction.immediate, work);
    } catch (thrown) {
      tables.readCache.clear();
      throw thrown;
    }
  };
  return {
    read: <T>(work: () => T): T =>
      run(() => {
        const found = repairing(() => resultOf(transaction.deferred, work));
        assertUnchanged();
        return found;
      }),
    write: <T>(work: () => T): T =>
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
      }),
  };
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
  const run = createGuard(path, onDamage);
  const lastUse = createLastUse((usedAtMs) => tables.maintenance.use(usedAtMs));
  /** @throws StoreError if the file can only be read */
  const assertWritable = (): void => {
    if (refusal !== null) throw refusal;
  };
  const assertFree = (): void => {
    assertWritable();
    if (closedBy !== null) throw busy(path, CLOSED_BY[closedBy]);
    place.assertInPlace();
  };
  const { read, write } = transactions(file, { run, assertFree, place, lastUse, onRepaired });
  const saveLastUse = (): void => {
    if (lastUse.hasAny() && closedBy === null && refusal === null) write(() => lastUse.write());
  };
  return {
    path,
    file,
    lock,
    place,
    run,
    read,
    write,
    lastUse,
    saveLastUse,
    assertWritable,
    assertFree,
    onDamage,
    /** Aborts when the cache is closed. */
    closing: closing.signal,
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

/** Runs `work` in a transaction and returns its result: one prepared wrapper serves all types of results. */
function resultOf<T>(transaction: (work: () => void) => void, work: () => T): T {
  let result: { readonly value: T } | null = null;
  transaction(() => {
    result = { value: work() };
  });
  return result!.value;
}
