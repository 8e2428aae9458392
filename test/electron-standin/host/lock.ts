import { mkdirSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface SecondInstance {
  readonly argv: readonly string[];
  readonly workingDirectory: string;
}

/**
 * Allows one program per profile. The lock is a file with the id of its process; a second program leaves a note beside
 * it.
 *
 * @returns whether this process has the lock
 */
export function takeLock(profile: string, onSecond: (second: SecondInstance) => void): boolean {
  mkdirSync(profile, { recursive: true });
  const path = join(profile, "standin.lock");
  const notes = join(profile, "standin-notes");
  if (!create(path)) {
    const holder = Number(readFileSync(path, "utf8"));
    if (holder !== process.pid && isRunning(holder)) {
      const note: SecondInstance = { argv: process.argv, workingDirectory: process.cwd() };
      writeFileSync(join(notes, `${process.pid}.json`), JSON.stringify(note));
      return false;
    }
    // The process with the lock was killed.
    rmSync(path);
    if (!create(path)) return false;
  }
  mkdirSync(notes, { recursive: true });
  const watcher = watch(notes, () => {
    for (const name of readdirSync(notes)) readNote(join(notes, name), onSecond);
  });
  watcher.unref();
  process.on("exit", () => rmSync(path, { force: true }));
  return true;
}

function create(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function readNote(path: string, onSecond: (second: SecondInstance) => void): void {
  let note: SecondInstance;
  try {
    note = JSON.parse(readFileSync(path, "utf8")) as SecondInstance;
  } catch {
    // The note is incomplete; another event follows.
    return;
  }
  rmSync(path, { force: true });
  onSecond(note);
}
