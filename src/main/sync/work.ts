import type { PlannedRequest } from "../planner/types.ts";
import type { Session } from "./session.ts";

/** A request with its turn taken: nobody else fetches its cells until `release` is called. */
export interface Piece {
  readonly request: PlannedRequest;
  /** How often it was sent before. */
  readonly attempts: number;
  readonly release: () => void;
}

/**
 * The requests that a job still has to send: planned lazily, with split and repeated ones first. Requests that meet
 * another job's are put aside until that one has ended, then planned anew from what is still missing.
 */
export interface Work {
  /** Waits while others may still add something; null when all is done or `stop` was called. */
  take(): Promise<Piece | null>;
  /** The piece is through; `again` are the requests that take its place. */
  settle(piece: Piece, again?: readonly { readonly request: PlannedRequest; readonly attempts: number }[]): void;
  /** Lets every waiting `take` end with null. */
  stop(): void;
}

interface Waiting {
  readonly request: PlannedRequest;
  readonly attempts: number;
}

/**
 * @param plan the requests for whatever is missing now, within one request or (null) within the whole job
 * @param isStale whether the cache has changed under the plan, so that a request must be planned anew before it is sent
 */
export function createWork(
  session: Pick<Session, "claims">,
  plan: (within: PlannedRequest | null) => Iterable<PlannedRequest>,
  isStale: () => boolean,
): Work {
  const planned = plan(null)[Symbol.iterator]();
  const again: Waiting[] = [];
  let deferred: Waiting[] = [];
  let underWay = 0;
  let stopped = false;
  let wake: (() => void)[] = [];

  function changed(): void {
    const woken = wake;
    wake = [];
    for (const w of woken) w();
  }

  function next(): Waiting | null {
    const first = again.shift();
    if (first) return first;
    const step = planned.next();
    return step.done ? null : { request: step.value, attempts: 0 };
  }

  function tryTake(): Piece | null {
    for (let waiting = next(); waiting !== null; waiting = next()) {
      const free = session.claims.take(waiting.request);
      if (free === null) {
        deferred.push(waiting);
        continue;
      }
      if (isStale()) {
        const fresh = [...plan(waiting.request)];
        const [only] = fresh;
        if (fresh.length !== 1 || !sameCells(only!, waiting.request)) {
          free();
          again.unshift(...fresh.map((request) => ({ request, attempts: waiting.attempts })));
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
        for (const waiting of deferred.splice(0)) {
          again.push(...[...plan(waiting.request)].map((request) => ({ request, attempts: waiting.attempts })));
        }
      }
    },
    settle(piece, more = []) {
      piece.release();
      underWay--;
      again.unshift(...more);
      changed();
    },
    stop() {
      stopped = true;
      changed();
    },
  };
}

function sameCells(a: PlannedRequest, b: PlannedRequest): boolean {
  return (
    a.range.startMs === b.range.startMs &&
    a.range.endMs === b.range.endMs &&
    a.variables.join() === b.variables.join() &&
    a.stationIds.join() === b.stationIds.join()
  );
}
