import { createHash, randomBytes } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { hostname } from "node:os";
import { attempt, codeOf } from "#shared/fault.ts";

const SUFFIX = ".zenith-part";
/** Suffix of a folder while it is being replaced. */
export const REPLACED_SUFFIX = ".zenith-old";
/** Suffix of the note of its name. SQLite names its journals like this, too. */
const NOTE_SUFFIX = "-journal";
const TEMPORARY_NAME = /^\.[0-9a-f]{16}(?:\.([0-9a-f]{8}-\d+))?\.zenith-(?:part|old)(?:-journal)?$/;
/** If the owner is unknown, a file that was not changed for this time is abandoned. */
const ABANDONED_MS = 45 * 60_000;

/** Returns a unique, hidden and short name, which `sweepFolder` recognizes. */
export function temporaryName(suffix = SUFFIX): string {
  return `.${randomBytes(8).toString("hex")}.${ownerMark()}${suffix}`;
}

export function isTemporaryName(name: string): boolean {
  return TEMPORARY_NAME.test(name);
}

/** Removes abandoned files beside a new file, whose time is the present time of the disk, which may have another clock. */
export function sweepBeside(newPath: string): void {
  sweepFolder(dirname(newPath), changedMs(newPath) ?? Number.NEGATIVE_INFINITY);
}

/**
 * Removes temporary files and folders of programs that have ended; one that was being replaced gets its name back if its
 * successor has not got it. Whether a program on another computer has ended is unknown: its files are removed 45 minutes
 * after their last change. Only what belongs to this user is touched, because in a shared folder anybody can make such names.
 * Errors are ignored.
 */
export function sweepFolder(folder: string, nowMs = Date.now()): void {
  // In this order, a replaced folder comes before the note of its name.
  for (const name of namesIn(folder).toSorted()) {
    const mark = TEMPORARY_NAME.exec(name);
    if (mark === null) continue;
    const path = join(folder, name);
    if (!isOwn(path)) continue;
    const isGone = mark[1] === undefined ? null : isOwnerGone(mark[1]);
    if (!(isGone ?? nowMs - (changedMs(path) ?? nowMs) > ABANDONED_MS)) continue;
    if (!restored(path)) attempt(() => rmSync(path, { recursive: true, force: true }));
  }
}

/** Notes the name of what is about to be renamed to `replacedPath`, so that a kill between two renames loses nothing. */
export async function noteReplaced(replacedPath: string, name: string): Promise<{ remove(): Promise<void> }> {
  const note = `${replacedPath}${NOTE_SUFFIX}`;
  await writeFile(note, name, { flush: true });
  return { remove: () => rm(note, { force: true }) };
}

/** Gives what was being replaced its name back, if nothing else has it. */
function restored(path: string): boolean {
  if (!path.endsWith(REPLACED_SUFFIX) || !isOwn(`${path}${NOTE_SUFFIX}`)) return false;
  const name = attempt(() => readFileSync(`${path}${NOTE_SUFFIX}`, "utf8"));
  if (name === null || name === "" || name !== basename(name)) return false;
  const target = join(dirname(path), name);
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) return false;
  return attempt(() => renameSync(path, target)) !== null;
}

/** Whether a path itself, not what it links to, belongs to this user, and is not a folder in which others can exchange files. */
function isOwn(path: string): boolean {
  const found = attempt(() => lstatSync(path));
  const user = process.getuid?.();
  return (
    found !== null &&
    (user === undefined || (found.uid === user && !(found.isDirectory() && (found.mode & WRITABLE_BY_OTHERS) !== 0)))
  );
}

const WRITABLE_BY_OTHERS = 0o002;

function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder)) ?? [];
}

function changedMs(path: string): number | null {
  return attempt(() => lstatSync(path).mtimeMs);
}

/** Whether a process of this computer exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    // Signal 0 only tests for existence.
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return codeOf(thrown) === "EPERM";
  }
}

/** Returns the owner in the name of a temporary file: `<system>-<process>`, 8 hex digits and a process id. */
export function ownerMark(): string {
  return `${systemId()}-${process.pid}`;
}

/** Whether the process of a mark ended; null if unknown, because the mark is from another computer or boot. */
export function isOwnerGone(mark: string): boolean | null {
  const [system, pid] = mark.split("-");
  return system === systemId() ? !isAlive(Number(pid)) : null;
}

let known: string | null = null;

/** Identifies this computer, boot and container, within which process ids are meaningful. */
function systemId(): string {
  known ??= createHash("sha256")
    .update(
      [
        hostname(),
        onLinux(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
        onLinux(() => readlinkSync("/proc/self/ns/pid")),
      ].join("\n"),
    )
    .digest("hex")
    .slice(0, 8);
  return known;
}

/** Returns a value that only Linux has, or an empty text. */
function onLinux(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
