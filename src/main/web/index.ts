import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { BridgeClient } from "#shared/bridge/client.ts";
import { MOST_UPLOAD_BYTES } from "#shared/file/upload.ts";
import type { ToCore, ToWindow } from "#shared/bridge/protocol.ts";
// Not by the index: that would load the whole store, which only the core's thread needs.
import { lockFolder } from "../store/lock.ts";
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
  /** The core as a file; its source by default. */
  readonly coreFile?: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** An address of the loopback, see `listenAddress`. */
  readonly address?: string;
  readonly beatMs?: number;
  /** Bound on a file that a page sends to open it. */
  readonly mostUploadBytes?: number;
}

export interface WebShell {
  /** `http://127.0.0.1:PORT`, without the token. */
  readonly origin: string;
  /** The address to open, with the token: for the terminal of who started it, and for no log. */
  readonly link: string;
  /** Settles when the core is open. @throws StoreError where it cannot open its databases: the shell is closed then */
  readonly ready: Promise<void>;
  /** Ends the core as a fault of its own would. For tests. */
  killCore(): Promise<void>;
  close(): Promise<void>;
}

const BEAT_MS = 20_000;

/**
 * Serves the window to a browser on this computer, or at the other end of an SSH tunnel. The page can be fetched while
 * the core is still being opened: that takes as long as the page does.
 *
 * @throws StoreError where the data folder is in use; what `listen` throws where the port is taken
 */
export async function startWebShell(options: WebShellOptions): Promise<WebShell> {
  const {
    dataFolder,
    pageFolder,
    coreFile,
    port,
    address = "127.0.0.1",
    beatMs = BEAT_MS,
    mostUploadBytes = MOST_UPLOAD_BYTES,
  } = options;
  const lock = lockFolder(dataFolder);
  /** The shell itself asks the core as a window does: for the files of its exports. */
  let own: Promise<BridgeClient> | null = null;
  const engine: Promise<Engine> = startEngine({
    dataFolder,
    coreFile,
    onDeath(reason) {
      own = null;
      uploads.clear();
      sockets.engineStopped(reason);
    },
  });
  // Who waits for `ready` hears of it.
  engine.catch(() => {});
  const connectOwn = async (): Promise<BridgeClient> => {
    // Only with the first download: what it brings along would hold up the page, which is asked for just now.
    const { createBridgeClient } = await import("#shared/bridge/client.ts");
    const client = createBridgeClient();
    const port = await (await engine).connect();
    client.attach(packedPort<ToCore, ToWindow>(port, (message) => message as ToWindow));
    return client;
  };
  const fileOf = async (path: string): Promise<string | null> => {
    own ??= connectOwn();
    own.catch(() => (own = null));
    return downloadOf(path, await own);
  };
  const uploads = createUploads({
    mostBytes: mostUploadBytes,
    dataFolder,
    grant: async (place) => (await (await engine).grant([place]))[0] ?? null,
  });
  const pass = createPass(dataFolder);
  const server = createPageServer({ pass, pageFolder, downloadOf: fileOf, uploads });
  const sockets = serveSockets(server, { pass, connect: async () => (await engine).connect(), beatMs });
  const close = async (): Promise<void> => {
    const closed = server.listening ? once(server, "close") : null;
    server.close();
    sockets.close();
    await engine.then((running) => running.close()).catch(() => {});
    sockets.end();
    uploads.clear();
    server.closeAllConnections();
    await closed;
    lock.release();
  };
  const opened = async (): Promise<void> => {
    try {
      await engine;
    } catch (reason) {
      await close();
      throw reason;
    }
  };
  try {
    server.listen(port, address);
    await once(server, "listening");
    const { port: actual } = server.address() as AddressInfo;
    const origin = `http://${address.includes(":") ? `[${address}]` : address}:${actual}`;
    return {
      origin,
      link: `${origin}/?token=${pass.token}`,
      ready: opened(),
      killCore: async () => (await engine).kill(),
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}
