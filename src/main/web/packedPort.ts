import type { MessagePort } from "node:worker_threads";
import { pack, unpack } from "#shared/bridge/transport/pack.ts";
import { attempt } from "#shared/fault.ts";
import { portChannel } from "#shared/bridge/transport/port.ts";
import type { Channel } from "#shared/bridge/transport/protocol.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A channel over a port with packed messages, which bytes that cannot be unpacked close. The core's thread packs large
 * answers, and the server's thread forwards the bytes unchanged and without a copy.
 */
export function packedPort<Out, In>(port: MessagePort): Channel<Out, In> {
  const inner = portChannel<Bytes, Bytes>(port, { transfer: true });
  return {
    send: (message) => inner.send(pack(message)),
    onMessage(listener) {
      inner.onMessage((bytes) => {
        const message = attempt(() => ({ content: unpack(bytes) as In }));
        if (message === null) inner.close();
        else listener(message.content);
      });
    },
    onClose: inner.onClose,
    close: inner.close,
  };
}
