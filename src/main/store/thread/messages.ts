import type { CacheFindings } from "#shared/series/cache.ts";
import type { StoreErrorKind } from "../errors.ts";
import type { Salvaged } from "../maintenance/salvage.ts";
import type { ReadSession } from "../sessionFile/form.ts";

/** Work on a whole file that takes seconds, for a thread with its own connection. */
export type ThreadTask =
  | { readonly work: "check" | "repair"; readonly path: string }
  | CopyTask
  /** Copies the intact buckets of a damaged cache to another one. */
  | { readonly work: "salvage"; readonly path: string; readonly target: string }
  /** Creates a cache at `target`, a path of no file, from a shared session; messages contain its `name`. */
  | { readonly work: "session"; readonly path: string; readonly name: string; readonly target: string };

/** Work that begins with a dense copy of a cache: in its place, or at `target`, a path of no file. */
export type CopyTask =
  | { readonly work: "compact"; readonly path: string }
  | { readonly work: "copy"; readonly path: string; readonly target: string };

/** What each kind of work returns. */
export interface ThreadResults {
  readonly check: CacheFindings;
  readonly repair: CacheFindings;
  readonly compact: void;
  readonly copy: void;
  readonly salvage: Salvaged;
  readonly session: ReadSession;
}

export interface ThreadData {
  readonly task: ThreadTask;
  /** One number: 0, or 1 to stop the work. */
  readonly stop: Int32Array<SharedArrayBuffer>;
}

export type ThreadEnd =
  | { readonly kind: "done"; readonly result: ThreadResults[keyof ThreadResults] }
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
