import type { StoreErrorKind } from "../errors.ts";
import type { SessionContents, SessionManifest } from "./form.ts";

/** A shared session, for the thread that creates a cache from it. */
export interface ReadTask {
  readonly path: string;
  /** Name of the file for messages. */
  readonly name: string;
  /** Path of a file that does not exist. */
  readonly target: string;
}

export interface ReadSession {
  readonly manifest: SessionManifest;
  readonly contents: SessionContents;
}

export type ReadMessage =
  /** SQLite is loaded. */
  | { readonly kind: "ready" }
  | { readonly kind: "progress"; readonly share: number }
  | { readonly kind: "done"; readonly session: ReadSession }
  | {
      readonly kind: "failed";
      readonly error: { readonly kind: StoreErrorKind; readonly path: string; readonly message: string };
    };
