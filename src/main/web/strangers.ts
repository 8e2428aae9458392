import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Connections on which nobody has shown a secret yet. */
export interface Strangers {
  /** The connection belongs to somebody who is signed in: it has a place of its own, which its user answers for. */
  admit(connection: Duplex): void;
}

/**
 * Bounds the connections of strangers. A further one takes the place of the oldest: whoever opens hundreds ends their own,
 * and a browser that comes meanwhile is let in and served.
 */
export function boundStrangers(server: Server, most: number): Strangers {
  const waiting = new Set<Duplex>();
  server.on("connection", (socket: Socket) => {
    waiting.add(socket);
    socket.once("close", () => waiting.delete(socket));
    if (waiting.size <= most) return;
    const [oldest] = waiting;
    oldest?.destroy();
  });
  return { admit: (connection) => void waiting.delete(connection) };
}
