import { existsSync } from "node:fs";
import { join } from "node:path";
import { workerData } from "node:worker_threads";

// The core, in a thread that hangs before the core is open if a file named “hang” is in its folder.
const order = join((workerData as { readonly dataFolder: string }).dataFolder, "hang");
// It waits forever; a busy loop would take a processor from other tests.
if (existsSync(order)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
await import("#main/web/core.ts");
