import { randomBytes } from "node:crypto";
import { accessSync, constants, existsSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryName } from "#formats/leftovers.ts";
import { StoreError } from "../../store/index.ts";
import { toStoreError } from "../../store/errors.ts";

/** Why a file cannot be changed: it or its folder is read-only, or its disk has no room for the logs of SQLite. */
export type Restriction = "readOnly" | "full";

/** Space for the logs of the databases of a command, with a reserve. */
const WORKING_BYTES = 1_000_000;
/** With so much free space, a disk is not full. */
const AMPLE_BYTES = 100_000_000;

/** Returns why a file cannot be changed, or null. */
export function restrictionOf(path: string): Restriction | null {
  const folder = dirname(path);
  if (!mayWrite(folder) || (existsSync(path) && !mayWrite(path))) return "readOnly";
  return hasRoom(folder) ? null : "full";
}

/** Whether there is room for work. If little is free, it tries: only that respects the reserve of the file system. */
function hasRoom(folder: string): boolean {
  const path = join(folder, temporaryName());
  try {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize >= AMPLE_BYTES) return true;
    // Random, because a file system may compress anything else, in blocks of at most 128 KB.
    writeFileSync(path, Buffer.alloc(WORKING_BYTES, randomBytes(131_072)), { flag: "wx", mode: 0o600 });
    return true;
  } catch (thrown) {
    return toStoreError(path, thrown).kind !== "full";
  } finally {
    rmSync(path, { force: true });
  }
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** @throws StoreError always: a change of a restricted file is refused */
export function refuseTo(path: string, why: Restriction): never {
  const reason =
    why === "full"
      ? `The disk of ${dirname(path)} is full, so nothing can be fetched or changed. ${spaceAdvice(dirname(path))}`
      : "The file or its disk is read-only. Its data can be read and exported; nothing can be fetched or changed.";
  throw new StoreError(why, path, `${path}: ${reason}`);
}

/** Returns what a restricted data folder still allows, and what to do. */
export function warningOf(folder: string, why: Restriction): string {
  const possible = "Cached data can be viewed and exported; nothing can be fetched or saved.";
  return why === "full"
    ? `${folder}: The disk of this folder is full. ${possible} Free at least ${megabytes(WORKING_BYTES)} on it; “zenith cache” shows the size of the cache.`
    : `${folder}: This folder is read-only. ${possible}`;
}

/** Says what to delete on a full disk: deleting rows of a database, or moving it, needs space for its log first. */
function spaceAdvice(folder: string): string {
  const [largest] = removableFiles(folder);
  const example =
    largest === undefined
      ? "."
      : `: for example, ${largest.path} (${megabytes(largest.bytes)}) is in quarantine and can be deleted.`;
  return (
    `Free at least ${megabytes(WORKING_BYTES)} on this disk${example} Then “zenith cache forget” makes room in the ` +
    "cache, and “zenith cache move” moves it to another disk."
  );
}

/** Returns caches in quarantine, which the program does not need, largest first. */
function removableFiles(folder: string): { readonly path: string; readonly bytes: number }[] {
  return readdirSync(folder)
    .filter((name) => /\.damaged-\d{4}-[0-9TZ-]+$/.test(name) && !name.startsWith("user.db"))
    .map((name) => ({ path: join(folder, name), bytes: sizeOf(join(folder, name)) }))
    .toSorted((a, b) => b.bytes - a.bytes);
}

/** Size of a file in bytes; 0 without a file. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}
