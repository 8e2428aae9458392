import { useEffect, useRef, useState } from "react";
import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { bridge } from "../../bridge/index.ts";

export interface QueryState<T> {
  readonly value: T | null;
  readonly fault: AppFault | null;
  readonly isLoading: boolean;
}

export interface SeriesQueryOptions<T> {
  /** Identifies the query completely; null loads nothing. */
  readonly key: string | null;
  /** The previous value is kept while loading as long as this does not change. */
  readonly retainFor: string;
  readonly load: (signal: AbortSignal) => Promise<Result<T, AppFault>>;
  /** Time that the key must be unchanged before loading. */
  readonly delayMs: number;
  /** Connection and stations whose changes cause a reload. */
  readonly connectionId: string;
  readonly stationIds: readonly string[];
}

const REFRESH_MS = 1_000;

/** Loads data of series from the cache once the key rests, and again when the cache changes; outdated answers are dropped. */
export function useSeriesQuery<T>(options: SeriesQueryOptions<T>): QueryState<T> {
  const { key, retainFor, delayMs } = options;
  const [state, setState] = useState<QueryState<T> & { readonly retainFor: string }>({
    value: null,
    fault: null,
    isLoading: false,
    retainFor,
  });
  const latest = useRef(options);
  latest.current = options;
  const changes = useChangeCount(latest);

  useEffect(() => {
    if (key === null) return;
    const control = new AbortController();
    const load = async (): Promise<void> => {
      setState((now) => ({ ...now, isLoading: true }));
      const answer = await latest.current.load(control.signal);
      if (control.signal.aborted) return;
      if (answer.ok) setState({ value: answer.value, fault: null, isLoading: false, retainFor });
      else if (answer.error.kind !== "cancelled")
        setState({ value: null, fault: answer.error, isLoading: false, retainFor });
    };
    const timer = setTimeout(() => void load(), delayMs);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [key, retainFor, delayMs, changes]);

  return key !== null && state.retainFor === retainFor ? state : { value: null, fault: null, isLoading: key !== null };
}

/**
 * Counts changes of the series in question: the first at once, so that the data is not older than the plotted lines, later
 * ones at most once a second.
 */
function useChangeCount(latest: {
  readonly current: Pick<SeriesQueryOptions<unknown>, "connectionId" | "stationIds">;
}): number {
  const [changeCount, setChangeCount] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isMissed = false;
    const countChange = (): void => {
      if (timer !== undefined) {
        isMissed = true;
        return;
      }
      setChangeCount((n) => n + 1);
      timer = setTimeout(() => {
        timer = undefined;
        if (!isMissed) return;
        isMissed = false;
        countChange();
      }, REFRESH_MS);
    };
    const onChange = (connectionId: string, stationIds: readonly string[] | null): void => {
      const { current } = latest;
      if (connectionId !== current.connectionId) return;
      if (stationIds === null || stationIds.some((id) => current.stationIds.includes(id))) countChange();
    };
    const offCache = bridge.on("cacheChanged", ({ connectionId, stationIds }) => onChange(connectionId, stationIds));
    // A download without data still has verdicts, which explain the gaps.
    const offJobs = bridge.on("jobChanged", ({ connectionId, spec, state }) => {
      if (state !== "running" && state !== "queued") onChange(connectionId, spec.stationIds);
    });
    const offEngine = bridge.on("engineRestarted", countChange);
    return () => {
      offCache();
      offJobs();
      offEngine();
      clearTimeout(timer);
    };
  }, [latest]);
  return changeCount;
}
