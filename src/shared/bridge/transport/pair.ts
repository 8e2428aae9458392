import type { Channel, CoreChannel, ToCore, ToWindow, WindowChannel } from "./protocol.ts";

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
