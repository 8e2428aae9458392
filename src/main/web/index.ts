import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { BridgeClient } from "#shared/bridge/client.ts";
import { MOST_UPLOAD_BYTES, LINK_MARK } from "#shared/bridge/transport/webShell.ts";
import type { ToCore, ToWindow } from "#shared/bridge/transport/protocol.ts";
// Not by the index: that would load the whole store, which only the core's thread needs.
import { startLog } from "../log/index.ts";
import { lockFolder } from "../store/locks/fileLock.ts";
import { type Bounds, BOUNDS } from "./bounds.ts";
import { leaveControl } from "./control.ts";
import { type Engine, startEngine } from "./engine.ts";
import { packedPort } from "./packedPort.ts";
import { createPageServer } from "./server.ts";
import { createSignIns } from "./signIns.ts";
import { createUploads } from "./uploads.ts";
import { serveSockets } from "./sockets.ts";
import { basename } from "node:path";
import { DOWNLOAD_PATH } from "./desktop.ts";

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
  readonly bounds?: Partial<Bounds>;
  /** Bound on a file that a page sends to open it. */
  readonly mostUploadBytes?: number;
}

export interface WebShell {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** The address that signs one browser in, once: for the terminal of who started it, and for no log. */
  newLink(): string;
  /** Settles when the core is open. @throws StoreError where it cannot open its databases: the shell is closed then */
  readonly ready: Promise<void>;
  /** Ends the core as a fault of its own would. For tests. */
  killCore(): Promise<void>;
  close(): Promise<void>;
}

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
    mostUploadBytes = MOST_UPLOAD_BYTES,
  } = options;
  const bounds = { ...BOUNDS, ...options.bounds };
  const releaseFolder = lockFolder(dataFolder);
  startLog(dataFolder, "web");
  /** The shell itself asks the core as a window does: for the files of its exports. */
  let own: Promise<BridgeClient> | null = null;
  const engine: Promise<Engine> = startEngine({
    dataFolder,
    coreFile,
    beat: bounds.core,
    onAnswering: (isAnswering) => sockets.coreIs(isAnswering ? "answers" : "silent"),
    onStopped(sentence) {
      own = null;
      uploads.clear();
      sockets.engineStopped(sentence);
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
    bodyMs: bounds.bodyMs,
    grant: async (place) => (await (await engine).grant([place]).catch(() => []))[0] ?? null,
  });
  const signIns = createSignIns();
  const { server, strangers } = createPageServer({
    signIns,
    pageFolder,
    downloadOf: fileOf,
    uploads,
    onSignOut: () => sockets.signOut(),
    // One that answers was started again already, perhaps by another window.
    restartCore: async () => (await engine).restart(),
    bounds,
  });
  const sockets = serveSockets(server, {
    signIns,
    strangers,
    connect: async () => (await engine).connect(),
    bounds,
  });
  let control: { remove(): void } | null = null;
  const close = async (): Promise<void> => {
    control?.remove();
    const closed = server.listening ? once(server, "close") : null;
    server.close();
    sockets.close();
    await engine.then((running) => running.close()).catch(() => {});
    sockets.end();
    uploads.clear();
    server.closeAllConnections();
    await closed;
    releaseFolder();
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
    control = leaveControl(dataFolder, { origin, secret: signIns.ownSecret });
    return {
      origin,
      newLink: () => `${origin}/${LINK_MARK}${signIns.newLink()}`,
      ready: opened(),
      killCore: async () => void (await (await engine).end()),
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/**
 * The file behind a path of downloads, null where it is none. Only what a finished export, or a session that was handed
 * on, offers for download can be had: its paths come from there, never from the address.
 */
async function downloadOf(urlPath: string, { bridge }: BridgeClient): Promise<string | null> {
  const [exportId, name, ...more] = urlPath.slice(DOWNLOAD_PATH.length).split("/").map(decoded);
  if (!exportId || !name || more.length > 0) return null;
  const written = await bridge.views.writtenFiles({});
  const session = written.ok ? written.value.find((w) => w.id === exportId && w.name === name) : undefined;
  if (session) return session.path;
  const exports = await bridge.export.list({});
  if (!exports.ok) return null;
  const task = exports.value.find((t) => t.id === exportId);
  if (task?.state !== "finished" || !task.downloads.some((d) => d.name === name)) return null;
  const files = task.report ? [...task.report.files.map((f) => f.path), task.report.sidecarPath] : [];
  return files.find((path) => path !== null && basename(path) === name) ?? null;
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
