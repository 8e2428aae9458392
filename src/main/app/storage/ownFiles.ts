import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { resolveTarget } from "#formats/target.ts";
import { StoreError } from "../../store/index.ts";
import type { UserStore } from "../../store/types.ts";

/** The files that the program lives on. Whoever names one of them as a target would replace databases or keys by it. */
export interface OwnFiles {
  /**
   * Makes sure that an export or a session may be written to a path; links are followed.
   *
   * @throws StoreError `cannotOpen` where one of our own files is there, or belongs there
   */
  demandForeign(path: string): Promise<void>;
  /** Makes sure that a cache may be kept at a path. @throws StoreError `cannotOpen` where another file of ours belongs there */
  demandPlaceForCache(path: string): void;
}

/** What lies beside a database, and is written and deleted with it. */
const COMPANION = /(-(wal|shm|journal|lock|damaged)|\.unfinished)$/;
/** Of a data folder: what is named so is ours, or will be. */
const OUR_NAME = /^(user\.db|claims\.db|cache-[^/]*\.db|(open|web|window|log)[.-])/;

const CACHE_NAME = /^cache-[^/]*\.db$/;

export function createOwnFiles(users: Pick<UserStore, "connections">, dataFolder: string): OwnFiles {
  const data = real(dataFolder);
  const isIn = (path: string, ...folder: readonly string[]): boolean => dirname(path) === join(data, ...folder);

  function isOurs(asked: string): boolean {
    const path = join(real(dirname(asked)), basename(asked));
    if ((isIn(path) && OUR_NAME.test(basename(path))) || isIn(path, "keys")) return true;
    // A cache that was moved lies among files of the user: it and what begins with its name.
    return users.connections().some(({ cacheFile }) => {
      const cache = resolve(dataFolder, cacheFile);
      return path.startsWith(join(real(dirname(cache)), basename(cache)));
    });
  }

  return {
    async demandForeign(path) {
      // Why it cannot be written there at all, its writer says.
      const target = await resolveTarget(path).catch(() => null);
      if (!isOurs(resolve(path)) && (target?.kind !== "file" || !isOurs(target.path))) return;
      throw new StoreError(
        "cannotOpen",
        path,
        `${path}: Zenith Desk keeps its own data there and does not replace them. Nothing was written. Choose another place.`,
      );
    },
    demandPlaceForCache(asked) {
      const path = join(real(dirname(asked)), basename(asked));
      const name = basename(path);
      const isTaken = COMPANION.test(name) || (isIn(path) && OUR_NAME.test(name) && !CACHE_NAME.test(name));
      if (!isTaken && !isIn(path, "keys") && !isIn(path, "exports")) return;
      throw new StoreError(
        "cannotOpen",
        asked,
        `${asked}: This name belongs to another file of a database, or of Zenith Desk. Choose another one.`,
      );
    },
  };
}

/** Without links; what is not there yet keeps its name. */
function real(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    const above = dirname(folder);
    return above === folder ? folder : join(real(above), basename(folder));
  }
}
