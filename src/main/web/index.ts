import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";
import type { BridgeClient } from "#shared/bridge/client.ts";
import { MAX_UPLOAD_BYTES, LINK_MARK } from "#shared/bridge/transport/webShell.ts";
import type { ToCore, ToWindow } from "#shared/bridge/transport/protocol.ts";
// Not from the index, which would load the whole store that only the core's thread needs.
import { startLog } from "../log/index.ts";
import { lockFolder } from "../store/fileLock.ts";
import { type Bounds, BOUNDS } from "./bounds.ts";
import { writeControlFile } from "./control.ts";
import { type CoreThread, startCoreThread } from "./coreThread.ts";
import { packedPort } from "./packedPort.ts";
import { createPageServer } from "./server.ts";
import { SignIns } from "./gate.ts";
import { Uploads } from "./uploads.ts";
import { serveSockets } from "./sockets.ts";
import { DOWNLOAD_PATH } from "./desktop.ts";

export interface WebShellOptions {
  readonly dataFolder: string;
  /** Folder of the built page. */
  readonly pageFolder: string;
  /** Script of the core; its source file by default. */
  readonly coreFile?: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** A loopback address, see `listenAddress`. */
  readonly address?: string;
  readonly bounds?: Partial<Bounds>;
  /** Size limit of an upload. */
  readonly mostUploadBytes?: number;
}

export interface WebShell {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** Creates an address that signs in one browser, once. Must not be logged. */
  newLink(): string;
  /** Settles when the core is open. @throws StoreError if it cannot open its databases; then the shell is closed */
  readonly ready: Promise<void>;
  /** Kills the core. For tests. */
  killCore(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves the window to a browser on this computer, or at the other end of an SSH tunnel. The page loads while the core is
 * being opened, which takes as long.
 *
 * @throws StoreError if the data folder is in use; the error of `listen` if the port is in use
 */
export async function startWebShell(options: WebShellOptions): Promise<WebShell> {
  const { dataFolder, pageFolder, coreFile, port, address = "127.0.0.1", mostUploadBytes = MAX_UPLOAD_BYTES } = options;
  const bounds = { ...BOUNDS, ...options.bounds };
  const releaseFolder = lockFolder(dataFolder);
  startLog(dataFolder, "web");
  /** The shell's own bridge to the core, for the files of exports. */
  let own: Promise<BridgeClient> | null = null;
  const core: Promise<CoreThread> = startCoreThread({
    dataFolder,
    coreFile,
    beat: bounds.core,
    onAnswering: (isAnswering) => sockets.setCoreState(isAnswering ? "answers" : "silent"),
    onStopped(sentence) {
      own = null;
      uploads.clear();
      sockets.coreStopped(sentence);
    },
  });
  // Reported through `ready`.
  core.catch(() => {});
  const connectOwn = async (): Promise<BridgeClient> => {
    // Loaded with the first download, so that it does not delay the page.
    const { createBridgeClient } = await import("#shared/bridge/client.ts");
    const client = createBridgeClient();
    const port = await (await core).connect();
    client.attach(packedPort<ToCore, ToWindow>(port));
    return client;
  };
  const fileOf = async (path: string): Promise<string | null> => {
    own ??= connectOwn();
    own.catch(() => (own = null));
    return downloadOf(path, await own);
  };
  const uploads = new Uploads({
    mostBytes: mostUploadBytes,
    dataFolder,
    bodyMs: bounds.bodyMs,
    grant: async (place) => (await (await core).grant([place]).catch(() => []))[0] ?? null,
  });
  const signIns = new SignIns();
  const { server, unauthenticated } = createPageServer({
    signIns,
    pageFolder,
    downloadOf: fileOf,
    uploads,
    onSignOut: () => sockets.signOut(),
    // Another window may have restarted it already.
    restartCore: async () => (await core).restart(),
    bounds,
  });
  const sockets = serveSockets(server, {
    signIns,
    unauthenticated,
    connect: async () => (await core).connect(),
    bounds,
  });
  let control: { remove(): void } | null = null;
  const close = async (): Promise<void> => {
    control?.remove();
    const closed = server.listening ? once(server, "close") : null;
    server.close();
    sockets.close();
    await core.then((running) => running.close()).catch(() => {});
    sockets.end();
    uploads.clear();
    server.closeAllConnections();
    await closed;
    releaseFolder();
  };
  const opened = async (): Promise<void> => {
    try {
      await core;
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
    control = writeControlFile(dataFolder, { origin, secret: signIns.ownSecret });
    return {
      origin,
      newLink: () => `${origin}/${LINK_MARK}${signIns.newLink()}`,
      ready: opened(),
      killCore: async () => void (await (await core).end()),
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/**
 * The file for a download path, or null. Only files of finished exports and shared sessions can be
 * downloaded: their paths come from the core, never from the address.
 */
async function downloadOf(urlPath: string, { bridge }: BridgeClient): Promise<string | null> {
  const [exportId, name, ...more] = urlPath.slice(DOWNLOAD_PATH.length).split("/").map(decodedPart);
  if (!exportId || !name || more.length > 0) return null;
  const written = await bridge.views.writtenFiles({});
  const session = written.ok ? written.value.find((w) => w.id === exportId && w.name === name) : undefined;
  if (session) return session.path;
  const exports = await bridge.export.list({});
  if (!exports.ok) return null;
  const task = exports.value.find((t) => t.id === exportId);
  if (task?.state !== "finished" || !task.downloads.some((d) => d.name === name)) return null;
  const drawn = task.figure?.ok ? task.figure.value.path : null;
  const files = task.report ? [...task.report.files.map((f) => f.path), task.report.sidecarPath, drawn] : [];
  return files.find((path) => path !== null && basename(path) === name) ?? null;
}

function decodedPart(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
