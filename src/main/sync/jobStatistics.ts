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

const WINDOW_MS = 10_000;
const SAMPLE_MS = 200;

/** Measures points or requests per second over the last seconds, so that “time left” follows the network's speed. */
class RateMeter {
  readonly #monotonicMs: () => number;
  readonly #samples: { atMs: number; total: number }[];

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
    this.#samples = [{ atMs: monotonicMs(), total: 0 }];
  }

  /** Records the total that has arrived by now. */
  record(total: number): void {
    const atMs = this.#monotonicMs();
    const last = this.#samples.at(-1);
    if (this.#samples.length > 1 && last && atMs - last.atMs < SAMPLE_MS) last.total = total;
    else this.#samples.push({ atMs, total });
    for (
      let [, second] = this.#samples;
      this.#samples.length > 2 && second && second.atMs < atMs - WINDOW_MS;
      [, second] = this.#samples
    )
      this.#samples.shift();
  }

  /** Null until two totals are known. */
  perSecond(): number | null {
    const [first, last] = [defined(this.#samples[0]), defined(this.#samples.at(-1))];
    const elapsedMs = Math.max(last.atMs, this.#monotonicMs()) - first.atMs;
    return elapsedMs > 0 && last.total > first.total ? ((last.total - first.total) * 1000) / elapsedMs : null;
  }
}

/** The statistics of a running job. */
export class JobStatistics {
  readonly #session: Session;
  #pointsTotal = 0;
  readonly #active = new Map<PlannedRequest, { points: number; bodyBytes: number; rows: number }>();
  readonly #pointMeter;
  readonly #requestMeter;
  #irregularities: IrregularityCounts = {};
  readonly #failures: JobFailure[] = [];
  #points = 0;
  #pointsGivenUp = 0;
  #rows = 0;
  #bodyBytes = 0;
  #requestsSent = 0;
  #requestsUnderWay = 0;
  #requestsEnded = 0;
  #splits = 0;
  #retries = 0;
  #putOff = 0;
  #waitsForOthers = false;
  #isAsking = false;

  constructor(session: Session) {
    this.#session = session;
    this.#pointMeter = new RateMeter(() => session.clock.monotonicMs());
    this.#requestMeter = new RateMeter(() => session.clock.monotonicMs());
  }

  /** Adds points that are to be requested. */
  plan(more: number): void {
    this.#pointsTotal += more;
  }

  sent(): void {
    this.#requestsSent++;
    this.#requestsUnderWay++;
  }

  ended(): void {
    this.#requestsUnderWay--;
    this.#requestMeter.record(++this.#requestsEnded);
  }

  /** Records the bytes and rows of a response so far. */
  arriving(request: PlannedRequest, bytesSoFar: number, rowsSoFar: number): void {
    this.#active.set(request, {
      points: this.#isAsking ? 0 : Math.min(rowsSoFar, request.points),
      bodyBytes: bytesSoFar,
      rows: rowsSoFar,
    });
    this.#pointMeter.record(this.#arrivedPoints());
  }

  arrived(request: PlannedRequest, answer: StoredResponse): void {
    this.#active.delete(request);
    if (!this.#isAsking) this.#points += request.points;
    this.#rows += answer.rows;
    this.#bodyBytes += answer.bodyBytes;
    this.#irregularities = sumIrregularities([this.#irregularities, answer.irregularities]);
    this.#pointMeter.record(this.#arrivedPoints());
  }

  lost(request: PlannedRequest): void {
    this.#active.delete(request);
  }

  /** Begins or ends questions about absences: they count as requests only, and their failures change nothing. */
  asking(isOn: boolean): void {
    this.#isAsking = isOn;
  }

  /** Records points that this job will not fetch: forbidden, or permanently failed. */
  givenUp(request: PlannedRequest, kind: ServiceErrorKind, reason: string): void {
    this.#active.delete(request);
    if (this.#isAsking) return;
    this.#pointsGivenUp += request.points;
    for (const stationId of request.stationIds) {
      this.#failures.push({ stationId, variables: request.variables, range: request.range, kind, reason });
    }
  }

  /** Records that the rest is not requested, for this reason. */
  restGivenUp(stations: readonly PlanStation[], { kind, message: reason }: ServiceError): void {
    this.#pointsGivenUp = Math.max(0, this.#pointsTotal - this.#points);
    for (const { id: stationId, missing } of stations) {
      for (const [variable, ranges] of Object.entries(missing) as [Variable, RangeSet][])
        for (const range of ranges) this.#failures.push({ stationId, variables: [variable], range, kind, reason });
    }
  }

  split(): void {
    this.#splits++;
  }

  retried(): void {
    this.#retries++;
  }

  putOff(): void {
    this.#putOff++;
  }

  waitsForOthers(isWaiting: boolean): void {
    this.#waitsForOthers = isWaiting;
  }

  failures(): readonly JobFailure[] {
    return this.#failures;
  }

  progress(state: JobState): JobProgress {
    const perSecond = this.#pointMeter.perSecond();
    const done = this.#arrivedPoints();
    const left = Math.max(0, this.#pointsTotal - this.#pointsGivenUp - done);
    const arriving = [...this.#active.values()];
    return {
      state,
      pointsTotal: this.#pointsTotal,
      pointsDone: Math.min(done, this.#pointsTotal),
      rows: this.#rows + arriving.reduce((sum, part) => sum + part.rows, 0),
      bodyBytes: this.#bodyBytes + arriving.reduce((sum, part) => sum + part.bodyBytes, 0),
      requestsSent: this.#requestsSent,
      requestsUnderWay: this.#requestsUnderWay,
      splits: this.#splits,
      retries: this.#retries,
      putOff: this.#putOff,
      limitPoints: knownLimit(this.#session.limits()),
      concurrency: this.#session.limiter.concurrency(),
      pointsPerSecond: perSecond,
      requestsPerSecond: this.#requestMeter.perSecond(),
      secondsLeft: perSecond === null || state !== "running" ? null : left / perSecond,
      waitingUntilMs: this.#session.limiter.pausedUntilMs(),
      waitsForOthers: state === "running" && this.#waitsForOthers,
      outage: state === "running" ? outageOf(this.#session) : null,
      irregularities: this.#irregularities,
    };
  }

  #arrivedPoints(): number {
    let sum = this.#points;
    for (const part of this.#active.values()) sum += part.points;
    return sum;
  }
}

/** What a job waits for: the end of an outage, or of a lock on the cache; null if it does not wait. */
export function outageOf({ limiter, writes }: Pick<Session, "limiter" | "writes">): ServiceOutage | null {
  const lock = writes.lock();
  if (lock) return { ...lock, isLock: true };
  const outage = limiter.outage();
  return outage && { sinceMs: outage.sinceMs, nextTryMs: outage.nextTryMs, reason: outage.error.message };
}
