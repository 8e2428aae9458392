import type { CacheFindings } from "#shared/series/cache.ts";
import type { StoreErrorKind } from "../../errors.ts";

/** Work on a whole cache file that takes seconds, for a thread with its own connection. */
export interface ThreadTask {
  readonly work: "check" | "repair" | "compact";
  readonly path: string;
  /** One number: 0, or 1 to stop the work. */
  readonly stop: Int32Array<SharedArrayBuffer>;
}

export type ThreadMessage =
  /** SQLite is loaded. */
  | { readonly kind: "ready" }
  | { readonly kind: "progress"; readonly share: number }
  | { readonly kind: "done"; readonly findings: CacheFindings | null }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly thrown: ThrownError };

/** An error as a message between threads, which would lose its class and code. */
export interface ThrownError {
  readonly message: string;
  /** Code of SQLite or the system. */
  readonly code: string | null;
  readonly store: { readonly kind: StoreErrorKind; readonly path: string } | null;
  readonly isDamage: boolean;
}

/** How the work reports its progress and is stopped. */
export interface ThreadPace {
  /** Receives the completed share, 0 to 1, ascending. */
  readonly onProgress: (share: number) => void;
  /** To be called often. @throws Stopped */
  readonly throwIfStopped: () => void;
}

export class Stopped extends Error {
  override readonly name = "Stopped";
}
