import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { DemoService } from "../ports.ts";

/** The thread's script: a source beside this one, or the bundle that electron-vite builds from it. */
const WORKER = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./demo-worker.js";

/** Starts the embedded reference service on a free port of this computer, with a key created for this run. */
export async function startDemo(): Promise<DemoService> {
  const apiKey = randomBytes(24).toString("base64url");
  const worker = new Worker(new URL(WORKER, import.meta.url), { workerData: { apiKey } });
  const [{ url }] = (await once(worker, "message")) as [{ url: string }];
  // The service alone must not keep the program alive.
  worker.unref();
  return {
    url,
    apiKey,
    async close() {
      // Its exit is awaited, so it has to keep the program alive now.
      worker.ref();
      const gone = once(worker, "exit");
      worker.postMessage("close");
      await gone;
    },
  };
}
