import type { ServiceError, ServiceErrorKind } from "#shared/service/error.ts";
import type { Variable } from "#shared/service/variables.ts";
import { allowedPoints, floorPoints, type LearnedLimits } from "../../planner/limits.ts";
import { type Halves, ownVariables, splitOff, splitRequest, splitStations } from "../../planner/split.ts";
import type { EpochSecondsLookup, PlannedRequest } from "../../planner/types.ts";
import type { JobStatistics } from "../jobStatistics.ts";
import { type AttemptHistory, NOT_ATTEMPTED, type QueuedRequest, type Replacement } from "../requestQueue.ts";
import type { Session } from "../session.ts";
import { continueWith, type RetryDecision, withHistory } from "./decision.ts";

/**
 * The variables of a job that the service cannot deliver at all. One of them makes every larger request fail that
 * contains it, so the other variables are requested separately.
 *
 * - suspected: given up alone, while no station has delivered it yet
 * - unavailable: other requests for it were not answered either, while other variables arrive; it is not divided further
 */
export class UnavailableVariables {
  readonly #timesGivenUp = new Map<Variable, number>();
  readonly #arrived = new Set<Variable>();
  readonly #unavailable = new Set<Variable>();

  /** A response with these variables was stored. */
  onArrived(variables: readonly Variable[]): void {
    for (const variable of variables) {
      this.#arrived.add(variable);
      this.#timesGivenUp.delete(variable);
      this.#unavailable.delete(variable);
    }
  }

