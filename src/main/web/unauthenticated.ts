import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Connections that are not authenticated yet. */
export interface UnauthenticatedConnections {
  /** Marks a connection as authenticated, so that it no longer counts. */
  admit(connection: Duplex): void;
}

/**
 * Limits the number of unauthenticated connections. A new one replaces the oldest, so that a flood of connections ends
 * itself, and a browser can still connect.
 */
export function limitUnauthenticated(server: Server, max: number): UnauthenticatedConnections {
  const waiting = new Set<Duplex>();
  server.on("connection", (socket: Socket) => {
    waiting.add(socket);
    socket.once("close", () => waiting.delete(socket));
    if (waiting.size <= max) return;
    const [oldest] = waiting;
    oldest?.destroy();
  });
  return { admit: (connection) => void waiting.delete(connection) };
}
