import type { UtcMs } from "#shared/time/utc.ts";
import { StoreError } from "../store/index.ts";
import type { Clock } from "./clock.ts";

const RETRY_MS = 1_000;

/** A wait for another program that has the cache file locked. Times are of the wall clock. */
interface CacheLock {
  readonly sinceMs: UtcMs;
  readonly nextTryMs: UtcMs;
  /** A sentence for the user. */
  readonly reason: string;
}

/**
 * Writes to the cache. While another program has the file locked, the write is tried again, as long as a job waits for a
 * service: what has arrived is not given up for the lock of a backup or of a person with a database tool.
 */
export class CacheWrites {
  readonly #clock: Clock;
  readonly #maxWaitMs: number;
  #lock: CacheLock | null = null;

  /** @param maxWaitMs how long a lock is waited for */
  constructor(clock: Clock, maxWaitMs: number) {
    this.#clock = clock;
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * @param onWait called before each wait
   * @throws StoreError if the write fails for another reason, the file stays locked, or the signal aborts
   */
  async run<T>(write: () => T, signal: AbortSignal, onWait: () => void = () => {}): Promise<T> {
    const startMs = this.#clock.monotonicMs();
    for (;;) {
      try {
        const result = write();
        this.#lock = null;
        return result;
      } catch (thrown) {
        const isLocked = thrown instanceof StoreError && thrown.kind === "busy";
        if (!isLocked || signal.aborted || this.#clock.monotonicMs() - startMs > this.#maxWaitMs) {
          this.#lock = null;
          throw thrown;
        }
        const nowMs = this.#clock.wallMs();
        this.#lock = { sinceMs: this.#lock?.sinceMs ?? nowMs, nextTryMs: nowMs + RETRY_MS, reason: thrown.message };
      }
      onWait();
      await this.#clock.sleep(RETRY_MS, signal);
    }
  }

  /** The wait that is under way, or null. */
  lock(): CacheLock | null {
    return this.#lock;
  }
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
