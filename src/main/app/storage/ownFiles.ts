import { lstatSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isAlive, sweepFolder } from "#formats/leftovers.ts";
import { resolveTarget } from "#formats/target.ts";
import { StoreError, type UserStore, windowProcess } from "../../store/index.ts";

/** Files beside a database that are written and deleted with it. */
const COMPANION = /(-(wal|shm|journal|lock|damaged)|\.unfinished)$/;
/** Names in a data folder that are reserved for our files. */
const OUR_NAME = /^(user\.db|claims\.db|cache-[^/]*\.db|refresh-[^/]*\.db|(open|web|window|log)[.-])/;

const CACHE_NAME = /^cache-[^/]*\.db$/;

/** Protects databases and keys of the program from being chosen as the target of an export. */
export class OwnFiles {
  readonly #users: Pick<UserStore, "connections">;
  readonly #dataFolder: string;
  readonly #data;

  constructor(users: Pick<UserStore, "connections">, dataFolder: string) {
    this.#users = users;
    this.#dataFolder = dataFolder;
    this.#data = resolveLinks(dataFolder);
  }

  /**
   * Checks that an export or a session file may be written to a path; follows links.
   *
   * @throws StoreError `cannotOpen` if the path is that of an existing or future file of ours
   */
  async assertNotOurs(path: string): Promise<void> {
    // The writer reports why the path cannot be written.
    const target = await resolveTarget(path).catch(() => null);
    if (!this.#isOurs(resolve(path)) && (target?.kind !== "file" || !this.#isOurs(target.path))) return;
    throw new StoreError(
      "cannotOpen",
      path,
      `${path}: Zenith Desk keeps its own data there and does not replace it. Nothing was written. Choose another place.`,
    );
  }

  /** Checks that a cache may be stored at a path. @throws StoreError `cannotOpen` if the path is reserved for another file of ours */
  assertCachePathAllowed(requested: string): void {
    const path = join(resolveLinks(dirname(requested)), basename(requested));
    const name = basename(path);
    const isTaken = COMPANION.test(name) || (this.#isIn(path) && OUR_NAME.test(name) && !CACHE_NAME.test(name));
    if (!isTaken && !this.#isIn(path, "keys") && !this.#isIn(path, "exports")) return;
    throw new StoreError(
      "cannotOpen",
      requested,
      `${requested}: This name belongs to another file of a database, or of Zenith Desk. Choose another one.`,
    );
  }

  #isIn(path: string, ...folder: readonly string[]): boolean {
    return dirname(path) === join(this.#data, ...folder);
  }

  #isOurs(requested: string): boolean {
    const path = join(resolveLinks(dirname(requested)), basename(requested));
    if ((this.#isIn(path) && OUR_NAME.test(basename(path))) || this.#isIn(path, "keys")) return true;
    // A moved cache lies among files of the user: protect it and all files whose names begin with its name.
    return this.#users.connections().some(({ cacheFile }) => {
      const cache = resolve(this.#dataFolder, cacheFile);
      return path.startsWith(join(resolveLinks(dirname(cache)), basename(cache)));
    });
  }
}

/** Runs work that writes to a path outside of the program's own files. @throws as `OwnFiles.assertNotOurs` */
export type GuardedWrite = <T>(path: string, write: () => Promise<T>) => Promise<T>;

export function createGuardedWrite(ownFiles: Pick<OwnFiles, "assertNotOurs">): GuardedWrite {
  return async (path, write) => {
    await ownFiles.assertNotOurs(path);
    return write();
  };
}

/** Resolves links; parts that do not exist yet keep their names. */
function resolveLinks(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    const above = dirname(folder);
    return above === folder ? folder : join(resolveLinks(above), basename(folder));
  }
}

/** Unfinished copies and backups, and temporary files of keys. */
const UNFINISHED = /\.unfinished(-wal|-shm|-journal)?$/;
const UNFINISHED_KEY = /\.(key|sealed)\.[0-9a-f-]{36}$/;
/** Active files of these kinds are written to more often. */
const ABANDONED_MS = 45 * 60_000;

/** Removes unfinished files of killed processes from a data folder, and keeps files that may be in use. */
export function sweepDataFolder(folder: string, nowMs = Date.now()): void {
  const keys = join(folder, "keys");
  sweepFolder(folder);
  sweepFolder(keys);
  removeOld(folder, UNFINISHED, nowMs);
  removeOld(keys, UNFINISHED_KEY, nowMs);
  // Files that a window offers for download belong to its process.
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
    // The folder may be missing; failing to clean it must not prevent the start.
  }
}
