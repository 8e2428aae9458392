type Described =
  | { readonly k: "value"; readonly v: unknown }
  | { readonly k: "function" | "promise"; readonly id: number }
  | { readonly k: "list"; readonly v: Described[] }
  | { readonly k: "object"; readonly v: Record<string, Described> };

type BridgeMessage =
  | { readonly kind: "expose"; readonly key: string; readonly value: Described }
  | { readonly kind: "call"; readonly fn: number; readonly call: number; readonly args: Described[] }
  | { readonly kind: "result"; readonly call: number; readonly ok: boolean; readonly value: Described }
  | { readonly kind: "settled"; readonly call: number; readonly ok: boolean; readonly value: Described };

interface Page {
  addEventListener(name: string, listener: (event: { readonly detail: BridgeMessage }) => void): void;
  dispatchEvent(event: unknown): boolean;
  readonly CustomEvent: new (name: string, options: { detail: BridgeMessage }) => unknown;
}

/**
 * Drops the content of messages with transferred buffers, like Electron if the other end of a port is in another
 * process, which applies to all ports of a page. Refers to nothing outside.
 */
export function dropTransferred(): void {
  const { prototype } = globalThis.MessagePort;
  const original = prototype.postMessage;
  prototype.postMessage = function postMessage(message: unknown, transfer?: unknown) {
    const list = (Array.isArray(transfer) ? transfer : []) as Parameters<typeof original>[1] & unknown[];
    if (!list.some((item) => item instanceof ArrayBuffer)) return original.call(this, message, list);
    // Electron reports nothing; tests watch the console of every page.
    console.error("A message was lost: buffers were transferred with it.");
    return original.call(this, null);
  };
}

/**
 * One side of the bridge between the two worlds of a page. They share only the DOM, so that messages are events with
 * cloned details. Functions are called synchronously from the other side; promises settle later. Both worlds run this
 * function, which refers to nothing outside.
 *
 * @param receiveEvent name of the events that this side receives
 * @param sendEvent name of the events that the other side receives
 */
export function createWorldBridge(
  receiveEvent: string,
  sendEvent: string,
): { expose(key: string, api: unknown): void } {
  const page = globalThis as unknown as Page;
  const { CustomEvent } = page;
  const dispatch = page.dispatchEvent.bind(page);
  const functions = new Map<number, (...args: unknown[]) => unknown>();
  const results = new Map<number, { ok: boolean; value: Described }>();
  const promised = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  let lastId = 0;

  const send = (detail: BridgeMessage): void => void dispatch(new CustomEvent(sendEvent, { detail }));
  const messageOf = (error: unknown): Described => describe(error instanceof Error ? error.message : String(error));

  function settleLater(promise: Promise<unknown>): number {
    const call = ++lastId;
    promise.then(
      (value) => send({ kind: "settled", call, ok: true, value: describe(value) }),
      (error: unknown) => send({ kind: "settled", call, ok: false, value: messageOf(error) }),
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
    send({ kind: "call", fn, call: id, args: args.map(describe) });
    const result = results.get(id);
    results.delete(id);
    if (!result) throw new Error("The other world did not respond.");
    if (!result.ok) throw new Error(String(revive(result.value)));
    return revive(result.value);
  }

  function run(fn: number, args: Described[]): { ok: boolean; value: Described } {
    try {
      return { ok: true, value: describe(functions.get(fn)?.(...args.map(revive))) };
    } catch (error) {
      return { ok: false, value: messageOf(error) };
    }
  }

  page.addEventListener(receiveEvent, ({ detail }) => {
    if (detail.kind === "call") send({ kind: "result", call: detail.call, ...run(detail.fn, detail.args) });
    else if (detail.kind === "result") results.set(detail.call, detail);
    else if (detail.kind === "settled") {
      const waiting = promised.get(detail.call);
      promised.delete(detail.call);
      if (detail.ok) waiting?.resolve(revive(detail.value));
      else waiting?.reject(new Error(String(revive(detail.value))));
    } else Object.defineProperty(globalThis, detail.key, { value: revive(detail.value), enumerable: true });
  });

  return { expose: (key, api) => send({ kind: "expose", key, value: describe(api) }) };
}
