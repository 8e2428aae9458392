import type { ServiceErrorKind } from "#shared/service/error.ts";
import { allowedPoints, type LearnedLimits } from "../../planner/limits.ts";
import { type Halves, splitRequest, splitStations } from "../../planner/split.ts";
import type { EpochSecondsLookup, PlannedRequest } from "../../planner/types.ts";
import { type AttemptHistory, NOT_ATTEMPTED, type QueuedRequest, type Replacement } from "../requestQueue.ts";
import type { Session } from "../session.ts";
import { withHistory } from "./decision.ts";
import type { SmallestRequests } from "./smallestRequests.ts";
import type { UnavailableVariables } from "./unavailableVariables.ts";

interface DivisionContext {
  readonly session: Session;
  readonly epochSecondsOf: EpochSecondsLookup;
  /** The requests for what is still missing within one request, by the limits known when each is made. */
  readonly replan: (request: PlannedRequest) => Iterable<PlannedRequest>;
  readonly smallest: SmallestRequests;
  readonly unavailable: UnavailableVariables;
}

/** Divides failed requests into smaller ones. Each function returns null if it cannot divide the request. */
export interface Division {
  /** Parts within the learned limits; null if the request is within them, and so was not refused for its points. */
  byLimits(request: PlannedRequest, history?: AttemptHistory): Replacement | null;
  /**
   * Parts of a refused request.
   *
   * @param limits restored if no part is small enough; null if the refusal says nothing about sizes
   */
  afterRefusal(failed: QueuedRequest, kind: ServiceErrorKind, limits: LearnedLimits | null): Replacement | null;
  /** Halves of a lost request, in random order: the unavailable part must not always be in the half tried first. */
  afterLoss(failed: QueuedRequest, historyOfParts: AttemptHistory): Replacement | null;
}

export function createDivision(context: DivisionContext): Division {
  const { session, epochSecondsOf, smallest, unavailable } = context;

  function byLimits(request: PlannedRequest, history = NOT_ATTEMPTED): Replacement | null {
    if (allowedPoints(session.limits()) < smallest.floorPoints()) return null;
    const parts = withHistory(context.replan(request), history);
    const first = parts.next();
    if (first.done) return {};
    return first.value.request.points < request.points ? { first: startingWith(first.value, parts) } : null;
  }

  /** In time first, then alternating with stations while it keeps failing: a whole station may be unavailable. */
  function halve({ request, history }: QueuedRequest): Halves | null {
    const isSmall = request.points <= smallest.floorPoints();
    const byStation = isSmall || history.halvings % 2 === 1 ? splitStations(request, epochSecondsOf) : null;
    return byStation ?? (isSmall ? null : splitRequest(request, epochSecondsOf));
  }

  return {
    byLimits,
    afterRefusal(failed, kind, limits) {
      const { request } = failed;
      const history = { ...NOT_ATTEMPTED, limitsBefore: limits, halvings: failed.history.halvings + 1 };
      const bySize = limits ? byLimits(request, history) : null;
      if (bySize) return bySize;
      const byStation = kind === "invalid" || kind === "notFound" ? splitStations(request, epochSecondsOf) : null;
      const separated = unavailable.separateSuspects(request);
      const halves = separated ?? byStation ?? halve(failed);
      return halves && inTurn([...withHistory(halves, history)], separated !== null);
    },
    afterLoss(failed, historyOfParts) {
      const separated = unavailable.separateSuspects(failed.request);
      const halves = separated ?? halve(failed);
      if (halves === null) return null;
      const parts = [...withHistory(halves, historyOfParts)];
      if (separated === null && session.random() < 0.5) parts.reverse();
      return inTurn(parts, separated !== null);
    },
  };
}

/**
 * The second half waits: if the first keeps being refused, other requests will have shown whether everything is.
 * Variables of the smallest request are requested at once, which shows early if one of them is not available at all.
 */
function inTurn(parts: readonly QueuedRequest[], isSeparated: boolean): Replacement {
  const [a, b] = parts.map(({ request }) => request);
  const areVariables = a?.points === b?.points && a?.range === b?.range && a?.stationIds === b?.stationIds;
  return areVariables && !isSeparated ? { first: parts } : { first: parts.slice(0, 1), last: parts.slice(1) };
}

function* startingWith<T>(first: T, rest: Iterable<T>): IterableIterator<T> {
  yield first;
  yield* rest;
}
