import type { UtcMs } from "#shared/time/utc.ts";
import { StoreError } from "../store/index.ts";
import type { Clock } from "./clock.ts";

const RETRY_MS = 1_000;

/** A wait for another program that has the cache file locked. Times are of the wall clock. */
export interface CacheLock {
  readonly sinceMs: UtcMs;
  readonly nextTryMs: UtcMs;
  /** A sentence for the user. */
  readonly reason: string;
}

/**
 * Writes to the cache. While another program has the file locked, the write is tried again, as long as a job waits for a
 * service: what has arrived is not given up for the lock of a backup or of a person with a database tool.
 */
export interface CacheWrites {
  /**
   * @param onWait called before each wait
   * @throws StoreError if the write fails for another reason, the file stays locked, or the signal aborts
   */
  run<T>(write: () => T, signal: AbortSignal, onWait?: () => void): Promise<T>;
  /** The wait that is under way, or null. */
  lock(): CacheLock | null;
}

/** @param maxWaitMs how long a lock is waited for */
export function createCacheWrites(clock: Clock, maxWaitMs: number): CacheWrites {
  let lock: CacheLock | null = null;
  return {
    async run(write, signal, onWait = () => {}) {
      const startMs = clock.monotonicMs();
      for (;;) {
        try {
          const result = write();
          lock = null;
          return result;
        } catch (thrown) {
          const isLocked = thrown instanceof StoreError && thrown.kind === "busy";
          if (!isLocked || signal.aborted || clock.monotonicMs() - startMs > maxWaitMs) {
            lock = null;
            throw thrown;
          }
          const nowMs = clock.wallMs();
          lock = { sinceMs: lock?.sinceMs ?? nowMs, nextTryMs: nowMs + RETRY_MS, reason: thrown.message };
        }
        onWait();
        await clock.sleep(RETRY_MS, signal);
      }
    },
    lock: () => lock,
  };
}

/** Writes something that can be learned again: a locked file only delays it to the next change. */
export function writeUnlessLocked(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (thrown) {
    if (thrown instanceof StoreError && thrown.kind === "busy") return false;
    throw thrown;
  }
}
