import { useEffect, useRef, useState } from "react";
import type { Estimate, JobSpec } from "#shared/job/job.ts";
import type { AppFault } from "#shared/fault.ts";
import { bridge } from "../../bridge/index.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { onCacheChange } from "../../stores/cacheQuery.ts";

const SETTLE_MS = 120;
/** What passes can be asked for, and what is young is asked again: the cost grows by itself. */
const AGEING_MS = 60_000;

export type EstimateState =
  | { readonly kind: "none" }
  | { readonly kind: "known"; readonly estimate: Estimate }
  | { readonly kind: "fault"; readonly fault: AppFault };

const NONE: EstimateState = { kind: "none" };

/**
 * The cost of a fetch, asked anew when the selection, the cache or the catalogue changes. Nothing is sent for it. Until
 * it is known for this very selection there is none: the cost of the one before must not stand on a button.
 */
export function useEstimate(connectionId: string, spec: JobSpec, withForbidden = false): EstimateState {
  const [{ state, of }, setKept] = useState<{ readonly state: EstimateState; readonly of: string }>({
    state: NONE,
    of: "",
  });
  const fetchedAtMs = useCatalogue((s) => s.catalogue.fetchedAtMs);
  const asked = `${connectionId}${withForbidden}${JSON.stringify(spec)}`;
  // The object is new with every render; `asked` tells when it says something else.
  const latest = useRef({ spec, withForbidden });
  latest.current = { spec, withForbidden };
  useEffect(() => {
    const control = new AbortController();
    let timer: ReturnType<typeof setTimeout> | null = null;
    let asks = 0;
    let shown = 0;
    const ask = async (): Promise<void> => {
      timer = null;
      const number = ++asks;
      const input = latest.current;
      if (input.spec.stationIds.length === 0) return setKept({ state: NONE, of: asked });
      const answer = await bridge.jobs.estimate({ connectionId, ...input }, control);
      // An answer that a newer one has overtaken was read from an older cache.
      if (control.signal.aborted || number < shown) return;
      shown = number;
      const state: EstimateState = answer.ok
        ? { kind: "known", estimate: answer.value }
        : { kind: "fault", fault: answer.error };
      setKept({ state, of: asked });
    };
    const soon = (): void => {
      timer ??= setTimeout(() => void ask(), SETTLE_MS);
    };
    soon();
    const ageing = setInterval(soon, AGEING_MS);
    const off = [
      onCacheChange(connectionId, soon),
      // What a job was refused changes nothing in the cache.
      bridge.on("jobChanged", (job) => {
        if (job.connectionId === connectionId && job.state === "finished" && job.verdictCounts?.forbidden) soon();
      }),
      bridge.on("jobRemoved", soon),
    ];
    return () => {
      control.abort();
      clearInterval(ageing);
      for (const each of off) each();
      if (timer !== null) clearTimeout(timer);
    };
  }, [connectionId, asked, fetchedAtMs]);
  return of === asked ? state : NONE;
}
