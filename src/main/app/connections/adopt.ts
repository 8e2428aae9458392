import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { notThere } from "#formats/error.ts";
import type { OrphanedCache } from "#shared/bridge/methods/connections.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { parseStored } from "#shared/storedJson.ts";
import { readBaseUrl } from "../../client/index.ts";
import {
  type Cache,
  isCacheFile,
  openCache,
  readSettings,
  StoreError,
  type UserStore,
  type ConnectionRecord,
} from "../../store/index.ts";
import { isName, nameFault, serviceRecord } from "./connectionRecords.ts";

/** The connection that a cache belongs to, as stored in the cache. */
const cacheOwner = z.object({
  id: z.string().min(1).max(100),
  name: z.string().max(200),
  baseUrl: z.string().max(2_000),
});
type CacheOwner = z.output<typeof cacheOwner>;

const OWNER = "connection";

/** @returns null if it is not stored, or is damaged */
export function readOwner(cache: Pick<Cache, "setting">): CacheOwner | null {
  return parseStored(cacheOwner, cache.setting(OWNER));
}

/** Stores in a cache which connection it belongs to, so that it can be recovered without `user.db`. @throws StoreError */
export function writeOwner(cache: Pick<Cache, "setSetting">, { id, name, baseUrl }: CacheOwner): void {
  cache.setSetting(OWNER, JSON.stringify({ id, name, baseUrl } satisfies CacheOwner));
}

/** Guards against showing data of one organization to another. @throws StoreError if the cache belongs to another connection */
export function assertOwner(cache: Pick<Cache, "setting" | "path">, record: ConnectionRecord): void {
  const owner = readOwner(cache);
  if (owner === null || owner.id === record.id) return;
  throw new StoreError(
    "foreign",
    cache.path,
    `${cache.path}: This cache belongs to another connection, “${owner.name}” at ${owner.baseUrl}, and not to ` +
      `“${record.name}”. It was not changed. Remove “${record.name}” and add it again, or restore your connections from a ` +
      "backup with “zenith restore”.",
  );
}

/** The origin of an address; empty for an invalid address. */
export function originOf(baseUrl: string): string {
  const read = readBaseUrl(baseUrl);
  return read.ok ? read.value.origin : "";
}

/** Name and service address for an adopted cache; undefined: as stored in the cache. */
export interface AdoptOverrides {
  readonly name?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** Lists the caches in a data folder that belong to no connection, without opening any for writing. */
export function orphanedCaches(users: Pick<UserStore, "connections">, dataFolder: string): OrphanedCache[] {
  const taken = new Set(users.connections().map((c) => resolve(dataFolder, c.cacheFile)));
  return readdirSync(dataFolder)
    .filter((name) => /^cache-.*\.db$/.test(name) && name !== "cache-demo.db" && name !== "cache-files.db")
    .map((name) => join(dataFolder, name))
    .filter((path) => !taken.has(path) && isCacheFile(path))
    .map((path) => {
      const owner = readOwner({ setting: readSettings(path) });
      return { path, bytes: statSync(path).size, name: owner?.name ?? null, baseUrl: owner?.baseUrl ?? null };
    });
}

/**
 * Gives a cache its connection again, and leaves the file in place: the connection that is recorded in it, if there is one
 * whose file is missing (its disk has another path, or the file was moved by hand); else a new one, whose key has to be
 * entered.
 *
 * @throws StoreError if it does not exist, another process has it open, or it cannot be used
 */
export function adoptCache(
  users: UserStore,
  dataFolder: string,
  path: string,
  overrides: AdoptOverrides,
): Result<ConnectionRecord, AppFault> {
  if (!existsSync(path)) throw new StoreError("cannotOpen", path, notThere(path));
  if (!isCacheFile(path)) return usageFailure(`${path} is not a cache of Zenith Desk. Name one that is.`);
  // Under another path too: a link, or another mount point.
  const holder = users.connections().find((c) => isSameFile(resolve(dataFolder, c.cacheFile), path));
  if (holder) return usageFailure(`${path} is the cache of “${holder.name}” already.`);
  const cache = openCache(path);
  try {
    const isAsRecorded = overrides.name === undefined && overrides.baseUrl === undefined;
    const left = isAsRecorded ? leftBy(users, dataFolder, cache) : null;
    if (left !== null) {
      const found = { ...left, cacheFile: cacheFileIn(dataFolder, path) };
      users.putConnection(found);
      return success(found);
    }
    const record = recordFor(users, dataFolder, cache, overrides);
    if (!record.ok) return record;
    writeOwner(cache, record.value);
    users.putConnection(record.value);
    return record;
  } finally {
    cache.close();
  }
}

function isSameFile(path: string, other: string): boolean {
  const [a, b] = [path, other].map((each) => statSync(each, { bigint: true, throwIfNoEntry: false }));
  return a !== undefined && a.dev === b?.dev && a.ino === b.ino;
}

/** The connection recorded in a cache, if the file that it should have is not there; null otherwise. */
function leftBy(users: UserStore, dataFolder: string, cache: Cache): ConnectionRecord | null {
  const owner = readOwner(cache);
  const record = users.connections().find(({ id }) => id === owner?.id);
  if (!record || existsSync(resolve(dataFolder, record.cacheFile))) return null;
  return originOf(record.baseUrl) === originOf(owner?.baseUrl ?? "") ? record : null;
}

/** How a connection records the path of its cache: by name in the data folder, which may be renamed or copied. */
export function cacheFileIn(dataFolder: string, path: string): string {
  const isInFolder = dirname(path) === resolve(dataFolder) && /^cache-[\w.-]{1,120}\.db$/.test(basename(path));
  return isInFolder ? basename(path) : path;
}

function recordFor(
  users: UserStore,
  dataFolder: string,
  cache: Cache,
  overrides: AdoptOverrides,
): Result<ConnectionRecord, AppFault> {
  const owner = readOwner(cache);
  const baseUrl = overrides.baseUrl ?? owner?.baseUrl;
  if (baseUrl === undefined)
    return usageFailure(
      "This cache does not say which service its data came from: give the address of the service (in the command line: --url).",
    );
  const address = readBaseUrl(baseUrl);
  if (!address.ok) return usageFailure(address.error);
  if (owner !== null && originOf(owner.baseUrl) !== address.value.origin)
    return usageFailure(
      `The data of this cache came from ${owner.baseUrl}, and not from ${baseUrl}: data of two services do not mix.`,
    );
  const name = overrides.name ?? owner?.name ?? new URL(address.value.origin).hostname;
  if (!isName(name)) return failure(nameFault(name));
  if (users.connections().some((c) => c.name === name))
    return usageFailure(`Another connection is called “${name}”: choose another name (in the command line: --name).`);
  const fresh = serviceRecord(name, address.value.origin + address.value.path);
  // The id stored in the cache, if it is free, so that a key still stored for it fits.
  const isFree =
    owner !== null && /^[\w-]{1,100}$/.test(owner.id) && !users.connections().some((c) => c.id === owner.id);
  return success({ ...fresh, id: isFree ? owner.id : fresh.id, cacheFile: cacheFileIn(dataFolder, cache.path) });
}
