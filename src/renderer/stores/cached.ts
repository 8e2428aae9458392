import { useEffect, useRef, useState } from "react";
import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { followCache } from "./followCache.ts";

const SETTLE_MS = 120;

/**
 * Something that the core tells of the cache, asked again when `key` or the cache changes; questions that come in quick
 * succession are asked once. The last answer stays until the next is there; null before the first, and where `key` is.
 *
 * @param key says what is asked; null asks nothing
 */
export function useCached<T>(
  connectionId: string,
  key: string | null,
  ask: (signal: AbortSignal) => Promise<Result<T, AppFault>>,
): T | null {
  const [answer, setAnswer] = useState<T | null>(null);
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (key === null) return setAnswer(null);
    let control: AbortController | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = (): void => {
      timer ??= setTimeout(() => void now(), SETTLE_MS);
    };
    const now = async (): Promise<void> => {
      timer = undefined;
      control?.abort();
      const mine = new AbortController();
      control = mine;
      const result = await latest.current(mine.signal);
      if (!mine.signal.aborted && result.ok) setAnswer(result.value);
    };
    soon();
    const unfollow = followCache(connectionId, soon);
    return () => {
      unfollow();
      clearTimeout(timer);
      control?.abort();
    };
  }, [connectionId, key]);
  return key === null ? null : answer;
}
