import type { JobFailure, JobProgress, JobSpec, JobState } from "#shared/job/job.ts";
import { epochSeconds } from "#shared/service/points.ts";
import { intersect, rangeSet } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { gridSeconds } from "../planner/split.ts";
import { allowedPoints } from "../planner/limits.ts";
import { requestableRange } from "../planner/missing.ts";
import { countPlan, planRequests } from "../planner/plan.ts";
import type { ServiceTime } from "../planner/serviceClock.ts";
import type { PlannedRequest, PlanInput, PlanStation } from "../planner/types.ts";
import { currentCatalogue, MAX_CATALOGUE_AGE_MS, refreshCatalogue } from "./catalogue.ts";
import { controlRequests } from "./controlRequests.ts";
import { createRetryPolicy } from "./retry/policy.ts";
import type { Session } from "./session.ts";
import { createJobStatistics, type JobStatistics } from "./jobStatistics.ts";
import { findTargets, findMissingData, type Targets } from "./targets.ts";
import { createRequestQueue } from "./requestQueue.ts";
import { runWorkers } from "./workers.ts";

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
 * repeatedly refuses or does not answer are divided, and finally given up by name (`createRetryPolicy` states the
 * bounds).
 *
 * @throws StoreError if the cache cannot be written
 */
export async function runJob(session: Session, spec: JobSpec, options: JobOptions): Promise<JobOutcome> {
  const statistics = createJobStatistics(session);
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
    targets.unknownIds.length === 0 &&
    findMissingData(session, spec, targets, started).every((s) =>
      Object.values(s.missing).every((r) => r.length === 0),
    );
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
      if (state === "broken") statistics.restGivenUp(findMissingData(session, spec, targets, started), catalogue.error);
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
  const planInput = (within: PlannedRequest | null): PlanInput => ({
    stations: findMissingData(session, spec, targets, time, within),
    mode: { intervalSeconds: spec.intervalSeconds, raw: spec.raw },
    maxPoints: () => allowedPoints(session.limits()),
  });
  statistics.begin(countPlan(planInput(null)).points);
  let ownCommits = session.commits();
  const foreignVersion = session.claims.foreignVersion();
  const queue = createRequestQueue(
    session,
    (within) => planRequests(planInput(within)),
    () => session.commits() !== ownCommits || session.claims.foreignVersion() !== foreignVersion,
  );
  const epochSecondsOf = (id: string): number => {
    const station = targets.stations.get(id);
    return station ? targets.cadences.of(station) : epochSeconds({ sourceType: "", resolutionSeconds: 0 });
  };
  const stillMissing = (): PlanStation[] => findMissingData(session, spec, targets, time);
  const retryPolicy = createRetryPolicy(session, {
    statistics,
    epochSecondsOf,
    replan(request) {
      targets.cadences.assumeShortest(request.stationIds.flatMap((id) => targets.stations.get(id) ?? []));
      return planRequests(planInput(request));
    },
  });
  const ended = await runWorkers(session, {
    queue,
    statistics,
    stations: targets.stations,
    retryPolicy,
    controlsFor: (request, maxRequests) =>
      controlRequests(session.cache, request, {
        stationIds: targets.stations.keys(),
        missing: stillMissing,
        stepMsOf: (id) => 1_000 * gridSeconds(epochSecondsOf(id), spec.intervalSeconds),
        maxRequests,
      }),
    signal,
    onCommit: () => ownCommits++,
    onProgress: options.reportProgress,
  });
  if (ended.restFailed) statistics.restGivenUp(stillMissing(), ended.restFailed);
  leaveOpen(session, spec, statistics.failures(), stillMissing());
  // Earlier responses that are merely old still count: none of this was requested.
  if (ended.state === "broken" && ended.error) statistics.restGivenUp(stillMissing(), ended.error);
  const progress = { ...statistics.progress(ended.state), untilMs: time.latestMs };
  options.onProgress?.(progress);
  return {
    state: ended.state,
    reason: ended.error?.message ?? null,
    progress,
    failures: statistics.failures(),
    forbiddenIds: [...targets.unknownIds, ...retryPolicy.forbiddenIds()],
    nowMs: time.latestMs,
  };
}

/** Removes the provisional coverage of failed cells: it was too old, or they would not have been requested. */
function leaveOpen(
  { cache }: Session,
  { intervalSeconds, raw }: JobSpec,
  failures: readonly JobFailure[],
  stations: readonly PlanStation[],
): void {
  const missing = new Map(stations.map((station) => [station.id, station.missing]));
  const cells = failures.flatMap(({ stationId, variables, range, kind }) =>
    variables.flatMap((variable) => {
      if (kind === "forbidden") return [];
      const { provisional } = cache.coverage(stationId, variable, { intervalSeconds, raw });
      const open = intersect([range], missing.get(stationId)?.[variable] ?? []);
      const aged = intersect(open, rangeSet(provisional.map((extent) => extent.range)));
      return aged.map((part) => ({
        stationIds: [stationId],
        variables: [variable],
        range: part,
        intervalSeconds,
        raw,
      }));
    }),
  );
  if (cells.length > 0) cache.withdrawProvisional(cells);
}

/**
 * Whether a job that seems complete is complete. If a clock or an old catalogue is the only reason why some data cannot
 * exist, the service has to confirm that first.
 */
function isCertain(session: Session, spec: JobSpec, { stations }: Targets, { latestMs }: ServiceTime): boolean {
  const { fetchedAtMs } = session.cache.catalogue();
  if (fetchedAtMs !== null && session.isYoung(fetchedAtMs, MAX_CERTAIN_AGE_MS)) return true;
  const { range, intervalSeconds } = spec;
  return [...stations.values()].every(({ historicDataFromMs, dataLastUpdatedMs }) => {
    const facts = { intervalSeconds, historicDataFromMs, dataLastUpdatedMs };
    const requestable = requestableRange(range, { ...facts, nowMs: latestMs });
    return requestable.startMs <= range.startMs && requestable.endMs >= range.endMs;
  });
}
