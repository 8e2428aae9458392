import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { sweepFolder, temporaryName } from "#formats/temporary.ts";
import { StoreError } from "../../store/index.ts";
import { LIMIT } from "./limitSetting.ts";
import type { CacheCopy } from "../../ports.ts";
import type { Cache } from "../../store/types.ts";
import type { UserStore } from "../../store/user/types.ts";

/**
 * A data folder that SQLite can use. It writes files beside a database even to read it, so databases on a read-only disk
 * are copied to the system's folder for temporary files. Changes that would be lost with the copy are refused.
 */
export interface UsableDataFolder {
  /** The data folder, or a temporary folder in its place. */
  readonly folder: string;
  /** A sentence about restrictions; null without any. */
  readonly warning: string | null;
  /** Opens `user.db`, whose lasting changes are refused if it is read-only. */
  users(open: (path: string) => UserStore): UserStore;
  /** The copy of a read-only cache, made at the first call; null for a writable cache. */
  copyOf(cachePath: string): CacheCopy | null;
  close(): void;
}

/** @param dataFolder must exist */
export function prepareDataFolder(dataFolder: string): UsableDataFolder {
  const own = join(dataFolder, "user.db");
  const isReadOnly = !mayWrite(dataFolder) || (existsSync(own) && !mayWrite(own));
  let temporary: string | null = null;
  const copies = new Map<string, CacheCopy>();

  function temporaryFolder(): string {
    if (temporary !== null) return temporary;
    sweepFolder(tmpdir());
    const folder = join(tmpdir(), temporaryName());
    mkdirSync(folder, { mode: 0o700 });
    return (temporary = folder);
  }

  const folder = isReadOnly ? temporaryFolder() : dataFolder;
  return {
    folder,
    warning: isReadOnly
      ? `${dataFolder}: This folder is read-only. Cached data can be viewed and exported; nothing can be fetched or saved.`
      : null,
    users(open) {
      if (!isReadOnly) return open(own);
      const copy = join(folder, "user.db");
      if (existsSync(own)) copyDatabase(own, copy);
      return readOnlyUsers(open(copy), own);
    },
    copyOf(cachePath) {
      const path =
        isReadOnly && dirname(cachePath) === folder ? join(dataFolder, relative(folder, cachePath)) : cachePath;
      if (!existsSync(path) || (mayWrite(path) && mayWrite(dirname(path)))) return null;
      const known = copies.get(path);
      if (known !== undefined) return known;
      const copy = join(mkdtempSync(join(temporaryFolder(), "cache-")), basename(path));
      copyDatabase(path, copy);
      const made = { original: path, copy };
      copies.set(path, made);
      return made;
    },
    close() {
      if (temporary !== null) rmSync(temporary, { recursive: true, force: true });
    },
  };
}

/** Wraps the temporary copy of a cache and refuses changes, which would be lost with it. */
export function readOnlyCache(cache: Cache, path: string): Cache {
  const refuse = (): never => refuseTo(path);
  return {
    ...cache,
    shownPath: path,
    setSetting: (name, value) => (name === LIMIT ? refuse() : cache.setSetting(name, value)),
    openResponse: refuse,
    forget: refuse,
    forgetInSteps: async () => refuse(),
    pin: refuse,
    compact: async () => refuse(),
    copyTo: async () => refuse(),
  };
}

/** Allows temporary changes of settings, and refuses changes that a user would expect to last. */
function readOnlyUsers(users: UserStore, path: string): UserStore {
  const refuse = (): never => refuseTo(path);
  return {
    ...users,
    putConnection: refuse,
    deleteConnection: refuse,
    putJob: refuse,
    deleteJob: refuse,
    putView: refuse,
    deleteView: refuse,
    putSavedExport: refuse,
    renameSavedExport: refuse,
    deleteSavedExport: refuse,
  };
}

function refuseTo(path: string): never {
  throw new StoreError(
    "readOnly",
    path,
    `${path}: The file or its disk is read-only. Its data can be read and exported; nothing can be fetched or changed.`,
  );
}

/** Copies a database with its write-ahead log. */
function copyDatabase(from: string, to: string): void {
  const parts = ["", "-wal"].filter((part) => existsSync(from + part));
  const bytes = parts.reduce((sum, part) => sum + statSync(from + part).size, 0);
  const { bavail, bsize } = statfsSync(dirname(to));
  if (bytes > bavail * bsize)
    throw new StoreError(
      "full",
      from,
      `${from}: The disk of this file is read-only, and ${tmpdir()} has no room for a copy to read from. Free ${Math.ceil(bytes / 1e6)} MB there.`,
    );
  for (const part of parts) copyFileSync(from + part, to + part, constants.COPYFILE_FICLONE);
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
