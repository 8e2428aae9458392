import { pack, unpack } from "#shared/bridge/transport/pack.ts";
import type { Channel } from "#shared/bridge/transport/protocol.ts";

/** The methods of a `ws` socket that a byte channel uses. */
export interface ByteSocket {
  send(bytes: Uint8Array): void;
  on(event: "message", listener: (data: Buffer) => void): unknown;
  on(event: "close", listener: () => void): unknown;
  close(): void;
}

/** A channel of packed messages, which an invalid message closes. */
export function byteChannel<Out, In>(socket: ByteSocket): Channel<Out, In> {
  const early: In[] = [];
  let listener: ((message: In) => void) | null = null;
  let closed: ((reason: string) => void) | null = null;
  let reasonOfEnd: string | null = null;
  const end = (reason: string): void => {
    if (reasonOfEnd !== null) return;
    reasonOfEnd = reason;
    closed?.(reason);
  };
  socket.on("message", (data) => {
    try {
      const message = unpack(new Uint8Array(data)) as In;
      if (listener) listener(message);
      else early.push(message);
    } catch {
      socket.close();
    }
  });
  socket.on("close", () => end("The connection was closed."));
  return {
    send: (message) => {
      if (reasonOfEnd === null) socket.send(pack(message));
    },
    onMessage(next) {
      listener = next;
      for (const message of early.splice(0)) next(message);
    },
    onClose(next) {
      closed = next;
      if (reasonOfEnd !== null) next(reasonOfEnd);
    },
    close() {
      socket.close();
      end("closed");
    },
  };
}
