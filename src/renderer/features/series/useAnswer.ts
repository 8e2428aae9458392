import { useEffect, useRef, useState } from "react";
import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { bridge } from "../../bridge/index.ts";

export interface Answer<T> {
  /** The last answer to this very question, or null. */
  readonly value: T | null;
  readonly fault: AppFault | null;
  readonly isLoading: boolean;
}

export interface Question<T> {
  /** What is asked, in full: another key is another question. null asks nothing. */
  readonly key: string | null;
  /** Part of the key within which an older answer stays while a newer one is on its way. */
  readonly family: string;
  readonly ask: (signal: AbortSignal) => Promise<Result<T, AppFault>>;
  /** How long the question has to stand before it is asked. */
  readonly restMs: number;
  /** The cache that it is about, and the stations. */
  readonly connectionId: string;
  readonly stationIds: readonly string[];
}

const REFRESH_MS = 1_000;

/** Asks the cache once a question rests, and again when what it is about has changed; older answers are dropped. */
export function useAnswer<T>(question: Question<T>): Answer<T> {
  const { key, family, restMs } = question;
  const [kept, keep] = useState<Answer<T> & { readonly family: string }>({
    value: null,
    fault: null,
    isLoading: false,
    family,
  });
  const latest = useRef(question);
  latest.current = question;
  const turn = useChanges(latest);

  useEffect(() => {
    if (key === null) return;
    const control = new AbortController();
    const ask = async (): Promise<void> => {
      keep((now) => ({ ...now, isLoading: true }));
      const answer = await latest.current.ask(control.signal);
      if (control.signal.aborted) return;
      if (answer.ok) keep({ value: answer.value, fault: null, isLoading: false, family });
      else if (answer.error.kind !== "cancelled") keep({ value: null, fault: answer.error, isLoading: false, family });
    };
    const timer = setTimeout(() => void ask(), restMs);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [key, family, restMs, turn]);

  return key !== null && kept.family === family ? kept : { value: null, fault: null, isLoading: key !== null };
}

/**
 * Counts the changes of what the question is about: the first at once, so that an answer is not older than the lines
 * beside it, those that follow at most once a second.
 */
function useChanges(latest: { readonly current: Pick<Question<unknown>, "connectionId" | "stationIds"> }): number {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isMissed = false;
    const again = (): void => {
      if (timer !== undefined) {
        isMissed = true;
        return;
      }
      setTurn((n) => n + 1);
      timer = setTimeout(() => {
        timer = undefined;
        if (!isMissed) return;
        isMissed = false;
        again();
      }, REFRESH_MS);
    };
    const changed = (connectionId: string, stationIds: readonly string[] | null): void => {
      const about = latest.current;
      if (connectionId !== about.connectionId) return;
      if (stationIds === null || stationIds.some((id) => about.stationIds.includes(id))) again();
    };
    const offCache = bridge.on("cacheChanged", ({ connectionId, stationIds }) => changed(connectionId, stationIds));
    // A download that brought nothing has verdicts all the same: they say why there is nothing.
    const offJobs = bridge.on("jobChanged", ({ connectionId, spec, state }) => {
      if (state !== "running" && state !== "queued") changed(connectionId, spec.stationIds);
    });
    const offEngine = bridge.on("engineRestarted", again);
    return () => {
      offCache();
      offJobs();
      offEngine();
      clearTimeout(timer);
    };
  }, [latest]);
  return turn;
}
