import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "./atEnd.ts";

/** Creates a folder that is removed after the test, file or suite that calls this, and after their own hooks. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "zenith-test-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Returns a function that creates a folder with each call, all removed after the tests of the file. */
export function temporaryFolders(): () => string {
  const root = scratchFolder();
  return () => mkdtempSync(join(root, "of-"));
}
