import type { LearnedLimits } from "../planner/limits.ts";
import type { PlannedRequest } from "../planner/types.ts";
import type { Session } from "./session.ts";

/** One half of a request that was lost and is retried in two halves. */
export interface Half {
  /** Points of the whole request. */
  readonly points: number;
  /** Halves without an answer so far. */
  left: number;
  /** Whether a half was refused or lost, too. */
  hasFailed: boolean;
}

/** What is known about a request from earlier attempts. */
export interface History {
  /** How often it, or a request that contained it, was refused or lost. */
  readonly failures: number;
  /** The number of stored responses when it was first lost; null if it never was. */
  readonly commits: number | null;
  /** Null if it is not a half. */
  readonly half: Half | null;
  /** The limits known before it, or a request that contained it, was refused for its size; null if it never was. */
  readonly limits: LearnedLimits | null;
  /** How often the request that contained it was halved. */
  readonly cuts: number;
}

export const FRESH: History = { failures: 0, commits: null, half: null, limits: null, cuts: 0 };

/** A request that waits to be sent. */
export interface Waiting {
  readonly request: PlannedRequest;
  readonly history: History;
}

/** What replaces a request that was refused or lost. */
export interface Again {
  /** Sent before anything else; made on demand. */
  readonly first?: Iterable<Waiting>;
  /** Sent after everything that is retried before it. */
  readonly last?: readonly Waiting[];
}

/** A request that was claimed: nobody else fetches its cells until `release` is called. */
export interface Piece extends Waiting {
  readonly release: () => void;
}

/**
 * The requests that a job still has to send: planned lazily, after split and repeated ones. Requests that overlap with
 * another job's are put aside until that job ends, then planned again from what is still missing.
 */
export interface Work {
  /** Waits while more may be added; null when everything is done or `stop` was called. */
  take(): Promise<Piece | null>;
  /** The piece is finished, and `again` replaces it. */
  settle(piece: Piece, again?: Again): void;
  /** Ends every waiting `take` with null. */
  stop(): void;
}

/**
 * @param plan the requests for whatever is missing now, within one request or (null) within the whole job
 * @param isStale whether the cache has changed since the plan, so a request must be planned again before it is sent
 */
export function createWork(
  session: Pick<Session, "claims">,
  plan: (within: PlannedRequest | null) => Iterable<PlannedRequest>,
  isStale: () => boolean,
): Work {
  const planned = plan(null)[Symbol.iterator]();
  const first: Iterator<Waiting>[] = [];
  const last: Waiting[] = [];
  const deferred: Waiting[] = [];
  let underWay = 0;
  let stopped = false;
  let wake: (() => void)[] = [];

  function changed(): void {
    const woken = wake;
    wake = [];
    for (const w of woken) w();
  }

  function next(): Waiting | null {
    for (let front = first[0]; front; front = first[0]) {
      const step = front.next();
      if (!step.done) return step.value;
      first.shift();
    }
    const waiting = last.shift();
    if (waiting) return waiting;
    const step = planned.next();
    return step.done ? null : { request: step.value, history: FRESH };
  }

  function* anew({ request, history }: Waiting): IterableIterator<Waiting> {
    for (const each of plan(request)) yield { request: each, history: { ...history, half: null } };
  }

  function tryTake(): Piece | null {
    for (let waiting = next(); waiting !== null; waiting = next()) {
      const free = session.claims.take(waiting.request);
      if (free === null) {
        deferred.push(waiting);
        continue;
      }
      if (isStale()) {
        const fresh = anew(waiting);
        const only = fresh.next();
        const second = fresh.next();
        if (only.done || !second.done || !sameCells(only.value.request, waiting.request)) {
          free();
          first.unshift(chain([only, second], fresh));
          continue;
        }
      }
      underWay++;
      return { ...waiting, release: free };
    }
    return null;
  }

  return {
    async take() {
      for (;;) {
        if (stopped) return null;
        const piece = tryTake();
        if (piece) return piece;
        if (underWay === 0 && deferred.length === 0) {
          changed();
          return null;
        }
        const own = new Promise<void>((resolve) => wake.push(resolve));
        await (deferred.length > 0 ? Promise.race([own, session.claims.changed()]) : own);
        for (const waiting of deferred.splice(0)) first.push(anew(waiting));
      }
    },
    settle(piece, again = {}) {
      piece.release();
      underWay--;
      if (again.first) first.unshift(again.first[Symbol.iterator]());
      if (again.last) last.push(...again.last);
      changed();
    },
    stop() {
      stopped = true;
      changed();
    },
  };
}

/** What was already taken from an iterator, followed by its rest. */
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
