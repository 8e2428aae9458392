import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sweepFolder } from "#formats/temporary.ts";
import { windowProcess, isAlive } from "../../store/index.ts";

/** Copies and backups under work, and keys on their way to their final name. */
const UNFINISHED = /\.unfinished(-wal|-shm|-journal)?$/;
const UNFINISHED_KEY = /\.(key|sealed)\.[0-9a-f-]{36}$/;
/** None of these takes so long without being written to. */
const ABANDONED_MS = 45 * 60_000;

/** Removes from a data folder what programs that were killed left unfinished. Nothing that one may still be at. */
export function sweepDataFolder(folder: string, nowMs = Date.now()): void {
  const keys = join(folder, "keys");
  sweepFolder(folder);
  sweepFolder(keys);
  removeOld(folder, UNFINISHED, nowMs);
  removeOld(keys, UNFINISHED_KEY, nowMs);
  // What a window offers for download lies there as long as it runs; the next window takes everything away.
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
    // A folder that is not there has no leftovers; one that cannot be tidied up is no reason not to start.
  }
}
