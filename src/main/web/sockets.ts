import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { MessagePort } from "node:worker_threads";
import { WebSocket, WebSocketServer } from "ws";
import { type ShellNews, SIGNED_OUT_CODE, SOCKET_PROTOCOL } from "#shared/bridge/transport/webShell.ts";
import type { Bounds } from "./bounds.ts";
import { admitsSocket, type SignIns, type UnauthenticatedConnections } from "./gate.ts";
import { relay } from "./relay.ts";

/** The largest message of a window is a figure with the picture of a map. */
const MAX_MESSAGE_BYTES = 64 << 20;
const GOING_AWAY = 1001;
const CORE_STOPPED = 1012;
/** Limit of the reason in a close frame. */
const REASON_BYTES = 123;

interface Sockets {
  /** Closes all windows' sockets because the core stopped; they reconnect to the new one. */
  coreStopped(reason: string): void;
  /** Tells all windows whether the core answers. */
  setCoreState(core: ShellNews["core"]): void;
  /** Closes the sockets of all windows, including connecting ones. */
  signOut(): void;
  close(): void;
  /** Terminates sockets that did not complete the close. */
  end(): void;
}

interface SocketOptions {
  readonly signIns: SignIns;
  readonly unauthenticated: UnauthenticatedConnections;
  readonly connect: () => Promise<MessagePort>;
  readonly bounds: Bounds;
}

/** Accepts windows as WebSockets on a server. */
export function serveSockets(server: Server, { signIns, unauthenticated, connect, bounds }: SocketOptions): Sockets {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    // Never the secret, which is the other offered protocol.
    handleProtocols: () => SOCKET_PROTOCOL,
  });
  /** Streams that wait for a connection to the core. */
  const waiting = new Set<Duplex>();
  let core: ShellNews["core"] = "answers";

  server.on("upgrade", (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    // Without a listener, a stream error before the upgrade would end the program.
    stream.on("error", () => stream.destroy());
    if (!admitsSocket(request, signIns)) return refuse(stream, "403 Forbidden");
    // More windows indicate a page that opens sockets in a loop.
    if (sockets.clients.size + waiting.size >= bounds.windows) return refuse(stream, "503 Service Unavailable");
    unauthenticated.admit(stream);
    void connected(request, stream, head);
  });

  async function connected(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    waiting.add(stream);
    const port = await connect().catch(() => null);
    waiting.delete(stream);
    if (!port) return refuse(stream, "503 Service Unavailable");
    if (stream.destroyed) return port.close();
    stream.once("close", () => port.close());
    sockets.handleUpgrade(request, stream, head, (socket) => {
      relay(socket, port, bounds.beatMs);
      if (core === "silent") tell(socket);
    });
  }

  const tell = (socket: WebSocket): void => socket.send(JSON.stringify({ core } satisfies ShellNews));
  const closeAll = (code: number, reason: string): void => {
    for (const socket of sockets.clients) socket.close(code, reason);
  };
  return {
    coreStopped: (reason) => closeAll(CORE_STOPPED, shortened(reason)),
    setCoreState(news) {
      core = news;
      for (const socket of sockets.clients) if (socket.readyState === WebSocket.OPEN) tell(socket);
    },
    signOut() {
      for (const stream of waiting) stream.destroy();
      closeAll(SIGNED_OUT_CODE, "This browser was signed out");
    },
    close() {
      closeAll(GOING_AWAY, "Zenith Desk was closed");
      sockets.close();
    },
    end() {
      for (const socket of sockets.clients) socket.terminate();
    },
  };
}

function refuse(stream: Duplex, status: string): void {
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function shortened(reason: string): string {
  const bytes = Buffer.from(reason).subarray(0, REASON_BYTES);
  // Removes a truncated character.
  return bytes.toString("utf8").replaceAll("\uFFFD", "");
}
