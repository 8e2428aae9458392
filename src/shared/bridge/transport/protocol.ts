import type { BridgeEvent } from "../events.ts";

/** Message from a window. `call` is `domain.method`; an id is used once in the life of a channel. */
export type ToCore =
  | { readonly id: number; readonly call: string; readonly input: unknown }
  /** Cancels a call. */
  | { readonly id: number; readonly cancel: true };

/** Message from the core. */
export type ToWindow = { readonly id: number; readonly answer: unknown } | { readonly event: BridgeEvent };

/**
 * A channel between a window and the core: over a MessagePort, a WebSocket, or within one process in tests. Messages
 * arrive once and in order. Typed arrays arrive as typed arrays.
 */
export interface Channel<Out, In> {
  send(message: Out): void;
  /** Sets the only listener; earlier messages are queued for it. */
  onMessage(listener: (message: In) => void): void;
  /** Sets the only listener, called once when the other side closes, with a sentence as the reason. */
  onClose(listener: (reason: string) => void): void;
  close(): void;
}

export type WindowChannel = Channel<ToCore, ToWindow>;
export type CoreChannel = Channel<ToWindow, ToCore>;
