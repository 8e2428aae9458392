import { defined } from "#shared/defined.ts";
import type { JobFailure, JobProgress, JobState, ServiceOutage } from "#shared/job/job.ts";
import type { ServiceError, ServiceErrorKind } from "#shared/service/error.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { RangeSet } from "#shared/time/rangeset.ts";
import { type IrregularityCounts, sumIrregularities } from "#shared/series/rows.ts";
import { knownLimit } from "../planner/limits.ts";
import type { PlannedRequest, PlanStation } from "../planner/types.ts";
import type { StoredResponse } from "./attempt.ts";
import type { Session } from "./session.ts";

/** Measures points or requests per second over the last seconds, so that “time left” follows the network's speed. */
interface RateMeter {
  /** Records the total that has arrived by now. */
  record(total: number): void;
  /** Null until two totals are known. */
  perSecond(): number | null;
}

const WINDOW_MS = 10_000;
const SAMPLE_MS = 200;

function createRateMeter(monotonicMs: () => number): RateMeter {
  const samples: { atMs: number; total: number }[] = [{ atMs: monotonicMs(), total: 0 }];
  return {
    record(total) {
      const atMs = monotonicMs();
      const last = samples.at(-1);
      if (samples.length > 1 && last && atMs - last.atMs < SAMPLE_MS) last.total = total;
      else samples.push({ atMs, total });
      for (
        let [, second] = samples;
        samples.length > 2 && second && second.atMs < atMs - WINDOW_MS;
        [, second] = samples
      )
        samples.shift();
    },
    perSecond() {
      const [first, last] = [defined(samples[0]), defined(samples.at(-1))];
      const elapsedMs = Math.max(last.atMs, monotonicMs()) - first.atMs;
      return elapsedMs > 0 && last.total > first.total ? ((last.total - first.total) * 1000) / elapsedMs : null;
    },
  };
}

/** The statistics of a running job. */
export interface JobStatistics {
  /** Adds points that are to be requested. */
  plan(points: number): void;
  sent(): void;
  ended(): void;
  /** Records the bytes and rows of a response so far. */
  arriving(request: PlannedRequest, bodyBytes: number, rows: number): void;
  arrived(request: PlannedRequest, answer: StoredResponse): void;
  lost(request: PlannedRequest): void;
  /** Begins or ends questions about absences: they count as requests only, and their failures change nothing. */
  asking(isOn: boolean): void;
  /** Records points that this job will not fetch: forbidden, or permanently failed. */
  givenUp(request: PlannedRequest, kind: ServiceErrorKind, reason: string): void;
  /** Records that the rest is not requested, for this reason. */
  restGivenUp(stations: readonly PlanStation[], error: ServiceError): void;
  split(): void;
  retried(): void;
  putOff(): void;
  waitsForOthers(isWaiting: boolean): void;
  failures(): readonly JobFailure[];
  progress(state: JobState): JobProgress;
}

export function createJobStatistics(session: Session): JobStatistics {
  let pointsTotal = 0;
  const active = new Map<PlannedRequest, { points: number; bodyBytes: number; rows: number }>();
  const pointMeter = createRateMeter(() => session.clock.monotonicMs());
  const requestMeter = createRateMeter(() => session.clock.monotonicMs());
  let irregularities: IrregularityCounts = {};
  const failures: JobFailure[] = [];
  let points = 0;
  let pointsGivenUp = 0;
  let rows = 0;
  let bodyBytes = 0;
  let requestsSent = 0;
  let requestsUnderWay = 0;
  let requestsEnded = 0;
  let splits = 0;
  let retries = 0;
  let putOff = 0;
  let waitsForOthers = false;
  let isAsking = false;

  function arrivedPoints(): number {
    let sum = points;
    for (const part of active.values()) sum += part.points;
    return sum;
  }

  return {
    plan: (more) => void (pointsTotal += more),
    sent() {
      requestsSent++;
      requestsUnderWay++;
    },
    ended() {
      requestsUnderWay--;
      requestMeter.record(++requestsEnded);
    },
    arriving(request, bytesSoFar, rowsSoFar) {
      active.set(request, {
        points: isAsking ? 0 : Math.min(rowsSoFar, request.points),
        bodyBytes: bytesSoFar,
        rows: rowsSoFar,
      });
      pointMeter.record(arrivedPoints());
    },
    arrived(request, answer) {
      active.delete(request);
      if (!isAsking) points += request.points;
      rows += answer.rows;
      bodyBytes += answer.bodyBytes;
      irregularities = sumIrregularities([irregularities, answer.irregularities]);
      pointMeter.record(arrivedPoints());
    },
    lost(request) {
      active.delete(request);
    },
    asking: (isOn) => void (isAsking = isOn),
    givenUp(request, kind, reason) {
      active.delete(request);
      if (isAsking) return;
      pointsGivenUp += request.points;
      for (const stationId of request.stationIds) {
        failures.push({ stationId, variables: request.variables, range: request.range, kind, reason });
      }
    },
    restGivenUp(stations, { kind, message: reason }) {
      pointsGivenUp = Math.max(0, pointsTotal - points);
      for (const { id: stationId, missing } of stations) {
        for (const [variable, ranges] of Object.entries(missing) as [Variable, RangeSet][])
          for (const range of ranges) failures.push({ stationId, variables: [variable], range, kind, reason });
      }
    },
    split: () => void splits++,
    retried: () => void retries++,
    putOff: () => void putOff++,
    waitsForOthers: (isWaiting) => void (waitsForOthers = isWaiting),
    failures: () => failures,
    progress(state) {
      const perSecond = pointMeter.perSecond();
      const done = arrivedPoints();
      const left = Math.max(0, pointsTotal - pointsGivenUp - done);
      const arriving = [...active.values()];
      return {
        state,
        pointsTotal,
        pointsDone: Math.min(done, pointsTotal),
        rows: rows + arriving.reduce((sum, part) => sum + part.rows, 0),
        bodyBytes: bodyBytes + arriving.reduce((sum, part) => sum + part.bodyBytes, 0),
        requestsSent,
        requestsUnderWay,
        splits,
        retries,
        putOff,
        limitPoints: knownLimit(session.limits()),
        concurrency: session.limiter.concurrency(),
        pointsPerSecond: perSecond,
        requestsPerSecond: requestMeter.perSecond(),
        secondsLeft: perSecond === null || state !== "running" ? null : left / perSecond,
        waitingUntilMs: session.limiter.pausedUntilMs(),
        waitsForOthers: state === "running" && waitsForOthers,
        outage: state === "running" ? outageOf(session) : null,
        irregularities,
      };
    },
  };
}

/** What a job waits for: the end of an outage, or of a lock on the cache; null if it does not wait. */
export function outageOf({ limiter, writes }: Pick<Session, "limiter" | "writes">): ServiceOutage | null {
  const lock = writes.lock();
  if (lock) return { ...lock, isLock: true };
  const outage = limiter.outage();
  return outage && { sinceMs: outage.sinceMs, nextTryMs: outage.nextTryMs, reason: outage.error.message };
}
