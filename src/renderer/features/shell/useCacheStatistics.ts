import type { CacheStatistics } from "#shared/series/cacheStatistics.ts";
import { bridge } from "../../bridge/index.ts";
import { useConnectionId } from "../../stores/connection.ts";
import { useThrottledCacheQuery } from "../../stores/cacheQuery.ts";

type CacheFacts = CacheStatistics & { readonly path: string };

/** Returns size and content of the open connection's cache, updated as it changes; null until known. */
export function useCacheStatistics(): CacheFacts | null {
  return useThrottledCacheQuery(useConnectionId(), (connectionId) => bridge.cache.statistics({ connectionId })).value;
}
