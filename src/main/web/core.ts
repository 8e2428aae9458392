import { join } from "node:path";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { linkToShell, type ToEngine } from "../engine/shellLink.ts";
import { createFileSecrets } from "../secrets/fileSecrets.ts";
import { serveApp } from "../served.ts";
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

export type ToCoreThread = ToEngine | { readonly kind: "window"; readonly port: MessagePort };

const link = linkToShell((message) => parentPort?.postMessage(message));
parentPort?.on("message", (message: ToCoreThread) => {
  if (message.kind !== "window") link.receive(message);
  else link.served?.serve(packedPort(message.port, readToCore), null);
});
const { dataFolder } = workerData as CoreData;
link.open(() =>
  serveApp({
    dataFolder,
    isOnlyCore: true,
    secrets: createFileSecrets(join(dataFolder, "keys")),
    startDemo: async () => (await import("../demo/index.ts")).startDemo(),
    desktop: webDesktop,
  }),
);
