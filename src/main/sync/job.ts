import type { JobFailure, JobProgress, JobSpec, JobState } from "#shared/job/job.ts";
import type { ServiceError, ServiceErrorKind } from "#shared/service/error.ts";
import { epochSeconds } from "#shared/service/points.ts";
import { intersect, rangeSet } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { gridSeconds } from "../planner/cut.ts";
import { allowedPoints } from "../planner/limits.ts";
import { askableRange } from "../planner/missing.ts";
import { countPlan, planRequests } from "../planner/plan.ts";
import type { ServiceTime } from "../planner/serviceClock.ts";
import type { PlannedRequest, PlanInput, PlanStation } from "../planner/types.ts";
import { currentCatalogue, CATALOGUE_AGE_MS, refreshCatalogue } from "./catalogue.ts";
import { controls } from "./control.ts";
import { createRetryPolicy } from "./retryPolicy.ts";
import type { Session } from "./session.ts";
import { createJobStatistics, type JobStatistics } from "./jobStatistics.ts";
import { findTargets, missingOf, type Targets } from "./targets.ts";
import { createWork } from "./work.ts";
import { runWorkers } from "./workers.ts";

/** Maximum age of a catalogue that is believed when it says that there is nothing to request. */
const CERTAIN_AGE_MS = 600_000;

/** How long an outage delays the end of a job that lacks nothing as far as is known. */
const CERTAIN_PATIENCE_MS = 5_000;

export interface JobOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: JobProgress) => void;
}

export interface JobOutcome {
  readonly state: Exclude<JobState, "running">;
  /** Why the job ended early; null if it did not. */
  readonly reason: string | null;
  /** The kind of failure behind `reason`. */
  readonly errorKind: ServiceErrorKind | null;
  readonly progress: JobProgress;
  readonly failures: readonly JobFailure[];
  /** Stations that the service refused (403), or that its catalogue does not list for this key. */
  readonly forbiddenIds: readonly string[];
  /** The server's clock when the job began; the job contains nothing later. */
  readonly nowMs: UtcMs;
}

/**
 * Fetches the missing data of a job into the cache. Cached data cost nothing: a complete job sends no request. The job
 * can be stopped at any moment, by the signal or by the end of the process, and started again: the remaining work is
 * whatever the cache lacks.
 *
 * The job waits for the end of an outage for as long as the session's patience lasts. What the service repeatedly
 * refuses or does not answer is requested in smaller parts, and finally given up by name (`createRetryPolicy` states
 * the bounds).
 *
 * @throws StoreError if the cache cannot be written
 */
export async function runJob(session: Session, spec: JobSpec, options: JobOptions): Promise<JobOutcome> {
  const statistics = createJobStatistics(session);
  const tell = (): void => options.onProgress?.(statistics.progress("running"));
  // While nothing arrives, only this reports that the job is waiting.
  const unwatch = session.limiter.onOutage(tell);
  try {
    return await bringMissing(session, spec, { ...options, statistics, tell });
  } finally {
    unwatch();
  }
}

interface RunningOptions extends JobOptions {
  readonly statistics: JobStatistics;
  readonly tell: () => void;
}

