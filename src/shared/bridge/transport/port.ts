import type { Channel } from "./protocol.ts";

/** Listener of a port. Ports of the DOM, Node and Electron all wrap a message in an event. */
type PortListener = (event: { readonly data?: unknown }) => void;

/** The part of a MessagePort that the DOM and `node:worker_threads` have in common. */
interface TargetPort {
  addEventListener(type: "message" | "close" | "messageerror", listener: PortListener): void;
}

/** Electron's `MessagePortMain`. */
interface EmitterPort {
  on(type: "message" | "close", listener: PortListener): unknown;
}

/** A MessagePort of the DOM, of `node:worker_threads` or of Electron. */
export type AnyPort = (TargetPort | EmitterPort) & {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  postMessage(message: unknown): void;
  start(): void;
  close(): void;
};

interface PortOptions {
  /**
   * Transfers the buffers of typed arrays instead of copying them: the sender must not use them afterwards. Not for
   * Electron's `MessagePortMain`, which throws on transfer, and receives a transferred message of a page without content.
   */
  readonly transfer: boolean;
}

/** Creates a channel over one end of a MessageChannel. The first message listener starts the port. */
export function portChannel<Out, In>(port: AnyPort, { transfer }: PortOptions): Channel<Out, In> {
  let closed: ((reason: string) => void) | null = null;
  let reasonOfEnd: string | null = null;

  const end = (reason: string): void => {
    if (reasonOfEnd !== null) return;
    reasonOfEnd = reason;
    closed?.(reason);
  };
  listen(port, "close", () => end("The other side closed the port."));

  return {
    send(message) {
      if (reasonOfEnd !== null) return;
      if (transfer) port.postMessage(message, buffersIn(message));
      else port.postMessage(message);
    },
    onMessage(listener) {
      listen(port, "message", (event) => {
        if (reasonOfEnd === null) listener(event.data as In);
      });
      port.start();
    },
    onClose(listener) {
      closed = listener;
      if (reasonOfEnd !== null) listener(reasonOfEnd);
    },
    close() {
      port.close();
      end("closed");
    },
  };
}

function listen(port: AnyPort, type: "message" | "close", listener: PortListener): void {
  if ("addEventListener" in port) port.addEventListener(type, listener);
  else port.on(type, listener);
}

/** Returns the distinct buffers of all typed arrays in a message. */
function buffersIn(message: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength) found.add(value.buffer);
    } else if (Array.isArray(value)) {
      // Long lists of texts and numbers hold no buffers; the first item shows the type.
      if (typeof value[0] === "object") for (const item of value) visit(item);
    } else if (typeof value === "object" && value !== null) {
      for (const item of Object.values(value)) visit(item);
    }
  };
  visit(message);
  return [...found];
}
