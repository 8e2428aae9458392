import type { BridgeClient } from "#shared/bridge/client.ts";
import { pack, unpack } from "#shared/bridge/transport/pack.ts";
import type { ToWindow, WindowChannel } from "#shared/bridge/transport/protocol.ts";
import {
  SECRET_PROTOCOL_START,
  type ShellNews,
  SIGNED_OUT_CODE,
  SOCKET_PROTOCOL,
} from "#shared/bridge/transport/webShell.ts";

/** Whether the window reaches the program behind it. */
export type SocketState =
  | { readonly kind: "open" }
  /** The shell is there, and its core does not answer. */
  | { readonly kind: "silent" }
  /** With the reason in words; it is tried again. */
  | { readonly kind: "lost"; readonly reason: string }
  /** For good. */
  | { readonly kind: "signedOut" };

export interface SocketOptions {
  /** Opens a socket to the shell. */
  readonly open: () => WebSocket;
  /** Whether the shell is there and lets this window in no more, asked where a socket could not be opened. */
  readonly isRefused?: () => Promise<boolean>;
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
  { open, isRefused = () => Promise.resolve(false), onState = () => {} }: SocketOptions,
): () => void {
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
    next.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (typeof data !== "string") return;
      const { core } = JSON.parse(data) as ShellNews;
      onState({ kind: core === "silent" ? "silent" : "open" });
    });
    next.addEventListener("close", ({ reason, code }) => void closed(next, isOpen, reason || LOST, code));
  }

  async function closed(last: WebSocket, wasOpen: boolean, reason: string, code: number): Promise<void> {
    if (socket !== last) return;
    if (wasOpen) lostReason = reason;
    onState({ kind: "lost", reason });
    const isOut = code === SIGNED_OUT_CODE || (!wasOpen && (await isRefused()));
    if (socket !== last) return;
    if (isOut) return onState({ kind: "signedOut" });
    timer = setTimeout(connect, pauseMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
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

/** A socket to the shell that served the page. */
export function openShellSocket(secret: string): WebSocket {
  const address = new URL("/bridge", location.href);
  address.protocol = "ws:";
  // oxlint-disable-next-line no-restricted-globals -- the one way from a page to the shell that served it
  return new WebSocket(address, [SOCKET_PROTOCOL, SECRET_PROTOCOL_START + secret]);
}
