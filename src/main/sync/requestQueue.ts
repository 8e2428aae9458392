import type { ServiceErrorKind } from "#shared/service/error.ts";
import type { PlannedRequest } from "../planner/types.ts";
import type { Session } from "./session.ts";

/** A failed request that is sent again in two halves. If both are answered, its size was the reason. */
export interface HalvingTrial {
  /** Points of the whole request. */
  readonly points: number;
  readonly kind: ServiceErrorKind;
  /** Number of halves without a response so far. */
  remaining: number;
  /** Whether a half failed, too. */
  hasFailed: boolean;
}

/** What earlier attempts at a request have shown. */
export interface AttemptHistory {
  /** How often it failed; a half of a request that was sent repeatedly has failed before. */
  readonly failures: number;
  /** The number of committed responses when its station was first refused; null if it never was. */
  readonly commitsAtRefusal: number | null;
  /** Null if it is not a half of a failed request. */
  readonly trial: HalvingTrial | null;
  /** How often the request that contained it was halved. */
  readonly halvings: number;
  /** Whether the same request failed before. */
  readonly isRepeated: boolean;
}

export const NOT_ATTEMPTED: AttemptHistory = {
  failures: 0,
  commitsAtRefusal: null,
  trial: null,
  halvings: 0,
  isRepeated: false,
};

export interface QueuedRequest {
  readonly request: PlannedRequest;
  readonly history: AttemptHistory;
}

export function* withHistory(
  requests: Iterable<PlannedRequest>,
  history: AttemptHistory,
): IterableIterator<QueuedRequest> {
  for (const request of requests) yield { request, history };
}

/** Requests that replace one that was refused or lost. */
export interface Replacement {
  /** Sent before anything else; created on demand. */
  readonly first?: Iterable<QueuedRequest>;
  /** Sent after all other retries. */
  readonly last?: readonly QueuedRequest[];
}

/** A request whose cells no other job fetches until `release` is called. */
export interface ClaimedRequest extends QueuedRequest {
  readonly release: () => void;
}

/**
 * The requests that a job still has to send: split and repeated ones first, then the plan, which is made lazily.
 * Requests that overlap with another job's are deferred until that job ends, then planned again from what is still
 * missing.
 */
export class RequestQueue {
  readonly #session: Pick<Session, "claims">;
  readonly #plan: (within: PlannedRequest | null) => Iterable<PlannedRequest>;
  readonly #isStale: () => boolean;
  readonly #onWait: (isWaiting: boolean) => void;
  readonly #planned;
  readonly #first: Iterator<QueuedRequest>[] = [];
  readonly #last: QueuedRequest[] = [];
  readonly #deferred: QueuedRequest[] = [];
  #activeCount = 0;
  #isStopped = false;
  #isWaiting = false;
  #change = Promise.withResolvers<void>();
  #isWatching = false;

  /**
   * @param plan the requests for whatever is missing now, within one request or (null) within the whole job
   * @param isStale whether the cache has changed since the plan, so a request must be planned again before it is sent
   * @param onWait told when all that is left is claimed by other jobs or programs (true), and when that ends (false)
   */
  constructor(
    session: Pick<Session, "claims">,
    plan: (within: PlannedRequest | null) => Iterable<PlannedRequest>,
    isStale: () => boolean,
    onWait: (isWaiting: boolean) => void,
  ) {
    this.#session = session;
    this.#plan = plan;
    this.#isStale = isStale;
    this.#onWait = onWait;
    this.#planned = plan(null)[Symbol.iterator]();
  }

  /** Waits while requests may be added; null if all are settled or `stop` was called. */
  async take(): Promise<ClaimedRequest | null> {
    for (;;) {
      if (this.#isStopped) return null;
      const claimed = this.#tryTake();
      if (claimed || (this.#activeCount === 0 && this.#deferred.length === 0)) this.#noteWait(false);
      if (claimed) return claimed;
      if (this.#activeCount === 0 && this.#deferred.length === 0) {
        this.#wakeAll();
        return null;
      }
      this.#noteWait(this.#activeCount === 0);
      if (this.#deferred.length > 0) void this.#awaitRelease();
      await this.#change.promise;
    }
  }

  /** All workers wait for one release of a claim, after which what was deferred is planned again. */
  async #awaitRelease(): Promise<void> {
    if (this.#isWatching) return;
    this.#isWatching = true;
    await this.#session.claims.released();
    this.#isWatching = false;
    for (const queued of this.#deferred.splice(0)) this.#first.push(this.#replan(queued));
    this.#wakeAll();
  }

  /** Ends a request, and queues its replacement. */
  settle(claimed: ClaimedRequest, replacement: Replacement = {}): void {
    claimed.release();
    this.#activeCount--;
    if (replacement.first) this.#first.unshift(replacement.first[Symbol.iterator]());
    if (replacement.last) this.#last.push(...replacement.last);
    this.#wakeAll();
  }

  /** Ends every waiting `take` with null. */
  stop(): void {
    this.#isStopped = true;
    this.#wakeAll();
  }

  /** Tells of changes only: whether others are done is looked for again and again. */
  #noteWait(isNow: boolean): void {
    if (isNow !== this.#isWaiting) this.#onWait(isNow);
    this.#isWaiting = isNow;
  }

  #wakeAll(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  #next(): QueuedRequest | null {
    for (let front = this.#first[0]; front; front = this.#first[0]) {
      const step = front.next();
      if (!step.done) return step.value;
      this.#first.shift();
    }
    const queued = this.#last.shift();
    if (queued) return queued;
    const step = this.#planned.next();
    return step.done ? null : { request: step.value, history: NOT_ATTEMPTED };
  }

  *#replan({ request, history }: QueuedRequest): IterableIterator<QueuedRequest> {
    for (const part of this.#plan(request)) yield { request: part, history: { ...history, trial: null } };
  }

  #tryTake(): ClaimedRequest | null {
    for (let queued = this.#next(); queued !== null; queued = this.#next()) {
      const release = this.#session.claims.claim(queued.request);
      if (release === null) {
        this.#deferred.push(queued);
        continue;
      }
      if (this.#isStale()) {
        const parts = this.#replan(queued);
        const only = parts.next();
        const second = parts.next();
        if (only.done || !second.done || !sameCells(only.value.request, queued.request)) {
          release();
          this.#first.unshift(chain([only, second], parts));
          continue;
        }
      }
      this.#activeCount++;
      return { ...queued, release };
    }
    return null;
  }
}

/** Yields the steps already taken from an iterator, then the rest of it. */
function* chain<T>(taken: readonly IteratorResult<T, unknown>[], rest: Iterable<T>): IterableIterator<T> {
  for (const step of taken) if (!step.done) yield step.value;
  yield* rest;
}

function sameCells(a: PlannedRequest, b: PlannedRequest): boolean {
  return (
    a.range.startMs === b.range.startMs &&
    a.range.endMs === b.range.endMs &&
    a.variables.join() === b.variables.join() &&
    a.stationIds.join() === b.stationIds.join()
  );
}
