import { join } from "node:path";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { FilePlace } from "../app/files/grants.ts";
import { followHidden } from "../log/index.ts";
import { createFileSecrets } from "../secrets/fileSecrets.ts";
import { type Served, serveApp } from "../served.ts";
import { StoreError, type StoreErrorKind } from "../store/errors.ts";
import { packedPort } from "./packedPort.ts";
import { webDesktop } from "./desktop.ts";
import type { ToCore } from "#shared/bridge/transport/protocol.ts";
import { z } from "zod";

const id = z.number().int();
const schema: z.ZodType<ToCore> = z.union([
  z.object({ id, cancel: z.literal(true) }),
  z.object({ id, call: z.string().max(200), input: z.unknown() }),
]);

/** What a browser sent, where it has the form of a message; null where it has not. */
function readToCore(message: unknown): ToCore | null {
  return schema.safeParse(message).data ?? null;
}

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
  /** A key that it uses: no line that is written for it may hold it. */
  | { readonly kind: "hide"; readonly key: string }
  | {
      readonly kind: "failed";
      readonly error: Pick<StoreError, "path" | "message"> & { readonly kind: StoreErrorKind };
    };

function start(): Served | null {
  const { dataFolder } = workerData as CoreData;
  try {
    return serveApp({
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

followHidden((key) => parentPort?.postMessage({ kind: "hide", key } satisfies FromCoreThread));
const served = start();
if (served) {
  parentPort?.on("message", (message: ToCoreThread) => {
    if (message.kind === "window") served.serve(packedPort(message.port, readToCore), null);
    else if (message.kind === "grant")
      void (served.app?.files.grant(message.places) ?? Promise.resolve([])).then((grants) =>
        message.port.postMessage(grants),
      );
    else if (message.kind === "beat") parentPort?.postMessage(message satisfies FromCoreThread);
    else void served.close().then(() => process.exit(0));
  });
  parentPort?.postMessage({ kind: "ready" } satisfies FromCoreThread);
}
