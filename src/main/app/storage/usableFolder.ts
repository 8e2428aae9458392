import { constants, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { sweepFolder, temporaryName } from "#formats/leftovers.ts";
import { defined } from "#shared/defined.ts";
import type { CacheCopy } from "../../ports.ts";
import { assertReadable, lockFile, StoreError } from "../../store/index.ts";
import type { Cache, CacheReader } from "../../store/types.ts";
import type { UserStore } from "../../store/user/types.ts";
import { megabytes, refuseTo, type Restriction, restrictionOf, sizeOf, warningOf } from "./restriction.ts";

/** The setting of a cache that says how large it may become. */
export const LIMIT = "limitBytes";

/**
 * A data folder that SQLite can use. It writes files beside a database even to read it, so databases on a read-only or
 * full disk are copied to the system's folder for temporary files. Changes that would be lost with the copy are refused.
 */
interface UsableDataFolder {
  /** The data folder, or a temporary folder in its place. */
  readonly folder: string;
  /** A sentence about restrictions; null without any. */
  readonly warning: string | null;
  /** Opens `user.db`, whose lasting changes are refused if it is a copy. */
  users(open: (path: string) => UserStore): UserStore;
  /**
   * The copy of a cache that cannot be changed, made at the first call; null for a writable cache.
   *
   * @throws StoreError if another user has closed the cache, there is no room for the copy, or another process keeps the
   *   cache from being copied
   */
  copyOf(cachePath: string): CacheCopy | null;
  close(): void;
}

/** How long to wait for another process that copies user.db, or has it open. */
const OWN_WAIT_MS = 500;
/** A cache takes longer to copy. */
const CACHE_WAIT_MS = 3_000;

/**
 * @param dataFolder must exist
 * @throws StoreError if another user has closed it
 */
export function prepareDataFolder(dataFolder: string): UsableDataFolder {
  const own = join(dataFolder, "user.db");
  let temporary: string | null = null;
  const copies = new Map<string, CacheCopy>();

  function temporaryFolder(): string {
    if (temporary !== null) return temporary;
    sweepFolder(tmpdir());
    const folder = join(tmpdir(), temporaryName());
    mkdirSync(folder, { mode: 0o700 });
    return (temporary = folder);
  }

  function close(): void {
    if (temporary !== null) rmSync(temporary, { recursive: true, force: true });
    temporary = null;
  }

  function copyOwn(): Restriction | null {
    assertReadable(own);
    const why = restrictionOf(own);
    try {
      if (why !== null) copyDatabase(own, join(temporaryFolder(), "user.db"), why, OWN_WAIT_MS);
      return why;
    } catch (thrown) {
      close();
      if (isInUse(thrown)) return null;
      throw thrown;
    }
  }

  const restriction = copyOwn();
  const folder = restriction === null ? dataFolder : temporaryFolder();
  return {
    folder,
    warning: restriction === null ? null : warningOf(dataFolder, restriction),
    users: (open) =>
      restriction === null ? open(own) : readOnlyUsers(open(join(folder, "user.db")), own, restriction),
    copyOf(cachePath) {
      const path =
        restriction !== null && dirname(cachePath) === folder
          ? join(dataFolder, relative(folder, cachePath))
          : cachePath;
      assertReadable(path);
      if (!existsSync(path)) return null;
      const why = restrictionOf(path);
      // A disk may have room again.
      if (why === null && path === cachePath) return null;
      const known = copies.get(path);
      if (known !== undefined) return known;
      const copy = join(mkdtempSync(join(temporaryFolder(), "cache-")), basename(path));
      try {
        copyDatabase(path, copy, why ?? defined(restriction), CACHE_WAIT_MS);
      } catch (thrown) {
        // A path in the temporary folder would be that of a new, empty cache.
        if (path === cachePath && isInUse(thrown)) return null;
        throw thrown;
      }
      const made = { original: path, copy, why: why ?? defined(restriction) };
      copies.set(path, made);
      return made;
    },
    close,
  };
}

// The wrappers below name what they allow and what they replace: a new method of a store compiles only in one of both.

type AllowedForCache =
  | keyof CacheReader
  | "path"
  | "quarantined"
  | "checkedAfterKill"
  | "endChecks"
  | "exclusively"
  | "isInPlace"
  | "replaceCatalogue"
  | "amendCoverage"
  | "check"
  | "close";

/** Wraps the temporary copy of a cache and refuses changes, which would be lost with it. */
export function readOnlyCache(cache: Cache, { original, why }: CacheCopy): Cache {
  const refuse = (): never => refuseTo(original, why);
  const replaced: Omit<Cache, AllowedForCache> = {
    shownPath: original,
    assertLasting: refuse,
    setSetting: (name, value) => (name === LIMIT ? refuse() : cache.setSetting(name, value)),
    openResponse: refuse,
    removeValues: refuse,
    forget: refuse,
    forgetInSteps: async () => refuse(),
    pin: refuse,
    compact: async () => refuse(),
    repair: async () => refuse(),
    copyTo: async () => refuse(),
  };
  return { ...cache, ...replaced };
}

type AllowedForUsers =
  | "path"
  | "connections"
  | "backedUpAddresses"
  | "jobs"
  | "job"
  | "verdicts"
  | "views"
  | "savedExports"
  | "schedules"
  | "scheduleRuns"
  | "scheduleRanges"
  | "setting"
  | "putSetting"
  | "close";

/** Allows temporary changes of settings, and refuses changes that a user would expect to last. */
function readOnlyUsers(users: UserStore, path: string, why: Restriction): UserStore {
  const refuse = (): never => refuseTo(path, why);
  const replaced: Omit<UserStore, AllowedForUsers> = {
    assertLasting: refuse,
    putConnection: refuse,
    deleteConnection: refuse,
    putJob: refuse,
    deleteJob: refuse,
    putView: refuse,
    deleteView: refuse,
    putSavedExport: refuse,
    renameSavedExport: refuse,
    deleteSavedExport: refuse,
    putSchedule: refuse,
    deleteSchedule: refuse,
    enterScheduleRanges: refuse,
    putScheduleRanges: refuse,
    deleteScheduleRange: refuse,
    putScheduleRun: refuse,
  };
  return { ...users, ...replaced };
}

/**
 * Copies a database, if it exists, with its write-ahead log.
 *
 * @throws StoreError `full` if there is no room for the copy; `busy` if another process has the file open on a full disk and
 *   could change it during the copy. In that case SQLite's log files exist, so the original can be opened.
 */
function copyDatabase(from: string, to: string, why: Restriction, waitMs: number): void {
  const release = why === "full" ? lockForCopy(from, waitMs) : () => undefined;
  try {
    const parts = ["", "-wal"].filter((part) => existsSync(from + part));
    const bytes = parts.reduce((sum, part) => sum + sizeOf(from + part), 0);
    const { bavail, bsize } = statfsSync(dirname(to));
    if (bytes > bavail * bsize)
      throw new StoreError(
        "full",
        from,
        `${from}: The disk of this file is ${why === "full" ? "full" : "read-only"}, and ${tmpdir()} has no room for a copy to read from. ` +
          `Free ${megabytes(bytes)} there, or name another folder with TMPDIR.`,
      );
    for (const part of parts) copyFileSync(from + part, to + part, constants.COPYFILE_FICLONE);
  } finally {
    release();
  }
}

function lockForCopy(path: string, waitMs: number): () => void {
  try {
    return lockFile(path, "read it from a copy", { waitMs });
  } catch (thrown) {
    if (isInUse(thrown)) throw thrown;
    // Without space for the lock file, no process has a lock.
    return () => undefined;
  }
}

function isInUse(thrown: unknown): boolean {
  return thrown instanceof StoreError && thrown.kind === "busy";
}
