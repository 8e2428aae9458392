import type { AppFault } from "../fault.ts";
import { failure, type Result } from "../service/error.ts";
import type { Bridge } from "./contract.ts";
import type { BridgeEvents } from "./events.ts";
import type { CallOptions } from "./method.ts";
import type { ToCore, WindowChannel } from "./transport/protocol.ts";

type Listener = (data: never) => void;
type Answer = Result<unknown, AppFault>;

export interface BridgeClient {
  readonly bridge: Bridge;
  /** Switches to another channel. Pending calls of the previous channel resolve to a fault. */
  attach(channel: WindowChannel): void;
  /** Emits an event to the listeners of this window only. */
  emit<Name extends keyof BridgeEvents>(name: Name, data: BridgeEvents[Name]): void;
}

const GONE = "The application's core stopped. Nothing that had arrived is lost: try again.";

/** Whether a call failed because the core stopped. `coreRestarted` follows, upon which its listeners repeat their requests. */
export function isGone({ kind, message }: AppFault): boolean {
  return kind === "core" && message === GONE;
}

/** Creates the window's side of the bridge. Calls made before a channel is attached are queued. */
export function createBridgeClient(): BridgeClient {
  const listeners = new Map<string, Set<Listener>>();
  const pending = new Map<number, (answer: Answer) => void>();
  /** Calls without a channel yet, by id. */
  const unsent = new Map<number, ToCore>();
  let current: WindowChannel | null = null;
  let lastId = 0;

  function settle(id: number, answer: Answer): void {
    pending.get(id)?.(answer);
    pending.delete(id);
  }

  function emit(name: string, data: unknown): void {
    for (const listener of listeners.get(name) ?? []) callSafely(listener, data);
  }

  function attach(channel: WindowChannel): void {
    abandon("replaced");
    current = channel;
    channel.onMessage((message) => {
      if ("event" in message) emit(message.event.name, message.event.data);
      else settle(message.id, message.answer as Answer);
    });
    channel.onClose((reason) => {
      if (current === channel) abandon(reason);
    });
    for (const message of unsent.values()) channel.send(message);
    unsent.clear();
  }

  function abandon(reason: string): void {
    current?.close();
    current = null;
    for (const id of pending.keys())
      if (!unsent.has(id)) settle(id, failure({ kind: "core", message: GONE, cause: reason }));
  }

  function call(name: string, input: unknown, options: CallOptions = {}): Promise<Answer> {
    const { signal } = options;
    return new Promise((resolve) => {
      const cancelled = failure<AppFault>({ kind: "cancelled", message: "Stopped.", cause: null });
      if (signal?.aborted) return resolve(cancelled);
      const id = ++lastId;
      const stop = (): void => {
        if (!unsent.delete(id)) current?.send({ id, cancel: true });
        settle(id, cancelled);
      };
      pending.set(id, (answer) => {
        signal?.removeEventListener("abort", stop);
        resolve(answer);
      });
      signal?.addEventListener("abort", stop, { once: true });
      const message = { id, call: name, input };
      if (current) current.send(message);
      else unsent.set(id, message);
    });
  }

  const on = (name: string, listener: Listener): (() => void) => {
    const set = listeners.get(name) ?? new Set();
    listeners.set(name, set.add(listener));
    return () => void set.delete(listener);
  };
  // Built from names alone: importing the contract would create all of its schemas at every start of a window.
  const bridge = named((domain) =>
    domain === "on"
      ? on
      : named((method) => (input: unknown, options?: CallOptions) => call(`${domain}.${method}`, input, options)),
  ) as Bridge;
  return { bridge, attach, emit };
}

/** What a listener throws is reported like any other error of the window, and keeps the event from no other listener. */
function callSafely(listener: Listener, data: unknown): void {
  try {
    listener(data as never);
  } catch (fault) {
    queueMicrotask(() => {
      throw fault;
    });
  }
}

/** An object whose properties are created on first access. */
function named(make: (name: string) => unknown): object {
  return new Proxy(Object.create(null) as Record<string, unknown>, {
    // Without `then`, because a promise that resolves to an object with `then` waits for it.
    get: (cache, name) => (typeof name === "symbol" || name === "then" ? undefined : (cache[name] ??= make(name))),
  });
}
