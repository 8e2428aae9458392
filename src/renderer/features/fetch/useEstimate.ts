import type { AppFault } from "#shared/fault.ts";
import type { JobViewState } from "#shared/bridge/methods/jobs.ts";
import { type Estimate, type JobSpec, withoutStations } from "#shared/job/job.ts";
import { costOf } from "../../ask/questions.ts";
import { useAsk } from "../../ask/useAsk.ts";
import { useIsFile } from "../../stores/connection.ts";
import { useWork } from "../../stores/work.ts";

type EstimateState =
  | { readonly kind: "none" }
  | { readonly kind: "known"; readonly estimate: Estimate }
  | { readonly kind: "fault"; readonly fault: AppFault };

const NONE: EstimateState = { kind: "none" };

/**
 * Estimates the cost of a download, without requests to the service. Returns "none" until the cost of exactly this
 * selection is known, so that no button shows an outdated cost.
 */
export function useEstimate(connectionId: string, spec: JobSpec, withForbidden = false): EstimateState {
  const { value, fault } = useAsk(costOf, spec.stationIds.length === 0 ? null : { connectionId, spec, withForbidden });
  if (fault !== null) return { kind: "fault", fault };
  return value === null ? NONE : { kind: "known", estimate: value };
}

/** Returns the cost of a download; null until it is known, if nothing is missing, and for data of a file. */
export function useCost(connectionId: string, spec: JobSpec): Estimate | null {
  const state = useEstimate(connectionId, spec);
  const isFile = useIsFile();
  return isFile || state.kind !== "known" || state.estimate.pointsToFetch === 0 ? null : state.estimate;
}

/** States in which a job is going to fetch the missing data. */
const FETCHING: Partial<Record<JobViewState, string>> = {
  queued: "Queued",
  running: "Fetching",
  waitingForNetwork: "Waiting for the service",
};

/** Returns the state of a job that fetches exactly this, in words, instead of an offer to fetch it; null without one. */
export function useFetching(connectionId: string, spec: JobSpec, estimate: Estimate | null): string | null {
  const key = JSON.stringify(withoutStations(spec, estimate?.forbiddenStationIds ?? []));
  return useWork((s) => {
    const found = s.jobs.find(
      (job) =>
        job.connectionId === connectionId && FETCHING[job.state] !== undefined && JSON.stringify(job.spec) === key,
    );
    return found ? (FETCHING[found.state] ?? null) : null;
  });
}
