import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DAY_MS } from "#shared/time/utc.ts";
import type { Db } from "./database.ts";
import { makePrivate } from "./private.ts";

/**
 * A whole copy of the file as it is now, under its final name only when it is complete. An older copy of that name is
 * replaced.
 */
export function backupTo(db: Db, target: string): void {
  const unfinished = `${target}.unfinished`;
  rmSync(unfinished, { force: true });
  makePrivate(unfinished);
  db.prepare("VACUUM INTO ?").run(unfinished);
  renameSync(unfinished, target);
}

/** The copy before a step to another form; it is kept, because a step cannot be taken back. */
export function backupBeforeStep(db: Db, version: number): void {
  backupTo(db, `${db.name}.backup-v${version}`);
}

/** The running copy, renewed when it is older than a day. */
export function backupDaily(db: Db, nowMs: number): void {
  const target = `${db.name}.backup`;
  const age = nowMs - (statSync(target, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  // A clock that was set back must not keep an old copy for ever.
  if (Math.abs(age) > DAY_MS) backupTo(db, target);
}

/** The newest copy of the file; null where there is none. */
export function newestBackup(path: string): string | null {
  const folder = dirname(path);
  if (!existsSync(folder)) return null;
  const copies = readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(path)}.backup`) && !name.endsWith(".unfinished"))
    .map((name) => join(folder, name))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  return copies[0] ?? null;
}
