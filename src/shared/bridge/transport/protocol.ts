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

/** Creates the two ends of a channel in one process. Messages are cloned, as by a port, so that the ends share no state. */
export function channelPair(): { readonly window: WindowChannel; readonly core: CoreChannel } {
  const toWindow = inbox<ToWindow>();
  const toCore = inbox<ToCore>();
  const close = (): void => {
    toWindow.close("closed");
    toCore.close("closed");
  };
  return {
    window: { send: toCore.put, onMessage: toWindow.onMessage, onClose: toWindow.onClose, close },
    core: { send: toWindow.put, onMessage: toCore.onMessage, onClose: toCore.onClose, close },
  };
}

interface Inbox<Message> extends Pick<Channel<never, Message>, "onMessage" | "onClose"> {
  put(message: Message): void;
  close(reason: string): void;
}

function inbox<Message>(): Inbox<Message> {
  const kept: Message[] = [];
  let listener: ((message: Message) => void) | null = null;
  let closed: ((reason: string) => void) | null = null;
  let reasonOfEnd: string | null = null;
  const flush = (): void => {
    if (listener) for (const message of kept.splice(0)) listener(message);
  };
  return {
    put(message) {
      if (reasonOfEnd !== null) return;
      kept.push(structuredClone(message));
      queueMicrotask(flush);
    },
    onMessage(next) {
      listener = next;
      queueMicrotask(flush);
    },
    onClose(next) {
      closed = next;
      if (reasonOfEnd !== null) next(reasonOfEnd);
    },
    close(reason) {
      if (reasonOfEnd !== null) return;
      reasonOfEnd = reason;
      closed?.(reason);
    },
  };
}
