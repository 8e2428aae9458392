import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Returns a function that creates a folder with each call, all removed after the tests of the file. */
export function temporaryFolders(): () => string {
  const root = mkdtempSync(join(tmpdir(), "zenith-store-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return () => mkdtempSync(join(root, "of-"));
}
