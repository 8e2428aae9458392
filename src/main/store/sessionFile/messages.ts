import type { StoreErrorKind } from "../errors.ts";
import type { SessionContents, SessionManifest } from "./form.ts";

/** A file that somebody shared, for a thread that makes a cache of it. */
export interface ReadOrder {
  readonly path: string;
  /** As the user knows the file. */
  readonly name: string;
  /** A path where nothing is yet. */
  readonly target: string;
}

export interface ReadSession {
  readonly manifest: SessionManifest;
  readonly contents: SessionContents;
}

export type ReadAnswer =
  /** SQLite is loaded. */
  | { readonly kind: "ready" }
  | { readonly kind: "progress"; readonly share: number }
  | { readonly kind: "done"; readonly session: ReadSession }
  | {
      readonly kind: "failed";
      readonly error: { readonly kind: StoreErrorKind; readonly path: string; readonly message: string };
    };
