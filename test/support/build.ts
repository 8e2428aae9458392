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

/** The application as the sources of this moment give it; test files that run beside each other build it once. */
export function builtApp(): Built {
  // Once for a test file: what is edited while it runs is for the next run.
  if (!isBuilt) ensureBuilt();
  isBuilt = true;
  return { main: join(OUT, "main"), preload: join(OUT, "preload"), renderer: join(OUT, "renderer") };
}
