import { z } from "zod";
import { parseStored } from "#shared/storedJson.ts";
import { readBaseUrl } from "../../client/index.ts";
import { StoreError } from "../../store/index.ts";
import type { Cache } from "../../store/types.ts";
import type { ConnectionRecord } from "../../store/user/types.ts";

/** The connection that a cache belongs to, as stored in the cache. */
const cacheOwner = z.object({
  id: z.string().min(1).max(100),
  name: z.string().max(200),
  baseUrl: z.string().max(2_000),
});
export type CacheOwner = z.output<typeof cacheOwner>;

const OWNER = "connection";

/** @returns null for caches of earlier versions, which do not store it */
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
      `“${record.name}”. It was not changed. Remove “${record.name}” and connect anew, or restore your connections from a ` +
      "backup with “zenith restore”.",
  );
}

/** The origin of an address; empty for an invalid address. */
export function originOf(baseUrl: string): string {
  const read = readBaseUrl(baseUrl);
  return read.ok ? read.value.origin : "";
}
