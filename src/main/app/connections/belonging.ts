import { z } from "zod";
import { parseStored } from "#shared/storedJson.ts";
import { readBaseUrl } from "../../client/index.ts";
import { StoreError } from "../../store/index.ts";
import type { Cache, ConnectionRecord } from "../../store/types.ts";

/** What a cache says of the connection that it belongs to. */
export const cacheOwner = z.object({
  id: z.string().min(1).max(100),
  name: z.string().max(200),
  baseUrl: z.string().max(2_000),
});
export type CacheOwner = z.output<typeof cacheOwner>;

const OWNER = "connection";

/** @returns null where it does not say, as those of earlier versions */
export function ownerOf(cache: Pick<Cache, "setting">): CacheOwner | null {
  return parseStored(cacheOwner, cache.setting(OWNER));
}

/** Writes into a cache which connection it belongs to, so that it can be found again without `user.db`. @throws StoreError */
export function claimCache(cache: Pick<Cache, "setSetting">, { id, name, baseUrl }: CacheOwner): void {
  cache.setSetting(OWNER, JSON.stringify({ id, name, baseUrl } satisfies CacheOwner));
}

/** What one organization may see must not show under another. @throws StoreError where the cache is that of another connection */
export function demandOwn(cache: Pick<Cache, "setting" | "path">, record: ConnectionRecord): void {
  const owner = ownerOf(cache);
  if (owner === null || owner.id === record.id) return;
  throw new StoreError(
    "foreign",
    cache.path,
    `${cache.path}: This cache belongs to another connection, “${owner.name}” at ${owner.baseUrl}, and not to ` +
      `“${record.name}”. It was not changed. Remove “${record.name}” and connect anew, or restore your connections from a ` +
      "backup with “zenith restore”.",
  );
}

/** The origin of an address; an address that cannot be read has none. */
export function originOf(baseUrl: string): string {
  const read = readBaseUrl(baseUrl);
  return read.ok ? read.value.origin : "";
}
