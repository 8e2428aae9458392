import type { BridgeClient } from "#shared/bridge/client.ts";
import { pack, unpack } from "#shared/bridge/transport/pack.ts";
import type { ToWindow, WindowChannel } from "#shared/bridge/transport/protocol.ts";
import {
  SECRET_PROTOCOL_START,
  type ShellNews,
  SIGNED_OUT_CODE,
  SOCKET_PROTOCOL,
} from "#shared/bridge/transport/webShell.ts";

/** State of the connection between the window and the web shell. */
type SocketState =
  | { readonly kind: "open" }
  /** The shell is connected, but its core does not answer. */
  | { readonly kind: "silent" }
  /** With the reason, as a sentence; the window keeps trying to reconnect. */
  | { readonly kind: "lost"; readonly reason: string }
  /** Final: the window does not reconnect. */
  | { readonly kind: "signedOut" };

interface SocketOptions {
  /** Opens a socket to the shell. */
  readonly open: () => WebSocket;
  /** Whether the shell rejects this window; called if a socket could not be opened. */
  readonly isRefused?: () => Promise<boolean>;
  readonly onState?: (state: SocketState) => void;
}

const MIN_RETRY_DELAY_MS = 250;
const MAX_RETRY_DELAY_MS = 5_000;
const LOST = "The connection to Zenith Desk was lost";

/**
 * Keeps a window connected to the web shell by opening a new socket whenever one closes. Calls made in between wait;
 * pending calls fail. After a reconnection, `coreRestarted` is emitted, because what listeners know may be outdated.
 *
 * @returns a function that closes the connection
 */
export function keepSocket(
  attach: BridgeClient["attach"],
  emit: BridgeClient["emit"],
  { open, isRefused = () => Promise.resolve(false), onState = () => {} }: SocketOptions,
): () => void {
  let delayMs = MIN_RETRY_DELAY_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let socket: WebSocket | null = null;
  /** Why the previous connection ended; null for the first connection. */
  let lostReason: string | null = null;

  function connect(): void {
    const next = open();
    socket = next;
    let isOpen = false;
    next.binaryType = "arraybuffer";
    next.addEventListener("open", () => {
      isOpen = true;
      delayMs = MIN_RETRY_DELAY_MS;
      attach(socketChannel(next));
      onState({ kind: "open" });
      if (lostReason !== null) emit("coreRestarted", { reason: lostReason });
    });
    next.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (typeof data !== "string") return;
      const { core } = JSON.parse(data) as ShellNews;
      onState({ kind: core === "silent" ? "silent" : "open" });
    });
    next.addEventListener("close", ({ reason, code }) => void onClosed(next, isOpen, reason || LOST, code));
  }

  async function onClosed(last: WebSocket, wasOpen: boolean, reason: string, code: number): Promise<void> {
    if (socket !== last) return;
    if (wasOpen) lostReason = reason;
    onState({ kind: "lost", reason });
    const isSignedOut = code === SIGNED_OUT_CODE || (!wasOpen && (await isRefused()));
    if (socket !== last) return;
    if (isSignedOut) return onState({ kind: "signedOut" });
    timer = setTimeout(connect, delayMs);
    delayMs = Math.min(delayMs * 2, MAX_RETRY_DELAY_MS);
  }

  connect();
  return () => {
    clearTimeout(timer);
    const last = socket;
    socket = null;
    last?.close();
  };
}

/** Returns a channel over an open socket, with packed messages in binary frames. */
function socketChannel(socket: WebSocket): WindowChannel {
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

/** Opens a socket to the shell that served the page. */
export function openShellSocket(secret: string): WebSocket {
  const address = new URL("/bridge", location.href);
  address.protocol = "ws:";
  // oxlint-disable-next-line no-restricted-globals -- the page's only connection to the shell that served it
  return new WebSocket(address, [SOCKET_PROTOCOL, SECRET_PROTOCOL_START + secret]);
}
