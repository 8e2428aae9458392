import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { OrphanedCache } from "#shared/bridge/methods/connections.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { readBaseUrl } from "../../client/index.ts";
import { isCacheFile, openCache, readSettings } from "../../store/index.ts";
import type { Cache, ConnectionRecord, UserStore } from "../../store/types.ts";
import { type CacheOwner, claimCache, originOf, ownerOf } from "./belonging.ts";
import { isName, nameFault, serviceRecord } from "./connectionRecords.ts";

/** What a connection of an adopted cache shall be called, and where its service is; undefined: as the cache says. */
export interface Adoption {
  readonly name?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** The caches of a data folder that lost their connection. Looks, and opens nothing for writing. */
export function orphanedCaches(users: Pick<UserStore, "connections">, dataFolder: string): OrphanedCache[] {
  const taken = new Set(users.connections().map((c) => resolve(dataFolder, c.cacheFile)));
  return readdirSync(dataFolder)
    .filter((name) => /^cache-.*\.db$/.test(name) && name !== "cache-demo.db" && name !== "cache-files.db")
    .map((name) => join(dataFolder, name))
    .filter((path) => !taken.has(path) && isCacheFile(path))
    .map((path) => {
      const owner = ownerOf({ setting: readSettings(path) });
      return { path, bytes: statSync(path).size, name: owner?.name ?? null, baseUrl: owner?.baseUrl ?? null };
    });
}

/**
 * Makes a connection for a cache that has none, where it lies. Its rows are there at once; a key has to be entered anew.
 *
 * @throws StoreError where another process has the cache open, or it cannot be used
 */
export function adoptCache(
  users: UserStore,
  dataFolder: string,
  path: string,
  asked: Adoption,
): Result<ConnectionRecord, AppFault> {
  if (!isCacheFile(path)) return failure(usageFault(`${path} is no cache of Zenith Desk: name one that is.`));
  const holder = users.connections().find((c) => resolve(dataFolder, c.cacheFile) === path);
  if (holder) return failure(usageFault(`${path} is the cache of “${holder.name}” already.`));
  const cache = openCache(path);
  try {
    const record = recordFor(users, dataFolder, cache, asked);
    if (!record.ok) return record;
    claimCache(cache, record.value);
    users.putConnection(record.value);
    return record;
  } finally {
    cache.close();
  }
}

function recordFor(
  users: UserStore,
  dataFolder: string,
  cache: Cache,
  asked: Adoption,
): Result<ConnectionRecord, AppFault> {
  const owner = ownerOf(cache);
  const baseUrl = asked.baseUrl ?? owner?.baseUrl;
  if (baseUrl === undefined)
    return failure(
      usageFault(
        "This cache does not say which service its data came from: give the address of the service (in the command line: --url).",
      ),
    );
  const address = readBaseUrl(baseUrl);
  if (!address.ok) return failure(usageFault(address.error));
  if (owner !== null && originOf(owner.baseUrl) !== address.value.origin)
    return failure(
      usageFault(
        `The data of this cache came from ${owner.baseUrl}, and not from ${baseUrl}: data of two services do not mix.`,
      ),
    );
  const name = asked.name ?? owner?.name ?? new URL(address.value.origin).hostname;
  if (!isName(name)) return failure(nameFault(name));
  if (users.connections().some((c) => c.name === name))
    return failure(
      usageFault(`Another connection is called “${name}”: choose another name (in the command line: --name).`),
    );
  return success(recordWith(users, dataFolder, cache.path, owner, name, address.value.origin + address.value.path));
}

/** With the id that the cache names, where it is free: a key that is still kept for it fits then. */
function recordWith(
  users: UserStore,
  dataFolder: string,
  path: string,
  owner: CacheOwner | null,
  name: string,
  baseUrl: string,
): ConnectionRecord {
  const fresh = serviceRecord(name, baseUrl);
  const isFree =
    owner !== null && /^[\w-]{1,100}$/.test(owner.id) && !users.connections().some((c) => c.id === owner.id);
  const isInFolder = dirname(path) === resolve(dataFolder) && /^cache-[\w.-]{1,120}\.db$/.test(basename(path));
  return { ...fresh, id: isFree ? owner.id : fresh.id, cacheFile: isInFolder ? basename(path) : path };
}
