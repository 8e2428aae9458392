type Described =
  | { readonly k: "value"; readonly v: unknown }
  | { readonly k: "function" | "promise"; readonly id: number }
  | { readonly k: "list"; readonly v: Described[] }
  | { readonly k: "object"; readonly v: Record<string, Described> };

type Said =
  | { readonly kind: "expose"; readonly key: string; readonly value: Described }
  | { readonly kind: "call"; readonly fn: number; readonly call: number; readonly args: Described[] }
  | { readonly kind: "answer"; readonly call: number; readonly ok: boolean; readonly value: Described }
  | { readonly kind: "settled"; readonly call: number; readonly ok: boolean; readonly value: Described };

interface Page {
  addEventListener(name: string, listener: (event: { readonly detail: Said }) => void): void;
  dispatchEvent(event: unknown): boolean;
  readonly CustomEvent: new (name: string, options: { detail: Said }) => unknown;
}

/**
 * A message with which a page transfers buffers arrives without its content where the other end is in a process of
 * Electron's. All ports of a page are taken for such: it has no others. Stands on its own.
 */
export function dropTransferred(): void {
  const { prototype } = globalThis.MessagePort;
  const original = prototype.postMessage;
  prototype.postMessage = function postMessage(message: unknown, transfer?: unknown) {
    const list = (Array.isArray(transfer) ? transfer : []) as Parameters<typeof original>[1] & unknown[];
    if (!list.some((item) => item instanceof ArrayBuffer)) return original.call(this, message, list);
    // Electron says nothing. Tests watch the console of every page.
    console.error("A message was lost: buffers were transferred with it.");
    return original.call(this, null);
  };
}

/**
 * One side of the bridge between the two worlds of a page: they share the DOM and nothing else, so that what is said goes
 * by events, whose details are cloned. Functions stay where they are and are called from the other side, at once; promises
 * settle later. Both worlds run this function: it stands on its own.
 *
 * @param hear name of the events this side hears
 * @param say name of the events the other side hears
 */
export function createWorldBridge(hear: string, say: string): { expose(key: string, api: unknown): void } {
  const page = globalThis as unknown as Page;
  const { CustomEvent } = page;
  const dispatch = page.dispatchEvent.bind(page);
  const functions = new Map<number, (...args: unknown[]) => unknown>();
  const answers = new Map<number, { ok: boolean; value: Described }>();
  const promised = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  let lastId = 0;

  const tell = (detail: Said): void => void dispatch(new CustomEvent(say, { detail }));
  const messageOf = (error: unknown): Described => describe(error instanceof Error ? error.message : String(error));

  function settleLater(promise: Promise<unknown>): number {
    const call = ++lastId;
    promise.then(
      (value) => tell({ kind: "settled", call, ok: true, value: describe(value) }),
      (error: unknown) => tell({ kind: "settled", call, ok: false, value: messageOf(error) }),
    );
    return call;
  }

  function describe(value: unknown): Described {
    if (typeof value === "function") {
      functions.set(++lastId, value as (...args: unknown[]) => unknown);
      return { k: "function", id: lastId };
    }
    if (value instanceof Promise) return { k: "promise", id: settleLater(value) };
    if (Array.isArray(value)) return { k: "list", v: value.map(describe) };
    if (value === null || typeof value !== "object" || Object.prototype.toString.call(value) !== "[object Object]")
      return { k: "value", v: value };
    return {
      k: "object",
      v: Object.fromEntries(Object.entries(value).map(([key, item]) => [key, describe(item)])),
    };
  }

  function revive(described: Described): unknown {
    if (described.k === "value") return described.v;
    if (described.k === "list") return described.v.map(revive);
    if (described.k === "function") return (...args: unknown[]) => call(described.id, args);
    if (described.k === "object")
      return Object.freeze(Object.fromEntries(Object.entries(described.v).map(([key, item]) => [key, revive(item)])));
    return new Promise((resolve, reject) => void promised.set(described.id, { resolve, reject }));
  }

  function call(fn: number, args: unknown[]): unknown {
    const id = ++lastId;
    tell({ kind: "call", fn, call: id, args: args.map(describe) });
    const answer = answers.get(id);
    answers.delete(id);
    if (!answer) throw new Error("The other world did not answer.");
    if (!answer.ok) throw new Error(String(revive(answer.value)));
    return revive(answer.value);
  }

  function run(fn: number, args: Described[]): { ok: boolean; value: Described } {
    try {
      return { ok: true, value: describe(functions.get(fn)?.(...args.map(revive))) };
    } catch (error) {
      return { ok: false, value: messageOf(error) };
    }
  }

  page.addEventListener(hear, ({ detail }) => {
    if (detail.kind === "call") tell({ kind: "answer", call: detail.call, ...run(detail.fn, detail.args) });
    else if (detail.kind === "answer") answers.set(detail.call, detail);
    else if (detail.kind === "settled") {
      const waiting = promised.get(detail.call);
      promised.delete(detail.call);
      if (detail.ok) waiting?.resolve(revive(detail.value));
      else waiting?.reject(new Error(String(revive(detail.value))));
    } else Object.defineProperty(globalThis, detail.key, { value: revive(detail.value), enumerable: true });
  });

  return { expose: (key, api) => tell({ kind: "expose", key, value: describe(api) }) };
}
