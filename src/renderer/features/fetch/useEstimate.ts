import { cleanupOf } from "#shared/async.ts";
import { useEffect, useRef, useState } from "react";
import type { AppFault } from "#shared/fault.ts";
import type { Estimate, JobSpec } from "#shared/job/job.ts";
import { useIsFile } from "../../stores/connection.ts";
import { bridge } from "../../bridge/index.ts";
import { onCacheChange } from "../../stores/cacheQuery.ts";
import { useCatalogue } from "../../stores/catalogue.ts";

const DEBOUNCE_MS = 120;
/** The cost grows with time, because new data can be requested and provisional data is requested again. */
const UPDATE_INTERVAL_MS = 60_000;

export type EstimateState =
  | { readonly kind: "none" }
  | { readonly kind: "known"; readonly estimate: Estimate }
  | { readonly kind: "fault"; readonly fault: AppFault };

const NONE: EstimateState = { kind: "none" };

/**
 * Estimates the cost of a download, again when the selection, the cache or the catalogue changes, without requests to the
 * service. Returns "none" until the cost of exactly this selection is known, so that no button shows an outdated cost.
 */
export function useEstimate(connectionId: string, spec: JobSpec, withForbidden = false): EstimateState {
  const [{ state, stateKey }, setEstimate] = useState<{ readonly state: EstimateState; readonly stateKey: string }>({
    state: NONE,
    stateKey: "",
  });
  const fetchedAtMs = useCatalogue((s) => s.catalogue.fetchedAtMs);
  const key = `${connectionId}${withForbidden}${JSON.stringify(spec)}`;
  // `spec` is a new object in every render; `key` changes only with its content.
  const latest = useRef({ spec, withForbidden });
  latest.current = { spec, withForbidden };
  useEffect(() => {
    const control = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let lastRequest = 0;
    let lastShown = 0;
    const load = async (): Promise<void> => {
      timer = undefined;
      const request = ++lastRequest;
      const input = latest.current;
      if (input.spec.stationIds.length === 0) return setEstimate({ state: NONE, stateKey: key });
      const answer = await bridge.jobs.estimate({ connectionId, ...input }, control);
      // Ignores an answer that arrives after a newer one.
      if (control.signal.aborted || request < lastShown) return;
      lastShown = request;
      const state: EstimateState = answer.ok
        ? { kind: "known", estimate: answer.value }
        : { kind: "fault", fault: answer.error };
      setEstimate({ state, stateKey: key });
    };
    const loadSoon = (): void => {
      timer ??= setTimeout(() => void load(), DEBOUNCE_MS);
    };
    loadSoon();
    const interval = setInterval(loadSoon, UPDATE_INTERVAL_MS);
    return cleanupOf(
      onCacheChange(connectionId, loadSoon),
      // A refused request does not change the cache.
      bridge.on("jobChanged", (job) => {
        if (job.connectionId === connectionId && job.state === "finished" && job.verdictCounts?.forbidden) loadSoon();
      }),
      bridge.on("jobRemoved", loadSoon),
      () => control.abort(),
      () => clearInterval(interval),
      () => clearTimeout(timer),
    );
  }, [connectionId, key, fetchedAtMs]);
  return stateKey === key ? state : NONE;
}

/** Returns the cost of a download; null until it is known, if nothing is missing, and for data of a file. */
export function useCost(connectionId: string, spec: JobSpec): Estimate | null {
  const state = useEstimate(connectionId, spec);
  const isFile = useIsFile();
  return isFile || state.kind !== "known" || state.estimate.pointsToFetch === 0 ? null : state.estimate;
}
