import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where the build leaves the page, seen from the sources. */
export const PAGE_FOLDER = join(import.meta.dirname, "..", "..", "..", "out", "renderer");

export function isPageBuilt(folder: string): boolean {
  return existsSync(join(folder, "index.html"));
}
