import type { JobSpec } from "#shared/job/job.ts";
import { epochSeconds } from "#shared/service/points.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { stepSeconds } from "../analysis/requestedTimes.ts";
import { allowedPoints } from "../planner/limits.ts";
import { countPlan, planRequests } from "../planner/plan.ts";
import type { ServiceTime } from "../planner/serviceClock.ts";
import type { EpochSecondsLookup, PlannedRequest, PlanInput, PlanStation } from "../planner/types.ts";
import type { StoredResponse } from "./attempt.ts";
import { controlRequests, stationControls } from "./controlRequests.ts";
import type { JobStatistics } from "./jobStatistics.ts";
import { NewestMeasurements } from "./newestMeasurements.ts";
import { RequestQueue } from "./requestQueue.ts";
import { RetryPolicy } from "./retry/policy.ts";
import type { FreshAbsence } from "./questions.ts";
import type { Session } from "./session.ts";
import { findMissingData, type Targets } from "./targets.ts";
import { runWorkers, type WorkersResult } from "./workers.ts";

interface WorkOptions {
  readonly spec: JobSpec;
  readonly targets: Targets;
  /** The service's time when the job started. */
  readonly time: ServiceTime;
  readonly statistics: JobStatistics;
  readonly signal: AbortSignal;
  readonly onProgress: () => void;
}

/** Requests that are sent together. */
interface Phase {
  /** The requests for whatever is open now, within one request or (null) altogether. */
  plan(within: PlannedRequest | null): Iterable<PlannedRequest>;
  /** Parts of a request within the limits that are known now. */
  divide(request: PlannedRequest): Iterable<PlannedRequest>;
  /** Whether the cache has changed since the plan, so that a request must be planned again before it is sent. */
  isStale(): boolean;
}

/** A response in the mode of the job. */
interface StoredAnswer extends StoredResponse {
  readonly request: PlannedRequest;
}

/** The work of one job: its requests, in one or several phases that share what they learn about failures. */
export interface JobWork extends WorkOptions {
  readonly session: Session;
  readonly retryPolicy: RetryPolicy;
  readonly epochSecondsOf: EpochSecondsLookup;
  /** Responses of this job that lack values. */
  readonly incomplete: readonly StoredAnswer[];
  /** Absences that this job found. */
  readonly fresh: FreshAbsence[];
  readonly commits: () => number;
  stillMissing(): PlanStation[];
  run(phase: Phase): Promise<WorkersResult>;
  /** Sends requests as they are, for what is known to be open. */
  ask(requests: readonly PlannedRequest[]): Promise<WorkersResult>;
}

export function createJobWork(session: Session, options: WorkOptions): JobWork {
  const { spec, targets, time, statistics, signal } = options;
  const incomplete: StoredAnswer[] = [];
  const fresh: FreshAbsence[] = [];
  let ownCommits = session.commits();
  let controls = 0;
  let phase: Phase | null = null;
  const epochSecondsOf = (id: string): number => {
    const station = targets.stations.get(id);
    return station ? targets.cadences.of(station) : epochSeconds({ sourceType: "", resolutionSeconds: 0 });
  };
  const stillMissing = (): PlanStation[] => findMissingData(session, spec, targets, { time });
  const retryPolicy = new RetryPolicy(session, {
    statistics,
    epochSecondsOf,
    replan: (request) => phase?.divide(request) ?? [],
  });

  const newest = new NewestMeasurements(session, targets.stations, statistics, signal);

  function noteCommit(request: PlannedRequest, stored: StoredResponse): void {
    ownCommits++;
    if (!stored.hasAbsences || request.intervalSeconds !== spec.intervalSeconds) return;
    incomplete.push({ ...stored, request });
    fresh.push(request);
  }

  const stepsOf =
    ({ intervalSeconds }: SeriesMode) =>
    (id: string, variable: Variable): number => {
      const sourceType = targets.stations.get(id)?.sourceType ?? "";
      return 1_000 * stepSeconds({ sourceType, resolutionSeconds: epochSecondsOf(id) }, variable, intervalSeconds);
    };

  function run(next: Phase): Promise<WorkersResult> {
    phase = next;
    return runWorkers(session, {
      queue: new RequestQueue(session, next.plan, next.isStale, (isWaiting) => {
        statistics.waitsForOthers(isWaiting);
        options.onProgress();
      }),
      statistics,
      stations: targets.stations,
      newest,
      retryPolicy,
      controlsFor: (request, maxRequests, of = "any") =>
        controlRequests(session.cache, request, {
          stationIds:
            of === "any"
              ? new Set([...request.stationIds, ...targets.stations.keys()])
              : new Set([...targets.stations.keys()].filter((id) => !request.stationIds.includes(id))),
          variables: spec.variables,
          missing: stillMissing,
          stepMsOf: stepsOf(request),
          maxRequests,
          next: () => ++controls,
        }),
      stationControlsFor: (request) => stationControls(request, stepsOf(request), session.random()),
      signal,
      onCommit: noteCommit,
      onProgress: options.onProgress,
    });
  }

  return {
    ...options,
    session,
    retryPolicy,
    epochSecondsOf,
    incomplete,
    fresh,
    commits: () => ownCommits,
    stillMissing,
    run,
    async ask(requests) {
      statistics.asking(true);
      const ended = await run({
        plan: (within) => (within ? [within] : requests),
        divide: (request) => divided(session, request, epochSecondsOf),
        isStale: () => false,
      });
      statistics.asking(false);
      return ended;
    },
  };
}

/** Plans a request again, whatever the cache has of it. */
function divided(
  session: Session,
  request: PlannedRequest,
  epochSecondsOf: EpochSecondsLookup,
): Iterable<PlannedRequest> {
  const missing = Object.fromEntries(request.variables.map((variable) => [variable, [request.range]]));
  const stations = request.stationIds.map((id) => ({ id, epochSeconds: epochSecondsOf(id), missing }));
  return planRequests({ stations, mode: request, maxPoints: () => allowedPoints(session.limits()) });
}

/** Fetches the missing data of a job. */
export function fetchPlanned(work: JobWork): Promise<WorkersResult> {
  const { session, spec, targets, time, statistics } = work;
  const planInput = (within: PlannedRequest | null): PlanInput => ({
    stations: findMissingData(session, spec, targets, { time, within }),
    mode: { intervalSeconds: spec.intervalSeconds, raw: spec.raw },
    maxPoints: () => allowedPoints(session.limits()),
  });
  statistics.plan(countPlan(planInput(null)).points);
  const commitsBefore = session.commits() - work.commits();
  const foreignVersion = session.claims.foreignVersion();
  return work.run({
    plan: (within) => planRequests(planInput(within)),
    divide: (request) => planRequests(planInput(request)),
    isStale: () =>
      session.commits() - work.commits() !== commitsBefore || session.claims.foreignVersion() !== foreignVersion,
  });
}
