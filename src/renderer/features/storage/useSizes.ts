import { useCallback, useEffect, useState } from "react";
import type { StationSize } from "#shared/series/stationSize.ts";
import { bridge } from "../../bridge/index.ts";

/** Sizes need not follow every row that arrives. */
const PAUSE_MS = 2_000;

/** What each station takes, followed while it grows; null before it is known. `again` asks now. */
export function useSizes(connectionId: string): {
  readonly sizes: readonly StationSize[] | null;
  readonly again: () => void;
} {
  const [known, setKnown] = useState<{ readonly of: string; readonly sizes: readonly StationSize[] } | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isLeft = false;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const ask = async (): Promise<void> => {
      timer = null;
      const answer = await bridge.cache.stations({ connectionId });
      if (!isLeft && answer.ok) setKnown({ of: connectionId, sizes: answer.value });
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
  }, [connectionId, turn]);
  const again = useCallback(() => setTurn((n) => n + 1), []);
  return { sizes: known?.of === connectionId ? known.sizes : null, again };
}
