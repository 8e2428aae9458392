import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { resolveTarget } from "#formats/target.ts";
import { StoreError } from "../../store/index.ts";
import type { UserStore } from "../../store/user/types.ts";

/** Protects databases and keys of the program from being chosen as the target of an export. */
export interface OwnFiles {
  /**
   * Checks that an export or a session file may be written to a path; follows links.
   *
   * @throws StoreError `cannotOpen` if the path is that of an existing or future file of ours
   */
  assertNotOurs(path: string): Promise<void>;
  /** Checks that a cache may be stored at a path. @throws StoreError `cannotOpen` if the path is reserved for another file of ours */
  assertCachePathAllowed(path: string): void;
}

/** Files beside a database that are written and deleted with it. */
const COMPANION = /(-(wal|shm|journal|lock|damaged)|\.unfinished)$/;
/** Names in a data folder that are reserved for our files. */
const OUR_NAME = /^(user\.db|claims\.db|cache-[^/]*\.db|(open|web|window|log)[.-])/;

const CACHE_NAME = /^cache-[^/]*\.db$/;

export function createOwnFiles(users: Pick<UserStore, "connections">, dataFolder: string): OwnFiles {
  const data = resolveLinks(dataFolder);
  const isIn = (path: string, ...folder: readonly string[]): boolean => dirname(path) === join(data, ...folder);

  function isOurs(requested: string): boolean {
    const path = join(resolveLinks(dirname(requested)), basename(requested));
    if ((isIn(path) && OUR_NAME.test(basename(path))) || isIn(path, "keys")) return true;
    // A moved cache lies among files of the user: protect it and all files whose names begin with its name.
    return users.connections().some(({ cacheFile }) => {
      const cache = resolve(dataFolder, cacheFile);
      return path.startsWith(join(resolveLinks(dirname(cache)), basename(cache)));
    });
  }

  return {
    async assertNotOurs(path) {
      // The writer reports why the path cannot be written.
      const target = await resolveTarget(path).catch(() => null);
      if (!isOurs(resolve(path)) && (target?.kind !== "file" || !isOurs(target.path))) return;
      throw new StoreError(
        "cannotOpen",
        path,
        `${path}: Zenith Desk keeps its own data there and does not replace it. Nothing was written. Choose another place.`,
      );
    },
    assertCachePathAllowed(requested) {
      const path = join(resolveLinks(dirname(requested)), basename(requested));
      const name = basename(path);
      const isTaken = COMPANION.test(name) || (isIn(path) && OUR_NAME.test(name) && !CACHE_NAME.test(name));
      if (!isTaken && !isIn(path, "keys") && !isIn(path, "exports")) return;
      throw new StoreError(
        "cannotOpen",
        requested,
        `${requested}: This name belongs to another file of a database, or of Zenith Desk. Choose another one.`,
      );
    },
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
