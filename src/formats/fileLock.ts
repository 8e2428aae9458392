import { createHash } from "node:crypto";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "#shared/fault.ts";
import { isOwnerGone, ownerMark } from "./owner.ts";

const WAIT_MS = 50;
/** Names are held for the time of some renames. An older lock of an unknown owner was left by a kill. */
const MAX_HELD_MS = 60_000;

/**
 * Holds the names of files that get their places together, among all programs that export on this computer. A disk that
 * takes no such file gives no lock.
 */
export async function lockNames(paths: readonly string[]): Promise<Disposable> {
  const held: string[] = [];
  const release = (): void => held.splice(0).forEach((path) => rmSync(path, { force: true }));
  // In one order, so that two exports never wait for each other.
  for (const path of [...new Set(paths.map(lockOf))].toSorted()) if (await takeLock(path)) held.push(path);
  return { [Symbol.dispose]: release };
}

function lockOf(path: string): string {
  const name = createHash("sha256").update(basename(path)).digest("hex").slice(0, 16);
  return join(dirname(path), `.${name}.zenith-lock`);
}

async function takeLock(path: string): Promise<boolean> {
  for (;;) {
    try {
      writeFileSync(path, ownerMark(), { flag: "wx", mode: 0o600 });
      return true;
    } catch (thrown) {
      if (codeOf(thrown) !== "EEXIST") return false;
    }
    if (isAbandoned(path)) rmSync(path, { force: true });
    else await sleep(WAIT_MS);
  }
}

function isAbandoned(path: string): boolean {
  try {
    const isGone = isOwnerGone(readFileSync(path, "utf8"));
    return isGone ?? Date.now() - statSync(path).mtimeMs > MAX_HELD_MS;
  } catch (thrown) {
    return codeOf(thrown) !== "ENOENT";
  }
}
