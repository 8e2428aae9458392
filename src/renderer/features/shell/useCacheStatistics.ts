import type { CacheStatistics } from "#shared/series/cacheStatistics.ts";
import { bridge } from "../../bridge/index.ts";
import { useConnectionId } from "../../stores/connection.ts";
import { useThrottledCacheQuery } from "../../stores/cacheQuery.ts";

export type CacheFacts = CacheStatistics & { readonly path: string };

/** Size and content of the cache of the open connection, followed while it grows; null before it is known. */
export function useCacheStatistics(): CacheFacts | null {
  return useThrottledCacheQuery(useConnectionId(), (connectionId) => bridge.cache.statistics({ connectionId })).value;
}
