import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface SocksProxy {
  /** `socks5://127.0.0.1:PORT`. */
  readonly url: string;
  /** `HOST:PORT` of each requested connection. */
  readonly targets: string[];
  /** What clients sent before their connection was established. */
  readonly handshakes: Buffer[];
  close(): Promise<void>;
}

const NO_PASSWORD = Buffer.from([5, 0]);
const CONNECTED = Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);

/** A SOCKS 5 proxy (RFC 1928) without passwords, which connects all names to this port of this computer. */
export async function socksProxy(port: number): Promise<SocksProxy> {
  const targets: string[] = [];
  const handshakes: Buffer[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket.on("error", () => {}));
    socket.once("data", (greeting: Buffer) => {
      handshakes.push(greeting);
      socket.write(NO_PASSWORD);
      socket.once("data", (request: Buffer) => {
        handshakes.push(request);
        // A name after its length, and the port.
        const length = request[4] ?? 0;
        targets.push(`${request.toString("latin1", 5, 5 + length)}:${request.readUInt16BE(5 + length)}`);
        const target = connect(port, "127.0.0.1", () => {
          socket.write(CONNECTED);
          socket.pipe(target).pipe(socket);
        });
        open.add(target.on("error", () => {}));
      });
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `socks5://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targets,
    handshakes,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
