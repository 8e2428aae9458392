import { cleanupOf } from "#shared/async.ts";
import { useEffect, useRef, useState } from "react";
import type { CallOptions } from "#shared/bridge/method.ts";
import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { bridge } from "../../bridge/index.ts";

export interface QueryState<T> {
  readonly value: T | null;
  readonly fault: AppFault | null;
  readonly isLoading: boolean;
}

/** Every query names the connection and the stations whose changes cause a reload. */
type SeriesInput = { readonly connectionId: string } & (
  | { readonly stationIds: readonly string[] }
  | { readonly stationId: string }
);

interface SeriesQueryOptions<Input, Value> {
  /** null loads nothing. */
  readonly input: Input | null;
  /** A method of the bridge. */
  readonly load: (input: Input, options: CallOptions) => Promise<Result<Value, AppFault>>;
  /** The previous value is kept while loading as long as this does not change; compared as JSON. */
  readonly retainFor: unknown;
  /** Time that the input must be unchanged before loading. */
  readonly delayMs: number;
  /** Another number loads again. */
  readonly turn?: number;
}

const REFRESH_MS = 1_000;

/** Loads data of series from the cache once the input rests, and again when the cache changes; outdated answers are dropped. */
export function useSeriesQuery<Input extends SeriesInput, Value>(
  options: SeriesQueryOptions<Input, Value>,
): QueryState<Value> {
  const { input, delayMs, turn = 0 } = options;
  const key = input === null ? null : JSON.stringify(input);
  const retainFor = JSON.stringify(options.retainFor);
  const [state, setState] = useState<QueryState<Value> & { readonly retainFor: string }>({
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
    const { signal } = control;
    const load = async (): Promise<void> => {
      const { current } = latest;
      if (current.input === null) return;
      setState((now) => ({ ...now, isLoading: true }));
      const answer = await current.load(current.input, { signal });
      if (signal.aborted) return;
      if (answer.ok) setState({ value: answer.value, fault: null, isLoading: false, retainFor });
      else if (answer.error.kind !== "cancelled")
        setState({ value: null, fault: answer.error, isLoading: false, retainFor });
    };
    const timer = setTimeout(() => void load(), delayMs);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [key, retainFor, delayMs, turn, changes]);

  return key !== null && state.retainFor === retainFor ? state : { value: null, fault: null, isLoading: key !== null };
}

/**
 * Counts changes of the series in question: the first at once, so that the data is not older than the plotted lines, later
 * ones at most once a second.
 */
function useChangeCount(latest: { readonly current: { readonly input: SeriesInput | null } }): number {
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
      const { input } = latest.current;
      if (connectionId !== input?.connectionId) return;
      const own = "stationIds" in input ? input.stationIds : [input.stationId];
      if (stationIds === null || stationIds.some((id) => own.includes(id))) countChange();
    };
    return cleanupOf(
      bridge.on("cacheChanged", ({ connectionId, stationIds }) => onChange(connectionId, stationIds)),
      // A download without data still has verdicts, which explain the gaps.
      bridge.on("jobChanged", ({ connectionId, spec, state }) => {
        if (state !== "running" && state !== "queued") onChange(connectionId, spec.stationIds);
      }),
      // The service may have revised heights, or the time of the first or the last observation.
      bridge.on("catalogueChanged", ({ connectionId }) => onChange(connectionId, null)),
      bridge.on("engineRestarted", countChange),
      () => clearTimeout(timer),
    );
  }, [latest]);
  return changeCount;
}
