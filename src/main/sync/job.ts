import type { JobFailure, JobProgress, JobSpec, JobState } from "#shared/job/job.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { requestableRange } from "../planner/missing.ts";
import type { ServiceTime } from "../planner/serviceClock.ts";
import { currentCatalogue, MAX_CATALOGUE_AGE_MS, refreshCatalogue } from "./catalogue.ts";
import { confirmOpenAbsences } from "./confirmation.ts";
import { mapDays } from "./dayMap.ts";
import { JobStatistics } from "./jobStatistics.ts";
import { createJobWork, fetchPlanned } from "./jobWork.ts";
import type { Session } from "./session.ts";
import { findMissingData, findTargets, isComplete, type Targets } from "./targets.ts";

/** Maximum age of a catalogue that is believed when it says that there is nothing to request. */
const MAX_CERTAIN_AGE_MS = 600_000;

/** How long an outage delays the end of a job that seems to be complete. */
const COMPLETE_JOB_PATIENCE_MS = 5_000;

interface JobOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: JobProgress) => void;
}

export interface JobOutcome {
  readonly state: Exclude<JobState, "running">;
  /** Why the job ended early; null if it did not. */
  readonly reason: string | null;
  readonly progress: JobProgress;
  readonly failures: readonly JobFailure[];
  /** Stations that the service refused (403), or that its catalogue does not list for this key. */
  readonly forbiddenIds: readonly string[];
  /** The server's clock when the job began; the job contains nothing later. */
  readonly nowMs: UtcMs;
}

/**
 * Fetches the missing data of a job into the cache. Cached data is not requested: a complete job sends no request. The
 * job can be stopped at any moment, by the signal or by the end of the process, and started again: it then fetches what
 * the cache still lacks.
 *
 * The job waits for the end of an outage for as long as the session's patience lasts. Requests that the service
 * repeatedly refuses or does not answer are divided, and finally given up by name (`RetryPolicy` states the bounds).
 *
 * @throws StoreError if the cache cannot be written
 */
export async function runJob(session: Session, spec: JobSpec, options: JobOptions): Promise<JobOutcome> {
  const statistics = new JobStatistics(session);
  const reportProgress = (): void => options.onProgress?.(statistics.progress("running"));
  // While nothing arrives, only this reports that the job is waiting.
  const removeListener = session.limiter.onOutage(reportProgress);
  try {
    return await fetchMissing(session, spec, { ...options, statistics, reportProgress });
  } finally {
    removeListener();
  }
}

interface RunningOptions extends JobOptions {
  readonly statistics: JobStatistics;
  readonly reportProgress: () => void;
}

async function fetchMissing(session: Session, spec: JobSpec, options: RunningOptions): Promise<JobOutcome> {
  const { signal, statistics } = options;
  const started = session.time();
  let targets = findTargets(session, spec.stationIds);
  const seemsComplete =
    targets.unknownIds.length === 0 && findMissingData(session, spec, targets, { time: started }).every(isComplete);
  if (!seemsComplete || !isCertain(session, spec, targets, started)) {
    // Finality depends on what the stations had sent *before* the request. A station that the catalogue does not list
    // may have become available since, so even a young catalogue is then fetched again.
    const isListed = targets.unknownIds.length === 0;
    const patienceMs = seemsComplete ? COMPLETE_JOB_PATIENCE_MS : session.patience.jobMs;
    const catalogue = isListed
      ? await currentCatalogue(session, MAX_CATALOGUE_AGE_MS, signal, patienceMs)
      : await refreshCatalogue(session, signal, patienceMs);
    // If the service is unreachable, a job that seems to be complete has ended.
    if (!catalogue.ok && !(seemsComplete && catalogue.error.kind !== "unauthorized")) {
      const state = signal.aborted ? "cancelled" : catalogue.error.kind === "unauthorized" ? "needsKey" : "broken";
      if (state === "broken")
        statistics.restGivenUp(findMissingData(session, spec, targets, { time: started }), catalogue.error);
      const progress = statistics.progress(state);
      return {
        state,
        reason: signal.aborted ? null : catalogue.error.message,
        progress,
        failures: statistics.failures(),
        forbiddenIds: [],
        nowMs: started.latestMs,
      };
    }
    targets = findTargets(session, spec.stationIds);
  }

  const time = session.time();
  const work = createJobWork(session, { spec, targets, time, statistics, signal, onProgress: options.reportProgress });
  await mapDays(work);
  const ended = await fetchPlanned(work);
  if (ended.restFailed) statistics.restGivenUp(work.stillMissing(), ended.restFailed);
  // Earlier responses that are merely old still count: none of this was requested.
  if (ended.state === "broken" && ended.error) statistics.restGivenUp(work.stillMissing(), ended.error);
  const asked = ended.state === "finished" && !ended.restFailed ? await confirmOpenAbsences(work) : ended;
  const progress = { ...statistics.progress(asked.state), untilMs: time.latestMs };
  options.onProgress?.(progress);
  return {
    state: asked.state,
    reason: asked.error?.message ?? null,
    progress,
    failures: statistics.failures(),
    forbiddenIds: [...targets.unknownIds, ...work.retryPolicy.forbiddenIds()],
    nowMs: time.latestMs,
  };
}

/**
 * Whether a job that seems complete is complete. If a clock or an old catalogue is the only reason why some data cannot
 * exist, the service has to confirm that first.
 */
function isCertain(session: Session, spec: JobSpec, { stations }: Targets, { latestMs }: ServiceTime): boolean {
  const { fetchedAtMs } = session.cache.catalogue();
  if (fetchedAtMs !== null && session.isYoung(fetchedAtMs, MAX_CERTAIN_AGE_MS)) return true;
  const { range, intervalSeconds } = spec;
  return [...stations.values()].every(({ historicDataFromMs, hasNeverSent }) => {
    const facts = { intervalSeconds, historicDataFromMs, hasNeverSent };
    const requestable = requestableRange(range, { ...facts, nowMs: latestMs });
    return requestable.startMs <= range.startMs && requestable.endMs >= range.endMs;
  });
}