async function bringMissing(session: Session, spec: JobSpec, options: RunningOptions): Promise<JobOutcome> {
  const { signal, statistics } = options;
  const started = session.time();
  let targets = findTargets(session, spec.stationIds);
  const lacksNothing =
    targets.unknownIds.length === 0 &&
    missingOf(session, spec, targets, started).every((s) => Object.values(s.missing).every((r) => r.length === 0));
  if (!lacksNothing || !isCertain(session, spec, targets, started)) {
    // What is final is judged by what the stations had sent *before* the request. A station that the catalogue does not
    // list may have become available since, so even a young catalogue is fetched again.
    const isListed = targets.unknownIds.length === 0;
    const patienceMs = lacksNothing ? CERTAIN_PATIENCE_MS : session.patience.jobMs;
    const catalogue = isListed
      ? await currentCatalogue(session, CATALOGUE_AGE_MS, signal, patienceMs)
      : await refreshCatalogue(session, signal, patienceMs);
    // If the service is unreachable, a job that lacks nothing as far as is known has ended.
    if (!catalogue.ok && !(lacksNothing && catalogue.error.kind !== "unauthorized")) {
      const state = signal.aborted ? "cancelled" : catalogue.error.kind === "unauthorized" ? "needsKey" : "broken";
      if (state === "broken") statistics.restGivenUp(missingOf(session, spec, targets, started), catalogue.error);
      const progress = statistics.progress(state);
      return {
        state,
        ...why(signal.aborted ? null : catalogue.error),
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
    stations: missingOf(session, spec, targets, time, within),
    mode: { intervalSeconds: spec.intervalSeconds, raw: spec.raw },
    maxPoints: () => allowedPoints(session.limits()),
  });
  statistics.begin(countPlan(planInput(null)).points);
  let own = session.commits();
  const foreign = session.claims.foreign();
  const work = createWork(
    session,
    (within) => planRequests(planInput(within)),
    () => session.commits() !== own || session.claims.foreign() !== foreign,
  );
  const epochSecondsOf = (id: string): number => {
    const station = targets.stations.get(id);
    return station ? targets.cadences.of(station) : epochSeconds({ sourceType: "", resolutionSeconds: 0 });
  };
  const stillMissing = (): PlanStation[] => missingOf(session, spec, targets, time);
  const retryPolicy = createRetryPolicy(session, {
    statistics,
    epochSecondsOf,
    replan(request) {
      targets.cadences.doubt(request.stationIds.flatMap((id) => targets.stations.get(id) ?? []));
      return planRequests(planInput(request));
    },
  });
  const ended = await runWorkers(session, {
    work,
    statistics,
    stations: targets.stations,
    retryPolicy,
    controlsFor: (request, most) =>
      controls(session.cache, request, {
        stationIds: targets.stations.keys(),
        missing: stillMissing,
        stepMsOf: (id) => 1_000 * gridSeconds(epochSecondsOf(id), spec.intervalSeconds),
        most,
      }),
    signal,
    onCommit: () => own++,
    onProgress: options.tell,
  });
  if (ended.restFailed) statistics.restGivenUp(stillMissing(), ended.restFailed);
  leaveOpen(session, spec, statistics.failures(), stillMissing());
  // Earlier responses that are merely old still count: the service was asked for none of this.
  if (ended.state === "broken" && ended.error) statistics.restGivenUp(stillMissing(), ended.error);
  const progress = { ...statistics.progress(ended.state), untilMs: time.latestMs };
  options.onProgress?.(progress);
  return {
    state: ended.state,
    ...why(ended.error),
    progress,
    failures: statistics.failures(),
    forbiddenIds: [...targets.unknownIds, ...retryPolicy.forbiddenIds()],
    nowMs: time.latestMs,
  };
}

/** What was requested in vain is not covered by an earlier provisional response either: that one was too old. */
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
  if (cells.length > 0) cache.leaveOpen(cells);
}

/**
 * Whether the job omits nothing merely because a clock or an old catalogue says that nothing can exist: the service has
 * to confirm that.
 */
function isCertain(session: Session, spec: JobSpec, { stations }: Targets, { latestMs }: ServiceTime): boolean {
  const { fetchedAtMs } = session.cache.catalogue();
  if (fetchedAtMs !== null && session.isYoung(fetchedAtMs, CERTAIN_AGE_MS)) return true;
  const { range, intervalSeconds } = spec;
  return [...stations.values()].every(({ historicDataFromMs, dataLastUpdatedMs }) => {
    const facts = { intervalSeconds, historicDataFromMs, dataLastUpdatedMs };
    const askable = askableRange(range, { ...facts, nowMs: latestMs });
    return askable.startMs <= range.startMs && askable.endMs >= range.endMs;
  });
}

function why(error: ServiceError | null): Pick<JobOutcome, "reason" | "errorKind"> {
  return { reason: error?.message ?? null, errorKind: error?.kind ?? null };
}
