import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { MessagePort } from "node:worker_threads";
import { WebSocketServer } from "ws";
import { admitsSocket } from "./gate.ts";
import type { Pass } from "./pass.ts";
import { relay } from "./relay.ts";

/** What a window sends is small: a list of stations, the state of its panes. */
const LARGEST_MESSAGE_BYTES = 4 << 20;
/** Many windows are a mistake, or a page that opens a socket again and again. */
const MOST_SOCKETS = 64;
const GOING_AWAY = 1001;
const ENGINE_STOPPED = 1012;
/** A closing frame has room for 123 bytes of words. */
const REASON_BYTES = 123;

export interface Sockets {
  /** Tells all windows that the core died: they come again, and find the new one. */
  engineStopped(reason: string): void;
  close(): void;
  /** Ends what has not answered the farewell. */
  end(): void;
}

export interface SocketOptions {
  readonly pass: Pass;
  readonly connect: () => Promise<MessagePort>;
  readonly beatMs: number;
}

/** Serves windows on a server's upgrade requests. */
export function serveSockets(server: Server, { pass, connect, beatMs }: SocketOptions): Sockets {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_MESSAGE_BYTES,
    perMessageDeflate: false,
  });

  server.on("upgrade", (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    // Before it belongs to a WebSocket, a stream that breaks would end the program.
    stream.on("error", () => stream.destroy());
    if (!admitsSocket(request, pass)) return refuse(stream, "403 Forbidden");
    if (sockets.clients.size >= MOST_SOCKETS) return refuse(stream, "503 Service Unavailable");
    void connected(request, stream, head);
  });

  async function connected(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const port = await connect().catch(() => null);
    if (!port) return refuse(stream, "503 Service Unavailable");
    if (stream.destroyed) return port.close();
    stream.once("close", () => port.close());
    sockets.handleUpgrade(request, stream, head, (socket) => relay(socket, port, beatMs));
  }

  const closeAll = (code: number, reason: string): void => {
    for (const socket of sockets.clients) socket.close(code, reason);
  };
  return {
    engineStopped: (reason) => closeAll(ENGINE_STOPPED, shortened(reason)),
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
  // A character that was cut in two is left out.
  return bytes.toString("utf8").replaceAll("\uFFFD", "");
}
