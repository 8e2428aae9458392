import { messageOf } from "#shared/thrown.ts";
import type { FileGrant } from "#shared/file/opened.ts";
import type { FilePlace } from "../app/files/grants.ts";
import { followHidden, log } from "../log/index.ts";
import type { Served } from "../served.ts";
import { StoreError, type StoreErrorKind } from "../store/errors.ts";

/** Messages that every shell sends to its core. */
export type ToEngine =
  /** Whether it still answers; answered by the same. */
  | { readonly kind: "beat" }
  /** For leave to open files; answered by `granted`. */
  | { readonly kind: "grant"; readonly id: number; readonly places: readonly FilePlace[] }
  | { readonly kind: "close" };

/** Messages that a core sends to every shell. */
export type FromEngine =
  | { readonly kind: "ready" }
  | { readonly kind: "beat" }
  /** It cannot start, and trying again at once would not help. `store` is the rest of a `StoreError`. */
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly store: { readonly kind: StoreErrorKind; readonly path: string } | null;
    }
  /** A key that it uses: no line that is written for it may hold it. */
  | { readonly kind: "hide"; readonly key: string }
  | { readonly kind: "granted"; readonly id: number; readonly grants: readonly FileGrant[] };

/** The core's side of its supervision. */
export interface ShellLink {
  /** null until it is open, and where it cannot be. */
  readonly served: Served | null;
  /** Opens the core, and tells the shell how that went. */
  open(make: () => Served): void;
  receive(message: ToEngine): void;
}

/** @param ended called when the core is closed, before the process or thread ends */
export function linkToShell(post: (message: FromEngine) => void, ended: () => void = () => {}): ShellLink {
  let served: Served | null = null;
  followHidden((key) => post({ kind: "hide", key }));
  const close = async (): Promise<void> => {
    await served?.close();
    ended();
    process.exit(0);
  };
  return {
    get served() {
      return served;
    },
    open(make) {
      try {
        served = make();
        post({ kind: "ready" });
      } catch (thrown) {
        log.error("the engine cannot start", thrown);
        const store = thrown instanceof StoreError ? { kind: thrown.kind, path: thrown.path } : null;
        post({ kind: "failed", message: messageOf(thrown), store });
      }
    },
    receive(message) {
      if (message.kind === "beat") return post(message);
      if (message.kind === "close") return void close();
      const { id, places } = message;
      const granting = served?.app?.files.grant(places) ?? Promise.resolve([]);
      void granting.then((grants) => post({ kind: "granted", id, grants }));
    },
  };
}
