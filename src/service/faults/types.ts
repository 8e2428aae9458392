import type { Endpoint } from "../http/route.ts";

/** The faults that can be configured. The first group affects the transport, the second the rows of a time series. */
export type Fault =
  /** Responds with this status, in the error shape of the endpoint, with `retryAfter` unchanged. */
  | { readonly kind: "status"; readonly status: number; readonly message?: string; readonly retryAfter?: string }
  | { readonly kind: "slow"; readonly delayMs: number }
  | { readonly kind: "drip"; readonly pieceBytes: number; readonly delayMs: number }
  | { readonly kind: "resetBefore" }
  | { readonly kind: "resetInside"; readonly afterBytes: number }
  /**
   * The body ends early: `json` within a well-formed response, `gzip` within the compressed stream, `chunked` without the
   * last chunk, `length` short of the Content-Length it announced.
   */
  | { readonly kind: "truncated"; readonly how: "json" | "gzip" | "chunked" | "length"; readonly afterBytes: number }
  /** A captive portal: a web page with status 200. */
  | { readonly kind: "html" }
  /** To the same path of `origin`, or of this service if there is none. */
  | { readonly kind: "redirect"; readonly origin?: string; readonly status?: number }
  | { readonly kind: "wrongCount"; readonly by: number }
  | { readonly kind: "unsorted" }
  | { readonly kind: "duplicated" }
  | { readonly kind: "foreignStation" }
  | { readonly kind: "outOfRange" };

export type FaultKind = Fault["kind"];
export type FaultOf<K extends FaultKind> = Extract<Fault, { readonly kind: K }>;

/** When a fault occurs: always, for the next `next` requests, or by chance. */
export interface FaultRule {
  readonly fault: Fault;
  /** Only for requests to these; for all if absent. */
  readonly endpoints?: readonly Endpoint[];
  readonly next?: number;
  /** 0 to 1. */
  readonly probability?: number;
}

/** The faults of one request. */
export class Faults {
  readonly #struck: readonly Fault[];

  constructor(struck: readonly Fault[]) {
    this.#struck = struck;
  }

  get kinds(): readonly FaultKind[] {
    return this.#struck.map((fault) => fault.kind);
  }

  has(kind: FaultKind): boolean {
    return this.#struck.some((fault) => fault.kind === kind);
  }

  find<K extends FaultKind>(kind: K): FaultOf<K> | undefined {
    return this.#struck.find((fault): fault is FaultOf<K> => fault.kind === kind);
  }
}
