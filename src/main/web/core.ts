import { join } from "node:path";
import { MessageChannel, type MessagePort, parentPort, workerData } from "node:worker_threads";
import { portGuest } from "../app/files/guest/port.ts";
import { useGuestStarter } from "../app/files/guest/start.ts";
import { linkToShell, type ShellToCore } from "../supervisor/shellLink.ts";
import { createFileSecrets } from "../secrets.ts";
import { Served } from "../served.ts";
import { packedPort } from "./packedPort.ts";
import { webDesktop } from "./desktop.ts";
import type { ToCore, ToWindow } from "#shared/bridge/transport/protocol.ts";

// The core runs in a thread, so that a query of ten years does not block the page or another window.

/** Start data of the thread. */
export interface CoreData {
  readonly dataFolder: string;
}

export type ToCoreThread = ShellToCore | { readonly kind: "window"; readonly port: MessagePort };

/** From the thread, beside the messages of every core: starts a process that reads files, at the other end of a port. */
export interface GuestRequest {
  readonly kind: "guest";
  readonly port: MessagePort;
}

// Processes are started by the main thread, because in Electron no other may.
useGuestStarter((listener) => {
  const { port1, port2 } = new MessageChannel();
  parentPort?.postMessage({ kind: "guest", port: port2 } satisfies GuestRequest, [port2]);
  return portGuest(port1, listener);
});

const link = linkToShell((message) => parentPort?.postMessage(message));
parentPort?.on("message", (message: ToCoreThread) => {
  if (message.kind !== "window") link.receive(message);
  else link.served?.serve(packedPort<ToWindow, ToCore>(message.port), null);
});
const { dataFolder } = workerData as CoreData;
link.open(() => {
  const served = new Served({
    dataFolder,
    secrets: createFileSecrets(join(dataFolder, "keys")),
    startDemo: async () => (await import("../demo/index.ts")).startDemo(),
    desktop: webDesktop,
  });
  // A server runs its schedules before a browser opens the window, and after it closed it.
  served.app?.schedules.begin();
  return served;
});