  /** @returns how often the only variable of the request was given up, including this time; 0 if it is not suspected */
  onGivenUp(request: PlannedRequest): number {
    const [variable, ...others] = ownVariables(request);
    if (variable === undefined || others.length > 0 || this.#arrived.has(variable)) return 0;
    const times = (this.#timesGivenUp.get(variable) ?? 0) + 1;
    this.#timesGivenUp.set(variable, times);
    return times;
  }

  /**
   * Other requests for the same variables were not answered, so they are unavailable.
   *
   * @returns false if the cause may lie elsewhere: some variable is not suspected, or none has arrived
   */
  confirm(request: PlannedRequest): boolean {
    if (this.#arrived.size === 0 || !isSubset(request, this.#timesGivenUp)) return false;
    for (const variable of ownVariables(request)) this.#unavailable.add(variable);
    return true;
  }

  /** Whether all variables of the request are unavailable. */
  includesAllOf(request: PlannedRequest): boolean {
    return isSubset(request, this.#unavailable);
  }

  /** The request without suspected variables, and those alone; null if it does not contain both kinds. */
  separateSuspects(request: PlannedRequest): Halves | null {
    return splitOff(request, this.#timesGivenUp);
  }
}

function isSubset(request: PlannedRequest, variables: Pick<ReadonlySet<Variable>, "has" | "size">): boolean {
  return variables.size > 0 && ownVariables(request).every((variable) => variables.has(variable));
}

/** Number of smallest requests without a response that are retried. */
const MAX_RETRIED = 8;
/** Requests given up in a row before control requests test whether the service answers at all. */
const GIVEN_UP_BEFORE_CONTROLS = 3;
/** Number of those control requests. */
export const MAX_CONTROLS = 3;

/** The requests of a job that are not divided further: how often they are retried, and when they are given up. */
export class SmallestRequests {
  readonly #statistics: JobStatistics;
  readonly #unavailable: UnavailableVariables;
  #givenUp = 0;
  #givenUpInARow = 0;
  #unanswered = 0;

  constructor(statistics: JobStatistics, unavailable: UnavailableVariables) {
    this.#statistics = statistics;
    this.#unavailable = unavailable;
  }

  /** The size that is not divided further, in data points; it grows with the number of given-up requests. */
  floorPoints(): number {
    return floorPoints(this.#givenUp);
  }

  /**
   * The number of attempts at such a request. If many have no response, a whole station or several years may be
   * unavailable: one attempt is then enough.
   *
   * @param isFirst whether this is its first failure
   */
  maxAttempts(most: number, isFirst: boolean): number {
    if (isFirst) this.#unanswered++;
    return this.#unanswered > MAX_RETRIED ? 1 : most;
  }

  giveUp(failed: QueuedRequest, error: ServiceError): RetryDecision {
    this.#statistics.givenUp(failed.request, error.kind, error.message);
    if (this.#unavailable.includesAllOf(failed.request)) return continueWith();
    this.#givenUp++;
    const times = this.#unavailable.onGivenUp(failed.request);
    if (++this.#givenUpInARow < GIVEN_UP_BEFORE_CONTROLS && times !== GIVEN_UP_BEFORE_CONTROLS) return continueWith();
    return { kind: "verify", about: "rest", failed, error, maxRequests: MAX_CONTROLS };
  }

  /** Gives up one request after the service answered a control request, so the rest of the job is not in question. */
  giveUpVerified({ request }: QueuedRequest, error: ServiceError): void {
    this.#statistics.givenUp(request, error.kind, error.message);
    this.#unavailable.onGivenUp(request);
    this.#givenUp++;
  }

  onSuccess({ request, history }: QueuedRequest): void {
    if (history.failures > 1 && request.points <= floorPoints(this.#givenUp)) this.#unanswered--;
    this.#givenUpInARow = 0;
  }

  /** The next control requests are due after as many given-up requests as the first. */
  resetStreak(): void {
    this.#givenUpInARow = 0;
  }
}

interface DivisionContext {
  readonly session: Session;
  readonly epochSecondsOf: EpochSecondsLookup;
  /** The requests for what is still missing within one request, by the limits known when each is made. */
  readonly replan: (request: PlannedRequest) => Iterable<PlannedRequest>;
  readonly smallest: SmallestRequests;
  readonly unavailable: UnavailableVariables;
}

/** Divides failed requests into smaller ones. Each function returns null if it cannot divide the request. */
export class Division {
  readonly #context: DivisionContext;

  constructor(context: DivisionContext) {
    this.#context = context;
  }

  /** Parts within the learned limits; null if the request is within them, and so was not refused for its points. */
  byLimits(request: PlannedRequest, history: AttemptHistory = NOT_ATTEMPTED): Replacement | null {
    if (allowedPoints(this.#context.session.limits()) < this.#context.smallest.floorPoints()) return null;
    const parts = withHistory(this.#context.replan(request), history);
    const first = parts.next();
    if (first.done) return {};
    return first.value.request.points < request.points ? { first: startingWith(first.value, parts) } : null;
  }

  /**
   * Parts of a refused request.
   *
   * @param limits restored if no part is small enough; null if the refusal says nothing about sizes
   */
  afterRefusal(failed: QueuedRequest, kind: ServiceErrorKind, limits: LearnedLimits | null): Replacement | null {
    const { request } = failed;
    const history = { ...NOT_ATTEMPTED, limitsBefore: limits, halvings: failed.history.halvings + 1 };
    const bySize = limits ? this.byLimits(request, history) : null;
    if (bySize) return bySize;
    const byStation =
      kind === "invalid" || kind === "notFound" ? splitStations(request, this.#context.epochSecondsOf) : null;
    const separated = this.#context.unavailable.separateSuspects(request);
    const halves = separated ?? byStation ?? this.#halve(failed);
    return halves && inTurn([...withHistory(halves, history)], separated !== null);
  }

  /** Halves of a lost request, in random order: the unavailable part must not always be in the half tried first. */
  afterLoss(failed: QueuedRequest, historyOfParts: AttemptHistory): Replacement | null {
    const separated = this.#context.unavailable.separateSuspects(failed.request);
    const halves = separated ?? this.#halve(failed);
    if (halves === null) return null;
    const parts = [...withHistory(halves, historyOfParts)];
    if (separated === null && this.#context.session.random() < 0.5) parts.reverse();
    return inTurn(parts, separated !== null);
  }

  /** In time first, then alternating with stations while it keeps failing: a whole station may be unavailable. */
  #halve({ request, history }: QueuedRequest): Halves | null {
    const isSmall = request.points <= this.#context.smallest.floorPoints();
    const byStation =
      isSmall || history.halvings % 2 === 1 ? splitStations(request, this.#context.epochSecondsOf) : null;
    return byStation ?? (isSmall ? null : splitRequest(request, this.#context.epochSecondsOf));
  }
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
