import type { Estimate, JobSpec } from "#shared/job/job.ts";
import { useConnection } from "../../stores/connection.ts";
import { useEstimate } from "./useEstimate.ts";

/** Returns the cost of a download; null until it is known, if nothing is missing, and for data of a file. */
export function useCost(connectionId: string, spec: JobSpec): Estimate | null {
  const state = useEstimate(connectionId, spec);
  const isFile = useConnection((s) => s.current?.info.kind === "file");
  return isFile || state.kind !== "known" || state.estimate.pointsToFetch === 0 ? null : state.estimate;
}
