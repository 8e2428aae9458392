import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sweepFolder } from "#formats/leftovers.ts";
import { windowProcess, isAlive } from "../../store/index.ts";

/** Unfinished copies and backups, and temporary files of keys. */
const UNFINISHED = /\.unfinished(-wal|-shm|-journal)?$/;
const UNFINISHED_KEY = /\.(key|sealed)\.[0-9a-f-]{36}$/;
/** Active files of these kinds are written to more often. */
const ABANDONED_MS = 45 * 60_000;

/** Removes unfinished files of killed processes from a data folder, but none that may be in use. */
export function sweepDataFolder(folder: string, nowMs = Date.now()): void {
  const keys = join(folder, "keys");
  sweepFolder(folder);
  sweepFolder(keys);
  removeOld(folder, UNFINISHED, nowMs);
  removeOld(keys, UNFINISHED_KEY, nowMs);
  // Files that a window offers for download belong to its process.
  const window = windowProcess(folder);
  if (window === null || !isAlive(window)) removeOld(join(folder, "exports"), /^/, nowMs);
}

function removeOld(folder: string, pattern: RegExp, nowMs: number): void {
  try {
    for (const name of readdirSync(folder).filter((n) => pattern.test(n))) {
      const path = join(folder, name);
      if (nowMs - lstatSync(path).mtimeMs > ABANDONED_MS) rmSync(path, { recursive: true, force: true });
    }
  } catch {
    // The folder may be missing; failing to clean it must not prevent the start.
  }
}
