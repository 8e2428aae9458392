import { parentPort, workerData } from "node:worker_threads";
import { createWorld, startService } from "#service/index.ts";
import { withOrdinaryNames } from "./names.ts";
import { demoOptions } from "./organization.ts";

// The service runs in a thread of its own, as it would on a machine of its own: what it computes takes no time from
// the program that asks.
const service = await startService({
  ...demoOptions((workerData as { apiKey: string }).apiKey),
  world: withOrdinaryNames(createWorld()),
  logLength: 0,
});
parentPort!.once("message", () => void service.close().then(() => process.exit(0)));
parentPort!.postMessage({ url: service.url });
