import { defined } from "#shared/defined.ts";
import { type JobProgress, type JobSpec, jobRanges, withoutStations, type Estimate } from "#shared/job/job.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { intersect, type RangeSet } from "#shared/time/rangeset.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import { stationPoints } from "#shared/service/points.ts";
import type { Variable } from "#shared/service/variables.ts";
import { estimate } from "../../planner/plan.ts";
import { allowedPoints } from "../../planner/limits.ts";
import { requestableRange } from "../../planner/missing.ts";
import type { PlannedRequest, PlanStation } from "../../planner/types.ts";
import { plannedQuestions } from "../../sync/confirmation.ts";
import type { Session } from "../../sync/session.ts";
import { reopenAbsences } from "../../sync/questions.ts";
import { findMissingData, findTargets, isComplete, type Targets } from "../../sync/targets.ts";
import { fromFileFault } from "../connections/connectionRecords.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { knownFailures } from "../reading/failures.ts";
import { newJob, removeOldJobs } from "./records.ts";
import { type RunEnd, runOnce } from "./run.ts";
import { savedSpeed } from "./speed.ts";
import type { JobRecord, UserStore } from "../../store/index.ts";

export interface FinishedJob extends Pick<RunEnd, "statistics" | "outcome" | "verdicts"> {
  readonly id: string;
}

interface FailedBefore {
  readonly stationId: string;
  /** A sentence; null if unknown. */
  readonly reason: string | null;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: JobProgress) => void;
}

const RUNS_ELSEWHERE =
  "This job is running right now, in a window or another command: wait for its end, or stop it there first.";

function refused({ session }: OpenConnection, { stationIds }: JobSpec): string[] {
  const known = session.profile.refusedStations();
  return [...new Set(stationIds)].filter((id) => known.has(id));
}

export class Jobs {
  readonly #users: UserStore;

  constructor(users: UserStore) {
    this.#users = users;
  }

  /**
   * Estimates the cost of a job from the cache alone, without a request.
   *
   * @param withForbidden whether to include stations that the service refused lately
   */
  estimate(connection: OpenConnection, requested: JobSpec, withForbidden: boolean): Estimate {
    const { cache } = connection;
    const session = sessionOf(connection.session, requested);
    const time = session.time();
    const forbiddenStationIds = refused(connection, requested);
    const spec = withForbidden ? requested : withoutStations(requested, forbiddenStationIds);
    const targets = findTargets(session, spec.stationIds);
    const mode = { intervalSeconds: spec.intervalSeconds, raw: spec.raw };
    const stations = findMissingData(session, spec, targets, { time }).map((station) => {
      const { historicDataFromMs, hasNeverSent } = defined(targets.stations.get(station.id));
      const requestable = requestableRange(spec.range, {
        ...mode,
        nowMs: time.latestMs,
        historicDataFromMs,
        hasNeverSent,
      });
      return { ...station, requestable: intersect([requestable], jobRanges(spec, station.id)) };
    });
    const cost = estimate({
      stations,
      mode,
      maxPoints: allowedPoints(session.limits()),
      ...savedSpeed(cache),
    });
    const questions = plannedQuestions(session, spec, targets);
    const points = questions.reduce((sum, request) => sum + request.points, 0);
    return {
      ...cost,
      pointsKnown: Math.max(0, cost.pointsKnown - askedPoints(questions, spec, targets)),
      pointsToFetch: cost.pointsToFetch + points,
      requests: cost.requests + questions.length,
      forbiddenStationIds,
    };
  }

  /** Stations of a job that are not requested now, because the service refused them lately. */
  refused(connection: OpenConnection, spec: JobSpec): readonly string[] {
    return refused(connection, spec);
  }

  /** Stations whose missing data could not be downloaded the last time, and why. */
  failedBefore(
    connectionId: string,
    { intervalSeconds, raw }: SeriesMode,
    stations: readonly PlanStation[],
  ): readonly FailedBefore[] {
    const known = knownFailures(this.#users, connectionId, { intervalSeconds, raw });
    return stations.flatMap(({ id, missing }): FailedBefore[] => {
      for (const [variable, ranges] of Object.entries(missing) as [Variable, RangeSet][]) {
        const [part] = intersect(ranges, known.failed(id, variable));
        if (part) return [{ stationId: id, reason: known.reason(id, variable, part) }];
      }
      return [];
    });
  }

  /** Missing data of a job by station, from the cache alone, without complete stations. */
  missing({ session: connected }: OpenConnection, spec: JobSpec): readonly PlanStation[] {
    const session = sessionOf(connected, spec);
    const targets = findTargets(session, spec.stationIds);
    const stations = findMissingData(session, spec, targets, { time: session.time() });
    return stations.filter((station) => !isComplete(station));
  }

  /**
   * Makes the next run of this download ask again about everything that is missing, also if it was confirmed, and about
   * stations that the service refused lately.
   */
  recheck({ session }: OpenConnection, spec: JobSpec): void {
    session.profile.allow(spec.stationIds);
    reopenAbsences(session, spec, findTargets(session, spec.stationIds));
  }

  /**
   * Runs a new job to its end. It is stored, so that it can be resumed after a stop, a kill or a power failure. Fault: usage
   * if the connection is a file.
   */
  run(connection: OpenConnection, spec: JobSpec, options: RunOptions): Promise<Result<FinishedJob, AppFault>> {
    const now = Date.now();
    return this.resume(connection, newJob(connection.record.id, spec, false, now), options);
  }

  /** Resumes a stored job: requests only missing data. Fault: usage if the job already runs, here or in another program. */
  async resume(
    connection: OpenConnection,
    job: JobRecord,
    { signal, onProgress }: RunOptions,
  ): Promise<Result<FinishedJob, AppFault>> {
    const fault = fromFileFault(connection.record);
    if (fault) return failure(fault);
    const end = await runOnce(this.#users, connection, job, { signal, stoppedFor: null, progress: null, onProgress });
    if (end === null) return usageFailure(RUNS_ELSEWHERE);
    removeOldJobs(this.#users, job.connectionId);
    return success({ id: job.id, ...end });
  }

  list(connectionId: string | null): readonly JobRecord[] {
    return this.#users.jobs().filter((j) => connectionId === null || j.connectionId === connectionId);
  }

  /** Returns the job of this id, else the jobs whose ids begin with it. */
  named(id: string): readonly JobRecord[] {
    const job = this.#users.job(id);
    return job ? [job] : this.#users.jobs().filter((j) => id !== "" && j.id.startsWith(id));
  }
}

/** A session for estimates: a refresh requests everything, as if nothing were cached. */
function sessionOf(session: Session, { refresh }: JobSpec): Session {
  if (!refresh) return session;
  return { ...session, cache: { ...session.cache, coverage: () => ({ final: [], provisional: [] }) } };
}

/** The points of a job that questions are about; a question for means has fewer of its own. */
function askedPoints(questions: readonly PlannedRequest[], spec: JobSpec, { stations, cadences }: Targets): number {
  return questions
    .flatMap(({ stationIds, range }) => {
      const within = intersect([range], [spec.range]);
      return stationIds.flatMap((id) => {
        const epochSeconds = cadences.of(defined(stations.get(id)));
        return within.map((part) => stationPoints(part, epochSeconds, spec.intervalSeconds));
      });
    })
    .reduce((sum, points) => sum + points, 0);
}
