import { defined } from "#shared/defined.ts";
import type { JobFailure, JobProgress, JobState, ServiceOutage } from "#shared/job/job.ts";
import type { ServiceError, ServiceErrorKind } from "#shared/service/error.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { RangeSet } from "#shared/time/rangeset.ts";
import { addAnomaly, type Anomaly, type AnomalyCounts } from "#shared/series/rows.ts";
import { knownLimit } from "../planner/limits.ts";
import type { PlannedRequest, PlanStation } from "../planner/types.ts";
import type { Arrived } from "./attempt.ts";
import type { Session } from "./session.ts";

/**
 * Points or requests per second over the last seconds, so that “time left” follows the current speed of the network.
 */
export interface RateMeter {
  /** A total of `total` has arrived by now. */
  note(total: number): void;
  /** Null until two counts are known. */
  perSecond(): number | null;
}

const WINDOW_MS = 10_000;
const SAMPLE_MS = 200;

function createRateMeter(monotonicMs: () => number): RateMeter {
  const samples: { atMs: number; total: number }[] = [{ atMs: monotonicMs(), total: 0 }];
  return {
    note(total) {
      const atMs = monotonicMs();
      const last = defined(samples.at(-1));
      if (atMs - last.atMs < SAMPLE_MS && samples.length > 1) samples[samples.length - 1] = { atMs: last.atMs, total };
      else samples.push({ atMs, total });
      while (samples.length > 2 && samples[1]!.atMs < atMs - WINDOW_MS) samples.shift();
    },
    perSecond() {
      const first = samples[0]!;
      const last = defined(samples.at(-1));
      const elapsedMs = Math.max(last.atMs, monotonicMs()) - first.atMs;
      return elapsedMs > 0 && last.total > first.total ? ((last.total - first.total) * 1000) / elapsedMs : null;
    },
  };
}

/** Counts what a running job does; its only mutable figures. */
export interface JobStatistics {
  /** The number of missing points when the work began; 0 until then. */
  begin(points: number): void;
  sent(): void;
  ended(): void;
  /** Points and bytes of a response that is arriving, so far. */
  arriving(request: PlannedRequest, bodyBytes: number, rows: number): void;
  arrived(request: PlannedRequest, answer: Arrived): void;
  lost(request: PlannedRequest): void;
  /** Points that will never come: forbidden, or permanently failed. */
  givenUp(request: PlannedRequest, kind: ServiceErrorKind, reason: string): void;
  /** Everything that is left is not requested, for this reason. */
  restGivenUp(stations: readonly PlanStation[], error: ServiceError): void;
  split(): void;
  retried(): void;
  putOff(): void;
  failures(): readonly JobFailure[];
  progress(state: JobState): JobProgress;
}

export function createJobStatistics(session: Session): JobStatistics {
  let pointsTotal = 0;
  const underWay = new Map<PlannedRequest, { points: number; bodyBytes: number; rows: number }>();
  const meter = createRateMeter(() => session.clock.monotonicMs());
  const requestMeter = createRateMeter(() => session.clock.monotonicMs());
  const anomalies: AnomalyCounts = {};
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

  function arrivedPoints(): number {
    let sum = points;
    for (const part of underWay.values()) sum += part.points;
    return sum;
  }

  return {
    begin: (all) => void (pointsTotal = all),
    sent() {
      requestsSent++;
      requestsUnderWay++;
    },
    ended() {
      requestsUnderWay--;
      requestMeter.note(++requestsEnded);
    },
    arriving(request, bytes, n) {
      underWay.set(request, { points: Math.min(n, request.points), bodyBytes: bytes, rows: n });
      meter.note(arrivedPoints());
    },
    arrived(request, answer) {
      underWay.delete(request);
      // What is in doubt is still to come.
      const inDoubt = answer.doubt?.stationIds.length ?? 0;
      points += request.points * (1 - inDoubt / request.stationIds.length);
      rows += answer.rows;
      bodyBytes += answer.bodyBytes;
      for (const [kind, n] of Object.entries(answer.anomalies)) addAnomaly(anomalies, kind as Anomaly, n);
      meter.note(arrivedPoints());
    },
    lost(request) {
      underWay.delete(request);
    },
    givenUp(request, kind, reason) {
      underWay.delete(request);
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
    failures: () => failures,
    progress(state) {
      const perSecond = meter.perSecond();
      const done = arrivedPoints();
      const left = Math.max(0, pointsTotal - pointsGivenUp - done);
      const arriving = [...underWay.values()];
      return {
        state,
        pointsTotal,
        pointsDone: Math.min(done, pointsTotal),
        rows: rows + arriving.reduce((n, part) => n + part.rows, 0),
        bodyBytes: bodyBytes + arriving.reduce((n, part) => n + part.bodyBytes, 0),
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
        waitingUntilMs: session.limiter.closedUntilMs(),
        outage: state === "running" ? outageOf(session) : null,
        anomalies,
      };
    },
  };
}

export function outageOf({ limiter }: Pick<Session, "limiter">): ServiceOutage | null {
  const outage = limiter.outage();
  return outage && { sinceMs: outage.sinceMs, nextTryMs: outage.nextTryMs, reason: outage.error.message };
}
