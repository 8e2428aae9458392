import { cleanupOf } from "#shared/async.ts";
import { useCallback, useEffect, useRef, useState } from "react";
import type { CallOptions } from "#shared/bridge/method.ts";
import type { AppFault } from "#shared/fault.ts";
import type { CacheStatistics } from "#shared/series/cache.ts";
import type { Result } from "#shared/service/error.ts";
import { bridge } from "../bridge/index.ts";
import { useConnectionId } from "./connection.ts";

/**
 * Calls `listener` whenever the cache of a connection may have changed, also after a restart of the engine, because
 * changes in between were not reported.
 *
 * @returns a function that unsubscribes
 */
export function onCacheChange(connectionId: string, listener: () => void): () => void {
  return cleanupOf(
    bridge.on("cacheChanged", (change) => {
      if (change.connectionId === connectionId) listener();
    }),
    bridge.on("engineRestarted", listener),
  );
}

/** Changes in quick succession cause one request. */
const DEBOUNCE_MS = 120;

/**
 * Loads something that depends on the cache, again whenever `input` or the cache changes. Requests in quick succession are
 * combined; the previous value stays until the next one arrives.
 *
 * @param input null loads nothing
 * @param load a method of the bridge, or a function like one
 * @returns null before the first value, and without input
 */
export function useCacheQuery<Input extends { readonly connectionId: string }, Value>(
  input: Input | null,
  load: (input: Input, options: CallOptions) => Promise<Result<Value, AppFault>>,
): Value | null {
  const [value, setValue] = useState<Value | null>(null);
  const latest = useRef({ input, load });
  latest.current = { input, load };
  const key = input === null ? null : JSON.stringify(input);
  const connectionId = input?.connectionId ?? "";
  useEffect(() => {
    if (key === null) return setValue(null);
    let control: AbortController | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const loadSoon = (): void => {
      timer ??= setTimeout(() => void loadNow(), DEBOUNCE_MS);
    };
    const loadNow = async (): Promise<void> => {
      timer = undefined;
      control?.abort();
      const own = new AbortController();
      control = own;
      const { current } = latest;
      if (current.input === null) return;
      const answer = await current.load(current.input, { signal: own.signal });
      if (!own.signal.aborted && answer.ok) setValue(answer.value);
    };
    loadSoon();
    const unsubscribe = onCacheChange(connectionId, loadSoon);
    return () => {
      unsubscribe();
      clearTimeout(timer);
      control?.abort();
    };
  }, [connectionId, key]);
  return key === null ? null : value;
}

/** Sizes need not be updated for every row that arrives. */
const THROTTLE_MS = 2_000;

interface ThrottledQuery<T> {
  /** null until it is loaded. */
  readonly value: T | null;
  readonly reload: () => void;
}

/** Loads something that depends on the cache, at once and then at most every two seconds while the cache changes. */
export function useThrottledCacheQuery<T>(
  connectionId: string,
  load: (connectionId: string) => Promise<Result<T, AppFault>>,
): ThrottledQuery<T> {
  const [loaded, setLoaded] = useState<{ readonly connectionId: string; readonly value: T } | null>(null);
  const [turn, setTurn] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (connectionId === "") return;
    let isUnmounted = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const loadNow = async (): Promise<void> => {
      timer = undefined;
      const answer = await latest.current(connectionId);
      if (!isUnmounted && answer.ok) setLoaded({ connectionId, value: answer.value });
    };
    void loadNow();
    const unsubscribe = onCacheChange(connectionId, () => {
      timer ??= setTimeout(() => void loadNow(), THROTTLE_MS);
    });
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
      unsubscribe();
    };
  }, [connectionId, turn]);
  const reload = useCallback(() => setTurn((n) => n + 1), []);
  return { value: loaded?.connectionId === connectionId ? loaded.value : null, reload };
}

type CacheFacts = CacheStatistics & { readonly path: string };

/** Returns size and content of the open connection's cache, updated as it changes; null until known. */
export function useCacheStatistics(): CacheFacts | null {
  return useThrottledCacheQuery(useConnectionId(), (connectionId) => bridge.cache.statistics({ connectionId })).value;
}
