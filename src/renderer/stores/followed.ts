import { useCallback, useEffect, useRef, useState } from "react";
import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { followCache } from "./followCache.ts";

/** Sizes need not follow every row that arrives. */
const PAUSE_MS = 2_000;

export interface Followed<T> {
  /** null before it is known. */
  readonly value: T | null;
  /** Asks now. */
  readonly again: () => void;
}

/** Something about the cache of a connection, asked again at leisure while that changes. */
export function useFollowed<T>(
  connectionId: string,
  ask: (connectionId: string) => Promise<Result<T, AppFault>>,
): Followed<T> {
  const [known, setKnown] = useState<{ readonly of: string; readonly value: T } | null>(null);
  const [turn, setTurn] = useState(0);
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (connectionId === "") return;
    let isLeft = false;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const look = async (): Promise<void> => {
      timer = null;
      const answer = await latest.current(connectionId);
      if (!isLeft && answer.ok) setKnown({ of: connectionId, value: answer.value });
    };
    void look();
    const unfollow = followCache(connectionId, () => {
      timer ??= setTimeout(() => void look(), PAUSE_MS);
    });
    return () => {
      isLeft = true;
      if (timer !== null) clearTimeout(timer);
      unfollow();
    };
  }, [connectionId, turn]);
  const again = useCallback(() => setTurn((n) => n + 1), []);
  return { value: known?.of === connectionId ? known.value : null, again };
}
