import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { workerData } from "node:worker_threads";

// The core itself, in a thread that hangs the first time before the core is open.
const note = join((workerData as { readonly dataFolder: string }).dataFolder, "has-hung");
if (!existsSync(note)) {
  writeFileSync(note, "");
  for (;;);
}
await import("../../src/main/web/core.ts");
