import type { Estimate, JobSpec } from "#shared/job/job.ts";
import { useConnection } from "../../stores/connection.ts";
import { useEstimate } from "./useEstimate.ts";

/** What bringing this costs; null where it is not known yet, where there is nothing to bring, and nowhere to bring it from. */
export function useCost(connectionId: string, spec: JobSpec): Estimate | null {
  const state = useEstimate(connectionId, spec);
  const isFile = useConnection((s) => s.current?.info.kind === "file");
  return isFile || state.kind !== "known" || state.estimate.pointsToFetch === 0 ? null : state.estimate;
}
