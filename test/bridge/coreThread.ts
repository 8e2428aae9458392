import { MessagePort, parentPort, workerData } from "node:worker_threads";
import { portChannel } from "#shared/bridge/transport/port.ts";
import { openApp } from "./app.ts";

// A core in a separate thread: every received port is a window.
const app = openApp((workerData as { readonly dataFolder: string }).dataFolder);
parentPort!.on("message", (message: unknown) => {
  if (message instanceof MessagePort) app.serve(portChannel(message, { transfer: true }), null);
  else void app.close().then(() => process.exit(0));
});
parentPort!.postMessage("ready");
