import { createHash } from "node:crypto";
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "#shared/fault.ts";
import { isOwnerGone, ownerMark, temporaryName } from "./leftovers.ts";

const WAIT_MS = 50;
/** Names are held for the time of some renames. An older lock of an unknown owner was left by a kill. */
const MAX_HELD_MS = 60_000;

/** The locks that this process holds. Its mark in a lock file proves nothing, because a release may fail. */
const heldHere = new Set<string>();

/**
 * Holds the names of files that get their places together, among all programs that export on this computer. A disk that
 * takes no such file gives no lock.
 */
export async function lockNames(paths: readonly string[]): Promise<Disposable> {
  const held: string[] = [];
  const release = (): void => {
    for (const path of held.splice(0)) {
      heldHere.delete(path);
      remove(path);
    }
  };
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
      heldHere.add(path);
      return true;
    } catch (thrown) {
      if (codeOf(thrown) !== "EEXIST") return false;
    }
    if (!isAbandoned(path)) await sleep(WAIT_MS);
    else if (!removeAbandoned(path)) return false;
  }
}

/** Another process may have replaced the lock in the meantime, so the removed file is examined again. */
function removeAbandoned(path: string): boolean {
  const away = join(dirname(path), temporaryName());
  try {
    renameSync(path, away);
  } catch (thrown) {
    return codeOf(thrown) === "ENOENT";
  }
  const isOld = isAbandoned(away, path);
  if (isOld && remove(away)) return true;
  renameSync(away, path);
  return !isOld;
}

/** @param held its name in this process */
function isAbandoned(path: string, held = path): boolean {
  try {
    const mark = readFileSync(path, "utf8");
    if (mark === ownerMark()) return !heldHere.has(held);
    const isGone = isOwnerGone(mark);
    return isGone ?? Date.now() - statSync(path).mtimeMs > MAX_HELD_MS;
  } catch (thrown) {
    return codeOf(thrown) !== "ENOENT";
  }
}

/** @returns whether the lock is gone; one that stays is abandoned */
function remove(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}
