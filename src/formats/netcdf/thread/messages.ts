import type { NetcdfSink } from "../sink.ts";

/** What a writer tells a file under work; `drained` is answered on this side of the thread. */
export type SinkMethod = Exclude<keyof NetcdfSink, "drained">;

/** One call of a sink's method: none gives anything back, so that none has to be waited for. */
export type SinkCall = {
  [M in SinkMethod]: { readonly method: M; readonly args: Parameters<NetcdfSink[M]> };
}[SinkMethod];

/** To the thread. Files are told apart by number; what comes for one is done in order. */
export type Order = { readonly file: number } & (
  | { readonly kind: "open"; readonly path: string }
  | { readonly kind: "call"; readonly call: SinkCall }
  | { readonly kind: "close" }
  | { readonly kind: "abandon" }
);

/** An error without its class: what is needed to tell the user about it. */
export interface Thrown {
  readonly message: string;
  readonly code: string | null;
  /** Where a writer refused the content: a `FormatError`'s kind. */
  readonly kind: string | null;
}

/** The first word of the thread: the library is there. */
export const READY = "ready";

/** From the thread. After `failed` the file is gone, and orders for it are passed over. */
export type Answer = { readonly file: number } & (
  | { readonly kind: "written"; readonly block: ArrayBuffer }
  | { readonly kind: "closed" }
  | { readonly kind: "failed"; readonly thrown: Thrown }
);
