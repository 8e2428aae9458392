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
import type { Cache, UserStore } from "../../store/types.ts";

/**
 * Where the program works. SQLite needs to write beside a database even to read it: what lies on a read-only disk is
 * copied to the system's folder for temporary files, where it can be read, drawn and exported. What would be lost with the
 * copy is refused.
 */
export interface WorkingPlace {
  /** The data folder, or the one that stands for it. */
  readonly folder: string;
  /** What cannot be done here, in a sentence; null where everything can. */
  readonly warning: string | null;
  /** `user.db`, as far as it can be changed. */
  users(open: (path: string) => UserStore): UserStore;
  /** The copy of a cache that cannot be written to, made when it is first asked for; null where it can. */
  copyOf(cachePath: string): CacheCopy | null;
  close(): void;
}

/** @param dataFolder it is there */
export function workingPlace(dataFolder: string): WorkingPlace {
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
    copyOf(asked) {
      const path = isReadOnly && dirname(asked) === folder ? join(dataFolder, relative(folder, asked)) : asked;
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

/** A cache in a copy: what it is asked to keep would be lost with it. */
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

/** Settings of the window may change until it is closed; nothing that somebody would miss the next time. */
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
    `${path}: The file or its disk is read-only. What is in it can be read and exported; nothing can be fetched or changed.`,
  );
}

/** With the log of what was written last. */
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
