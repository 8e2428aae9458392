import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Returns a function that returns a new folder for each call, all removed after the tests of the file. */
export function temporaryFolders(): () => string {
  const root = mkdtempSync(join(tmpdir(), "zenith-store-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  let n = 0;
  return () => join(root, String(n++));
}
