import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createBridgeClient } from "#shared/bridge/client.ts";
import type { ToCore, ToWindow } from "#shared/bridge/protocol.ts";
import { lockFolder } from "../store/index.ts";
import { downloadOf } from "./downloads.ts";
import { type Engine, startEngine } from "./engine.ts";
import { packedPort } from "./packedPort.ts";
import { createPass } from "./pass.ts";
import { createPageServer } from "./server.ts";
import { createUploads } from "./uploads.ts";
import { serveSockets } from "./sockets.ts";

export interface WebShellOptions {
  readonly dataFolder: string;
  /** Folder of the built page. */
  readonly pageFolder: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** An address of the loopback, see `listenAddress`. */
  readonly address?: string;
  readonly beatMs?: number;
}

export interface WebShell {
  /** `http://127.0.0.1:PORT`, without the token. */
  readonly origin: string;
  /** The address to open, with the token: for the terminal of who started it, and for no log. */
  readonly link: string;
  /** Ends the core as a fault of its own would. For tests. */
  killCore(): Promise<void>;
  close(): Promise<void>;
}

const BEAT_MS = 20_000;

/**
 * Serves the window to a browser on this computer, or at the other end of an SSH tunnel.
 *
 * @throws StoreError where the data folder is in use or cannot be used; what `listen` throws where the port is taken
 */
export async function startWebShell(options: WebShellOptions): Promise<WebShell> {
  const { dataFolder, pageFolder, port, address = "127.0.0.1", beatMs = BEAT_MS } = options;
  const lock = lockFolder(dataFolder);
  let engine: Engine | null = null;
  try {
    const pass = createPass(dataFolder);
    // The shell itself asks the core as a window does: for the files of its exports.
    const own = createBridgeClient();
    const attachOwn = async (from: Engine): Promise<void> =>
      own.attach(packedPort<ToCore, ToWindow>(await from.connect(), (message) => message as ToWindow));
    const uploads = createUploads({
      dataFolder,
      grant: async (place) => (await engine?.grant([place]))?.[0] ?? null,
    });
    const server = createPageServer({ pass, pageFolder, downloadOf: (path) => downloadOf(path, own), uploads });
    const running = await startEngine({
      dataFolder,
      onDeath(reason) {
        uploads.clear();
        sockets.engineStopped(reason);
        attachOwn(running).catch(() => {});
      },
    });
    engine = running;
    const sockets = serveSockets(server, { pass, connect: running.connect, beatMs });
    await attachOwn(running);
    server.listen(port, address);
    await once(server, "listening");
    const { port: actual } = server.address() as AddressInfo;
    const origin = `http://${address.includes(":") ? `[${address}]` : address}:${actual}`;
    return {
      origin,
      link: `${origin}/?token=${pass.token}`,
      killCore: running.kill,
      async close() {
        const closed = once(server, "close");
        server.close();
        sockets.close();
        await running.close();
        sockets.end();
        uploads.clear();
        server.closeAllConnections();
        await closed;
        lock.release();
      },
    };
  } catch (thrown) {
    await engine?.close();
    lock.release();
    throw thrown;
  }
}
