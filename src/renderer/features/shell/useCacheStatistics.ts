import { useEffect, useState } from "react";
import type { CacheStatistics } from "#shared/series/cacheStatistics.ts";
import { bridge } from "../../bridge/index.ts";
import { useConnectionId } from "../../stores/connection.ts";

export type CacheFacts = CacheStatistics & { readonly path: string };

/** Sizes need not follow every row that arrives. */
const PAUSE_MS = 2_000;

/** Size and content of the cache of the open connection, followed while it grows; null before it is known. */
export function useCacheStatistics(): CacheFacts | null {
  const connectionId = useConnectionId();
  const [known, setKnown] = useState<{ readonly of: string; readonly facts: CacheFacts } | null>(null);
  useEffect(() => {
    if (connectionId === "") return;
    let isLeft = false;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const ask = async (): Promise<void> => {
      timer = null;
      const answer = await bridge.cache.statistics({ connectionId });
      if (!isLeft && answer.ok) setKnown({ of: connectionId, facts: answer.value });
    };
    void ask();
    const unfollow = bridge.on("cacheChanged", (change) => {
      if (change.connectionId === connectionId) timer ??= setTimeout(() => void ask(), PAUSE_MS);
    });
    return () => {
      isLeft = true;
      if (timer !== null) clearTimeout(timer);
      unfollow();
    };
  }, [connectionId]);
  return known?.of === connectionId ? known.facts : null;
}
