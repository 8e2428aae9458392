import type { MessagePort } from "node:worker_threads";
import { pack, unpack } from "#shared/bridge/transport/pack.ts";
import { portChannel } from "#shared/bridge/transport/port.ts";
import type { Channel } from "#shared/bridge/transport/protocol.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A channel over a port with packed messages. The core's thread packs large answers, and the server's thread forwards the
 * bytes unchanged and without a copy.
 *
 * @param parse validates an unpacked message; null closes the channel
 */
export function packedPort<Out, In>(port: MessagePort, parse: (message: unknown) => In | null): Channel<Out, In> {
  const inner = portChannel<Bytes, Bytes>(port, { transfer: true });
  return {
    send: (message) => inner.send(pack(message)),
    onMessage(listener) {
      inner.onMessage((bytes) => {
        const message = unpackMessage(bytes, parse);
        if (message === null) inner.close();
        else listener(message);
      });
    },
    onClose: inner.onClose,
    close: inner.close,
  };
}

function unpackMessage<In>(bytes: Bytes, parse: (message: unknown) => In | null): In | null {
  try {
    return parse(unpack(bytes));
  } catch {
    return null;
  }
}
