import { messageOf } from "#shared/fault.ts";
import type { FileGrant } from "#shared/file/opened.ts";
import type { FilePlace } from "../app/files/grants.ts";
import { onKeyHidden, log } from "../log/index.ts";
import type { Served } from "../served.ts";
import { StoreError, type StoreErrorKind } from "../store/errors.ts";

/** Messages that every shell sends to its core. */
export type ShellToCore =
  /** A ping, answered by the same message. */
  | { readonly kind: "beat" }
  /** Requests grants to open files; answered by `granted`. */
  | { readonly kind: "grant"; readonly id: number; readonly places: readonly FilePlace[] }
  | { readonly kind: "close" };

/** Messages that a core sends to every shell. */
export type CoreToShell =
  | { readonly kind: "ready" }
  | { readonly kind: "beat" }
  /** The core cannot start, and a retry would not help. `store`: the fields of a `StoreError`. */
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly store: { readonly kind: StoreErrorKind; readonly path: string } | null;
    }
  /** A key in use, which must not be written to the log. */
  | { readonly kind: "hide"; readonly key: string }
  | { readonly kind: "granted"; readonly id: number; readonly grants: readonly FileGrant[] };

/** The core's side of its supervision. */
interface ShellLink {
  /** Null until it is open, or if it cannot be opened. */
  readonly served: Served | null;
  /** Opens the core, and reports the result to the shell. */
  open(create: () => Served): void;
  receive(message: ShellToCore): void;
}

/** @param onClosed called when the core is closed, before the process or thread ends */
export function linkToShell(post: (message: CoreToShell) => void, onClosed: () => void = () => {}): ShellLink {
  let served: Served | null = null;
  onKeyHidden((key) => post({ kind: "hide", key }));
  const close = async (): Promise<void> => {
    await served?.close();
    onClosed();
    process.exit(0);
  };
  return {
    get served() {
      return served;
    },
    open(create) {
      try {
        served = create();
        post({ kind: "ready" });
      } catch (thrown) {
        log.error("the core cannot start", thrown);
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
