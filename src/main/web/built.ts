import { existsSync } from "node:fs";
import { join } from "node:path";

/** The build's output folder: this file is a source file, or in a bundle of `out/main/`. */
const OUT = import.meta.url.endsWith(".ts")
  ? join(import.meta.dirname, "..", "..", "..", "out")
  : join(import.meta.dirname, "..");

/** The built page and core. The bundled core loads three times faster. */
export const BUILT = { pageFolder: join(OUT, "renderer"), coreFile: join(OUT, "main", "web-core.js") };

export function isBuilt(): boolean {
  return existsSync(join(BUILT.pageFolder, "index.html")) && existsSync(BUILT.coreFile);
}
