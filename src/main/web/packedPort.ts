import type { MessagePort } from "node:worker_threads";
import { pack, unpack } from "#shared/bridge/transport/pack.ts";
import { portChannel } from "#shared/bridge/transport/port.ts";
import type { Channel } from "#shared/bridge/transport/protocol.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A channel over a port that carries packed messages. The thread with the server passes them on as they are: what packing
 * a large answer costs is paid beside it, and the bytes move without a copy.
 *
 * @param read checks what was unpacked, null for what is no message; the channel is then closed
 */
export function packedPort<Out, In>(port: MessagePort, read: (message: unknown) => In | null): Channel<Out, In> {
  const inner = portChannel<Bytes, Bytes>(port, { transfer: true });
  return {
    send: (message) => inner.send(pack(message)),
    onMessage(listener) {
      inner.onMessage((bytes) => {
        const message = readable(bytes, read);
        if (message === null) inner.close();
        else listener(message);
      });
    },
    onClose: inner.onClose,
    close: inner.close,
  };
}

function readable<In>(bytes: Bytes, read: (message: unknown) => In | null): In | null {
  try {
    return read(unpack(bytes));
  } catch {
    return null;
  }
}
