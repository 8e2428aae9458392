import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { workerData } from "node:worker_threads";
// oxlint-disable-next-line import/no-unassigned-import -- the core starts itself
import "#main/web/core.ts";

// The core, in a thread that hangs, by an endless wait, once a file named “hang” is in its folder.
const order = join((workerData as { readonly dataFolder: string }).dataFolder, "hang");
setInterval(() => {
  if (!existsSync(order)) return;
  rmSync(order);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}, 10);
