import { globSync } from "node:fs";
import { join, sep } from "node:path";

/**
 * Folders whose tests the gate leaves to `npm test -- --all`, which runs every night: each view in every detail, in a
 * browser. The gate has the journeys of users through all views (`test/e2e`), and the functions of the window
 * (`test/renderer`).
 */
const ONLY_IN_ALL: readonly string[] = [join("test", "views")];

/** The test files of the gate, and the number of those left out. */
export function gateFiles(): { readonly files: readonly string[]; readonly left: number } {
  const all = globSync("test/**/*.test.ts");
  const files = all.filter((name) => !ONLY_IN_ALL.some((folder) => name.startsWith(folder + sep)));
  return { files, left: all.length - files.length };
}
