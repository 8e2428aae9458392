import type { JobViewState } from "#shared/bridge/methods/jobs.ts";
import { type Estimate, type JobSpec, withoutStations } from "#shared/job/job.ts";
import { durationMs, intersectRange } from "#shared/time/range.ts";
import { costOf } from "../../ask/questions.ts";
import { useAskHere, type Asked } from "../../ask/useAsk.ts";
import { openConnectionId, useConnectionId, useIsFile } from "../../stores/connection.ts";
import { useWork } from "../../stores/work.ts";
import { bridge } from "../../bridge/index.ts";
import { orShowFault } from "../../stores/toasts.ts";

/**
 * Estimates the cost of a download, without requests to the service. Nothing is known until the cost of exactly this
 * selection is, so that no button shows an outdated cost.
 */
export function useEstimate(spec: JobSpec, withForbidden = false): Asked<Estimate> {
  return useAskHere(costOf, spec.stationIds.length === 0 ? null : { spec, withForbidden });
}

/** Returns the cost of a download; null until it is known, if nothing is missing, and for data of a file. */
export function useCost(spec: JobSpec): Estimate | null {
  const { value } = useEstimate(spec);
  return useIsFile() || value?.pointsToFetch === 0 ? null : value;
}

/** States in which a job is going to fetch the missing data. */
const FETCHING: Partial<Record<JobViewState, string>> = {
  queued: "Queued",
  running: "Fetching",
  waitingForNetwork: "Waiting for the service",
};

/** Returns the state of a job that fetches this, in words, instead of an offer to fetch it; null without one. */
export function useFetching(spec: JobSpec, estimate: Estimate | null): string | null {
  const connectionId = useConnectionId();
  const wanted = withoutStations(spec, estimate?.forbiddenStationIds ?? []);
  return useWork((s) => {
    const found = s.jobs.find(
      (job) => job.connectionId === connectionId && FETCHING[job.state] !== undefined && isFetchedBy(wanted, job.spec),
    );
    return found ? (FETCHING[found.state] ?? null) : null;
  });
}

/** Less of the range may be new: it moves with the clock, or was moved a little. The rest is offered afterwards. */
const MIN_SHARE = 0.9;

function isFetchedBy(wanted: JobSpec, job: JobSpec): boolean {
  const stationIds = new Set(job.stationIds);
  return (
    job.intervalSeconds === wanted.intervalSeconds &&
    job.raw === wanted.raw &&
    Boolean(job.refresh) === Boolean(wanted.refresh) &&
    JSON.stringify(job.only) === JSON.stringify(wanted.only) &&
    wanted.variables.every((variable) => job.variables.includes(variable)) &&
    durationMs(intersectRange(wanted.range, job.range)) >= MIN_SHARE * durationMs(wanted.range) &&
    wanted.stationIds.every((id) => stationIds.has(id))
  );
}

/**
 * Starts a download without opening the list of downloads; the status bar shows its progress.
 *
 * @param withForbidden whether to request stations again to which the service refused access
 * @returns whether it started
 */
export async function startFetch(spec: JobSpec, keepUp = false, withForbidden = false): Promise<boolean> {
  const connectionId = openConnectionId();
  return (await orShowFault(bridge.jobs.start({ connectionId, spec, keepUp, withForbidden }))).ok;
}
