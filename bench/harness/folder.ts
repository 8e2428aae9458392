import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Runs the work with a new folder below `parent`, and removes it afterwards. */
export async function withFolder<T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(parent, "run-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
