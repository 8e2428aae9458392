import { join } from "node:path";
import { ensureBuilt } from "../../scripts/build.ts";

const OUT = join(import.meta.dirname, "..", "..", "out");

/** Folders of the built application. */
export interface Built {
  readonly main: string;
  readonly preload: string;
  readonly renderer: string;
}

/** The application as the sources of this moment give it; test files that run beside each other build it once. */
export function builtApp(): Built {
  ensureBuilt();
  return { main: join(OUT, "main"), preload: join(OUT, "preload"), renderer: join(OUT, "renderer") };
}
