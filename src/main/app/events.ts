import type { BridgeEvent, BridgeEvents } from "#shared/bridge/events.ts";

/** Events of the core for all listeners. */
export interface Events {
  emit<Name extends keyof BridgeEvents>(name: Name, data: BridgeEvents[Name]): void;
  /** Returns a function that unsubscribes. */
  subscribe(listener: (event: BridgeEvent) => void): () => void;
}

export function createEvents(): Events {
  const listeners = new Set<(event: BridgeEvent) => void>();
  return {
    emit(name, data) {
      for (const listener of listeners) listener({ name, data } as BridgeEvent);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
