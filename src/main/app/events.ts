import type { BridgeEvent, BridgeEvents } from "#shared/bridge/events.ts";

/** Events of the core for all listeners. */
export class Events {
  readonly #listeners = new Set<(event: BridgeEvent) => void>();

  emit<Name extends keyof BridgeEvents>(name: Name, data: BridgeEvents[Name]): void {
    for (const listener of this.#listeners) listener({ name, data } as BridgeEvent);
  }

  /** Returns a function that unsubscribes. */
  subscribe(listener: (event: BridgeEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
