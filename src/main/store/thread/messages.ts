import type { CacheFindings } from "#shared/series/cache.ts";
import type { StoreErrorKind } from "../errors.ts";
import type { ReadSession } from "../sessionFile/form.ts";

/** Work on a whole file that takes seconds, for a thread with its own connection. */
export type ThreadTask =
  | { readonly work: "check" | "repair" | "compact"; readonly path: string }
  /** Creates a cache at `target`, a path of no file, from a shared session; messages contain its `name`. */
  | { readonly work: "session"; readonly path: string; readonly name: string; readonly target: string };

export interface ThreadData {
  readonly task: ThreadTask;
  /** One number: 0, or 1 to stop the work. */
  readonly stop: Int32Array<SharedArrayBuffer>;
}

export type ThreadEnd =
  | { readonly kind: "done"; readonly findings: CacheFindings | null; readonly session: ReadSession | null }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly thrown: ThrownError };

export type ThreadMessage =
  /** SQLite is loaded. */
  { readonly kind: "ready" } | { readonly kind: "progress"; readonly share: number } | ThreadEnd;

/** An error as a message between threads, which would lose its class and code. */
export interface ThrownError {
  readonly message: string;
  /** Code of SQLite or the system. */
  readonly code: string | null;
  readonly store: { readonly kind: StoreErrorKind; readonly path: string } | null;
  readonly isDamage: boolean;
}
