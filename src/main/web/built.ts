import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where the build leaves its parts: this file is one of the sources, or in a bundle of `out/main/`. */
const OUT = import.meta.url.endsWith(".ts")
  ? join(import.meta.dirname, "..", "..", "..", "out")
  : join(import.meta.dirname, "..");

/** Where the build leaves the page and the core. Bundled, the core is read in a third of the time. */
export const BUILT = { pageFolder: join(OUT, "renderer"), coreFile: join(OUT, "main", "web-core.js") };

export function isBuilt(): boolean {
  return existsSync(join(BUILT.pageFolder, "index.html")) && existsSync(BUILT.coreFile);
}
