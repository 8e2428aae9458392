import { join } from "node:path";
import { ensureBuilt } from "../../scripts/build.ts";

const OUT = join(import.meta.dirname, "..", "..", "out");

/** Folders of the built application. */
export interface Built {
  readonly main: string;
  readonly preload: string;
  readonly renderer: string;
}

let isBuilt = false;

/** Builds the application from the current sources; concurrent test files share one build. */
export function builtApp(): Built {
  // Once per test file: later edits of the sources take effect in the next run.
  if (!isBuilt) ensureBuilt();
  isBuilt = true;
  return { main: join(OUT, "main"), preload: join(OUT, "preload"), renderer: join(OUT, "renderer") };
}
