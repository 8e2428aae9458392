import type { BridgeClient } from "#shared/bridge/client.ts";
import { pack, unpack } from "#shared/bridge/pack.ts";
import type { ToWindow, WindowChannel } from "#shared/bridge/protocol.ts";

/** Whether the window reaches the program behind it; `lost` with the reason in words. */
export type SocketState = { readonly kind: "open" } | { readonly kind: "lost"; readonly reason: string };

export interface SocketOptions {
  /** Opens a socket to the shell; by default, the one that served the page. */
  readonly open?: () => WebSocket;
  readonly onState?: (state: SocketState) => void;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
const LOST = "The connection to Zenith Desk was lost";

/**
 * Keeps a window connected to the web shell: whenever the socket is gone, it opens the next. Calls that are made in
 * between wait; those that were under way are answered with a fault, and the listeners hear `engineRestarted`, because
 * what they know may be of yesterday.
 *
 * @returns ends it
 */
export function keepSocket(
  attach: BridgeClient["attach"],
  tell: BridgeClient["tell"],
  options: SocketOptions = {},
): () => void {
  const { open = openShellSocket, onState = () => {} } = options;
  let pauseMs = FIRST_PAUSE_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let socket: WebSocket | null = null;
  /** Why the connection before this one ended; null at the first. */
  let lostReason: string | null = null;

  function connect(): void {
    const next = open();
    socket = next;
    let isOpen = false;
    next.binaryType = "arraybuffer";
    next.addEventListener("open", () => {
      isOpen = true;
      pauseMs = FIRST_PAUSE_MS;
      attach(socketChannel(next));
      onState({ kind: "open" });
      if (lostReason !== null) tell("engineRestarted", { reason: lostReason });
    });
    next.addEventListener("close", ({ reason }) => {
      if (socket !== next) return;
      if (isOpen) lostReason = reason || LOST;
      onState({ kind: "lost", reason: reason || LOST });
      timer = setTimeout(connect, pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    });
  }

  connect();
  return () => {
    clearTimeout(timer);
    const last = socket;
    socket = null;
    last?.close();
  };
}

/** A channel over an open socket, packed messages in binary frames. */
export function socketChannel(socket: WebSocket): WindowChannel {
  return {
    send(message) {
      if (socket.readyState === socket.OPEN) socket.send(pack(message));
    },
    onMessage(listener) {
      socket.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
        if (data instanceof ArrayBuffer) listener(unpack(new Uint8Array(data)) as ToWindow);
      });
    },
    onClose(listener) {
      socket.addEventListener("close", ({ reason }) => listener(reason || LOST), { once: true });
    },
    close: () => socket.close(),
  };
}

function openShellSocket(): WebSocket {
  const address = new URL("/bridge", location.href);
  address.protocol = "ws:";
  // oxlint-disable-next-line no-restricted-globals -- the one way from a page to the shell that served it
  return new WebSocket(address);
}
