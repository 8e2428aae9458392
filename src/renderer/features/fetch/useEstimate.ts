import type { AppFault } from "#shared/fault.ts";
import type { Estimate, JobSpec } from "#shared/job/job.ts";
import { costOf } from "../../ask/questions.ts";
import { useAsk } from "../../ask/useAsk.ts";
import { useIsFile } from "../../stores/connection.ts";

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
