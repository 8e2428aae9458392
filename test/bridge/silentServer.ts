import { createServer, type Socket } from "node:net";
import { once } from "node:events";

/** A server that accepts connections and never responds, so that requests stay under way until they are aborted. */
export interface SilentServer {
  readonly url: string;
  /** The next connection; `gone` waits for its end. */
  nextConnection(): Promise<{ gone(): Promise<void> }>;
  close(): Promise<void>;
}

export async function openSilentServer(): Promise<SilentServer> {
  const sockets = new Set<Socket>();
  const waiting: ((socket: Socket) => void)[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
    socket.resume();
    waiting.shift()?.(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : null;
  return {
    url: `http://127.0.0.1:${port}`,
    async nextConnection() {
      const socket = await new Promise<Socket>((resolve) => waiting.push(resolve));
      const closed = once(socket, "close");
      return { gone: async () => void (await closed) };
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
