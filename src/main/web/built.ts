import { existsSync } from "node:fs";
import { join } from "node:path";

const OUT = join(import.meta.dirname, "..", "..", "..", "out");

/** Where the build leaves the page and the core, seen from the sources. Bundled, the core is read in a third of the time. */
export const BUILT = { pageFolder: join(OUT, "renderer"), coreFile: join(OUT, "main", "web-core.js") };

export function isBuilt(): boolean {
  return existsSync(join(BUILT.pageFolder, "index.html")) && existsSync(BUILT.coreFile);
}
