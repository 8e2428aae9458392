import { join } from "node:path";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createApp } from "../app.ts";
import type { FilePlace } from "../app/files/grants.ts";
import { createFileSecrets } from "../secrets/fileSecrets.ts";
import { StoreError, type StoreErrorKind } from "../store/errors.ts";
import { readToCore } from "./message.ts";
import { packedPort } from "./packedPort.ts";
import { webDesktop } from "./desktop.ts";

// The core has a thread of its own: a query of ten years must not keep the page, or another window, waiting.

/** What the thread is started with. */
export interface CoreData {
  readonly dataFolder: string;
}

export type ToCoreThread =
  | { readonly kind: "window"; readonly port: MessagePort }
  /** Leave to open files; the grants go to the port. */
  | { readonly kind: "grant"; readonly places: readonly FilePlace[]; readonly port: MessagePort }
  /** Whether it still answers. */
  | { readonly kind: "beat" }
  | { readonly kind: "close" };
/** `failed` where the core cannot be had at all, with a sentence; to start it again would not help. */
export type FromCoreThread =
  | { readonly kind: "ready" }
  | { readonly kind: "beat" }
  | {
      readonly kind: "failed";
      readonly error: Pick<StoreError, "path" | "message"> & { readonly kind: StoreErrorKind };
    };

function start(): ReturnType<typeof createApp> | null {
  const { dataFolder } = workerData as CoreData;
  try {
    return createApp({
      dataFolder,
      isOnlyCore: true,
      secrets: createFileSecrets(join(dataFolder, "keys")),
      startDemo: async () => (await import("../demo/index.ts")).startDemo(),
      desktop: webDesktop,
    });
  } catch (thrown) {
    if (!(thrown instanceof StoreError)) throw thrown;
    const { kind, path, message } = thrown;
    parentPort?.postMessage({ kind: "failed", error: { kind, path, message } } satisfies FromCoreThread);
    return null;
  }
}

const app = start();
if (app) {
  parentPort?.on("message", (message: ToCoreThread) => {
    if (message.kind === "window") app.serve(packedPort(message.port, readToCore), null);
    else if (message.kind === "grant")
      void app.files.grant(message.places).then((grants) => message.port.postMessage(grants));
    else if (message.kind === "beat") parentPort?.postMessage(message satisfies FromCoreThread);
    else void app.close().then(() => process.exit(0));
  });
  parentPort?.postMessage({ kind: "ready" } satisfies FromCoreThread);
}
