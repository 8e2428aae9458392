import type { BridgeEvent } from "../events.ts";

/** What a window sends. `call` is `domain.method`; an id is used once in the life of a channel. */
export type ToCore =
  | { readonly id: number; readonly call: string; readonly input: unknown }
  /** The answer of a call is no longer wanted. */
  | { readonly id: number; readonly cancel: true };

/** What the core sends. */
export type ToWindow = { readonly id: number; readonly answer: unknown } | { readonly event: BridgeEvent };

/**
 * A way for messages between a window and the core, whatever it is made of: a MessagePort, a WebSocket, or nothing at
 * all in tests. Messages keep their order and arrive once. Typed arrays arrive as typed arrays.
 */
export interface Channel<Out, In> {
  send(message: Out): void;
  /** One listener each; messages that came before are not lost. */
  onMessage(listener: (message: In) => void): void;
  /** Called once when the other side is gone, with a reason in words. */
  onClose(listener: (reason: string) => void): void;
  close(): void;
}

export type WindowChannel = Channel<ToCore, ToWindow>;
export type CoreChannel = Channel<ToWindow, ToCore>;
