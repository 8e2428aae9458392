import type { CacheFindings } from "#shared/series/damage.ts";
import type { StoreErrorKind } from "../../errors.ts";

/** Work on a whole cache file that takes seconds, for a thread with a connection of its own. */
export interface Order {
  readonly work: "check" | "repair" | "compact";
  readonly path: string;
  /** Its one number is 0, and 1 once the work shall stop. */
  readonly stop: Int32Array<SharedArrayBuffer>;
}

export type Answer =
  /** SQLite is loaded. */
  | { readonly kind: "ready" }
  | { readonly kind: "progress"; readonly share: number }
  | { readonly kind: "done"; readonly findings: CacheFindings | null }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly thrown: Thrown };

/** An error on its way between threads, which takes away its class and its code. */
export interface Thrown {
  readonly message: string;
  /** Of SQLite or the system. */
  readonly code: string | null;
  readonly store: { readonly kind: StoreErrorKind; readonly path: string } | null;
  readonly isDamage: boolean;
}

/** How the work tells how far it is, and learns that it shall stop. */
export interface ThreadPace {
  /** Share, 0 to 1; not less than before. */
  readonly onProgress: (share: number) => void;
  /** Called often. @throws Stopped */
  readonly demandGoOn: () => void;
}

export class Stopped extends Error {
  override readonly name = "Stopped";
}
