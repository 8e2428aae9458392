import type { ServiceError } from "#shared/service/error.ts";
import { count } from "#shared/text.ts";
import { serviceError } from "../client/errors/make.ts";
import { backoffMs, afterFirstAttempt, startRetryBudget, takeRetry } from "../planner/backoff.ts";
import {
  floorPoints,
  afterDeadline,
  afterSuccess,
  afterTooLarge,
  allowedPoints,
  type LearnedLimits,
} from "../planner/limits.ts";
import { splitDoubtful, splitRequest, splitStations } from "../planner/split.ts";
import type { EpochLookup, PlannedRequest } from "../planner/types.ts";
import { createBadVariables } from "./badVariables.ts";
import type { Doubt } from "./doubts.ts";
import { createForbiddenStations } from "./forbiddenStations.ts";
import type { Session } from "./session.ts";
import type { JobStatistics } from "./jobStatistics.ts";
import type { Permit } from "./limiter.ts";
import { type Again, FRESH, type Half, type History, type Waiting } from "./work.ts";

/**
 * - go: the job continues; `again` replaces the request, after `waitMs`
 * - verify: nothing smaller can be requested; whether the service answers one of `most` other requests decides
 *   (`onVerified`): about the rest of the job if the piece itself was given up, otherwise about the piece
 * - giveUpRest: the service provides nothing for this job; the rest is not requested
 * - stop: nothing more is available now, for the whole job
 */
export type RetryDecision =
  | { readonly do: "go"; readonly again: Again; readonly waitMs: number }
  | {
      readonly do: "verify";
      readonly about: "rest" | "piece";
      readonly waiting: Waiting;
      readonly error: ServiceError;
      readonly most: number;
    }
  | { readonly do: "giveUpRest"; readonly error: ServiceError }
  | { readonly do: "stop"; readonly state: "needsKey" | "broken"; readonly error: ServiceError };

export interface RetryPolicyContext {
  readonly statistics: JobStatistics;
  readonly epochSecondsOf: EpochLookup;
  /** The requests for what is still missing within one request, by the limits known when each is made. */
  readonly replan: (request: PlannedRequest) => Iterable<PlannedRequest>;
}

export interface RetryPolicy {
  beforeSending(history: History): void;
  onAnswer(waiting: Waiting, permit: Permit): void;
  /** The response arrived and was stored, but does not settle what the service has for some stations. */
  onDoubt(waiting: Waiting, doubt: Doubt, permit: Permit): RetryDecision;
  onError(waiting: Waiting, error: ServiceError, permit: Permit): RetryDecision;
  /** @param answers whether the service answers another request of the same kind */
  onVerified(decision: RetryDecision & { readonly do: "verify" }, answers: boolean): RetryDecision;
  /** The request without stations that turned out to be forbidden; null if none is left. */
  permitted(request: PlannedRequest): PlannedRequest | null;
  forbiddenIds(): readonly string[];
}

/** Attempts at the smallest request before it is given up, if its failure may be temporary. */
const MOST_TRIES = 3;
/** The same if there was no answer: a bad line may lose every second request. */
const MOST_LOSSES = 5;
/** Number of smallest requests without an answer that are retried. */
const MOST_UNANSWERED = 8;
/** Pieces given up in a row before other requests test whether the service answers at all. */
const MOST_GIVEN_UP = 3;
/** Number of those other requests. */
export const MOST_CONTROLS = 3;
/**
 * After this many refusals in a row the smallest requests are no longer retried; after `MOST_REFUSALS` the job ends.
 */
const MANY_REFUSALS = 50;
const MOST_REFUSALS = 300;
/** The same for requests that were delayed (429), or after ten minutes, but not before a few of them. */
const MOST_PUT_OFF = 200;
const MOST_PUT_OFF_MS = 600_000;
const FEW_PUT_OFF = 5;
/** Answers to halves that show that requests were lost because of their size. */
const PROOFS_OF_SIZE = 2;

/**
 * Responses that do not settle their cells may cost this many requests beyond the planned ones, plus one per good
 * response.
 */
const DOUBT_CREDIT = 128;
/** Attempts at the smallest request whose response does not settle its cells. */
const MOST_DOUBTS = 2;

/**
 * The second half waits its turn: if the first keeps being refused, other requests will have shown whether everything is.
 * Variables of the smallest piece are requested at once, so that it shows early if one of them cannot be had at all.
 */
function inTurn(parts: readonly Waiting[], isApart: boolean): Again {
  const [a, b] = parts.map(({ request }) => request);
  const areVariables = a?.points === b?.points && a?.range === b?.range && a?.stationIds === b?.stationIds;
  return areVariables && !isApart ? { first: parts } : { first: parts.slice(0, 1), last: parts.slice(1) };
}

function go(again: Again = {}, waitMs = 0): RetryDecision {
  return { do: "go", again, waitMs };
}

/**
 * What follows from each kind of failure. Size errors change the size of requests, load errors their concurrency, never
 * the other way round. Whatever fails repeatedly is too large or contains something unavailable, whatever its status:
 * it is halved until the unavailable part is a single observation or interval of one variable.
 *
 * Everything is bounded. An unavailable piece costs at most two requests per halving from the request down to it, and
 * five for itself (from the ninth piece on, one). After each 16 such pieces the smallest piece becomes eight times as
 * large (`floorPoints`), so a job of n points gives up at most 16 · (1 + log8 n) pieces before it stops looking inside.
 * A service that refuses everything is left after three pieces, which takes about 100 requests and never more than 300.
 */
export function createRetryPolicy(session: Session, context: RetryPolicyContext): RetryPolicy {
  const { statistics, epochSecondsOf } = context;
  const { clock, random, limiter } = session;
  const forbidden = createForbiddenStations(statistics, epochSecondsOf);
  const bad = createBadVariables();
  let budget = startRetryBudget(clock.monotonicMs());
  let refusedInARow = 0;
  /** The limits known before the current run of refusals. */
  let limitsBefore = session.limits();
  let givenUp = 0;
  let unanswered = 0;
  let givenUpInARow = 0;
  let putOffInARow = 0;
  let putOffSinceMs = 0;
  let proofsOfSize = 0;
  let doubtCredit = DOUBT_CREDIT;

  /**
   * If many of the smallest requests have no answer, a whole station or several years may be bad: one attempt is then
   * enough.
   */
  function triesOf(most: number, isFirst: boolean): number {
    if (isFirst) unanswered++;
    return unanswered > MOST_UNANSWERED ? 1 : most;
  }

  function giveUp(waiting: Waiting, error: ServiceError): RetryDecision {
    statistics.givenUp(waiting.request, error.kind, error.message);
    if (bad.isCondemned(waiting.request)) return go();
    givenUp++;
    const times = bad.givenUp(waiting.request);
    if (++givenUpInARow < MOST_GIVEN_UP && times !== MOST_GIVEN_UP) return go();
    return { do: "verify", about: "rest", waiting, error, most: MOST_CONTROLS };
  }

  /** In time first, then alternating with stations while it keeps failing: a whole station may be bad. */
  function split({ request, history }: Waiting) {
    const isSmall = request.points <= floorPoints(givenUp);
    const byStation = isSmall || history.cuts % 2 === 1 ? splitStations(request, epochSecondsOf) : null;
    return byStation ?? (isSmall ? null : splitRequest(request, epochSecondsOf));
  }

  /** Sets another size, until a response shows that size was not the reason. */
  function learn(limits: LearnedLimits): void {
    if (refusedInARow === 0) limitsBefore = session.limits();
    session.learn(limits);
  }

  /**
   * The service refused the request: it is requested again in parts that may be accepted.
   *
   * @param learned the limits derived from this refusal; null if it says nothing about sizes
   */
  function refuse(
    waiting: Waiting,
    error: ServiceError,
    mostTries: number,
    learned: LearnedLimits | null = null,
  ): RetryDecision {
    const { request, history } = waiting;
    const known = session.limits();
    if (learned) learn(learned);
    refusedInARow++;
    failed(history);
    if (refusedInARow > MOST_REFUSALS) return giveUpRest(error);
    if (bad.isCondemned(request)) return giveUp(waiting, error);
    const before = history.limits ?? known;
    const parts = smaller(waiting, error, learned && (isExplained(learned) ? learned : before));
    if (parts !== null) {
      statistics.split();
      return go(parts);
    }
    // Its size is not the reason, so it was not the reason for the larger request either.
    if (learned) session.learn(history.failures === 0 ? before : known);
    const failures = history.failures + 1;
    const again = { request, history: { ...history, failures } };
    const mayPass = failures < triesOf(mostTries, failures === 1) && refusedInARow < MANY_REFUSALS;
    return mayPass ? later(again, error) : giveUp(again, error);
  }

  /** @param limits restored if no part is small enough; null if the refusal says nothing about sizes */
  function smaller(waiting: Waiting, { kind }: ServiceError, limits: LearnedLimits | null): Again | null {
    const { request } = waiting;
    const history = { ...FRESH, limits, cuts: waiting.history.cuts + 1 };
    const bySize = limits ? byLimits(request, history) : null;
    if (bySize) return bySize;
    const byStation = kind === "invalid" || kind === "notFound" ? splitStations(request, epochSecondsOf) : null;
    const apart = bad.apart(request);
    const halves = apart ?? byStation ?? split(waiting);
    return (
      halves &&
      inTurn(
        halves.map((half) => ({ request: half, history })),
        apart !== null,
      )
    );
  }

  /** In parts within the learned limits; null if it is already within them, and so was not refused for its points. */
  function byLimits(request: PlannedRequest, history = FRESH): Again | null {
    if (allowedPoints(session.limits()) < floorPoints(givenUp)) return null;
    const replanned = withHistory(context.replan(request), history);
    const one = replanned.next();
    if (one.done) return {};
    return one.value.request.points < request.points ? { first: startingWith(one.value, replanned) } : null;
  }

  function unusable({ request, history }: Waiting, error: ServiceError, permit: Permit): RetryDecision {
    permit.answered();
    failed(history);
    const failures = history.failures + 1;
    const halves = doubtCredit >= 2 ? splitDoubtful(request, epochSecondsOf) : null;
    const again = halves
      ? [...withHistory(halves, FRESH)]
      : failures < MOST_DOUBTS
        ? [{ request, history: { ...history, failures } }]
        : [];
    if (again.length > doubtCredit || again.length === 0) {
      statistics.givenUp(request, error.kind, error.message);
      return go();
    }
    doubtCredit -= again.length;
    statistics.retried();
    return go({ first: again }, halves ? 0 : backoffMs(history.failures, random()));
  }

  function isolate(request: PlannedRequest, error: ServiceError): RetryDecision {
    const halves = forbidden.isolate(request, error);
    return halves ? go({ first: [...withHistory(halves, FRESH)] }) : go();
  }

  function putOff(waiting: Waiting, error: ServiceError, permit: Permit): RetryDecision {
    permit.overloaded();
    limiter.close(error.retryAfterMs);
    statistics.putOff();
    const nowMs = clock.monotonicMs();
    if (putOffInARow++ === 0) putOffSinceMs = nowMs;
    const isLong = putOffInARow > FEW_PUT_OFF && nowMs - putOffSinceMs >= MOST_PUT_OFF_MS;
    if (putOffInARow > MOST_PUT_OFF || isLong) {
      const message = `${error.message} It delayed ${count(putOffInARow)} requests in a row.`;
      return { do: "stop", state: "broken", error: { ...error, message } };
    }
    return go({ first: [waiting] });
  }

  /** Retries it later; during an outage the limiter decides when. */
  function later(waiting: Waiting, error: ServiceError, isLast = false): RetryDecision {
    statistics.retried();
    const again = isLast ? { last: [waiting] } : { first: [waiting] };
    if (limiter.outage() !== null) return go(again);
    const grant = takeRetry(budget, clock.monotonicMs());
    // If the budget is spent, the next token is reserved (a debt), so that waiting requests queue up behind each other.
    budget = grant.granted ? grant.budget : { ...grant.budget, tokens: grant.budget.tokens - 1 };
    const waitMs = grant.waitMs + backoffMs(waiting.history.failures, random());
    return go(again, Math.max(error.retryAfterMs ?? 0, waitMs));
  }

  /** There was no answer: the connection or the request may be the cause. */
  function lose({ request, history }: Waiting, error: ServiceError, permit: Permit): RetryDecision {
    permit.lost(error);
    // If no connection was established, the request is not to blame.
    if (error.isUnsent) return later({ request, history }, error);
    failed(history);
    const failures = history.failures + 1;
    const commits = history.commits ?? session.commits();
    const again = { request, history: { ...history, failures, commits } };
    if (bad.isCondemned(request)) return giveUp(again, error);
    if (failures < 2) return later(again, error);
    const bySize = allowedPoints(session.limits()) < request.points ? byLimits(request) : null;
    const apart = bySize ? null : bad.apart(request);
    const halves = bySize ? null : (apart ?? split({ request, history }));
    if (bySize) {
      statistics.split();
      return go(bySize);
    }
    if (halves) {
      statistics.split();
      // During an outage, halves that pass prove nothing.
      const half: Half | null =
        limiter.outage() === null ? { points: request.points, left: 2, hasFailed: false } : null;
      const parts = halves.map((part) => ({
        request: part,
        history: { ...FRESH, failures: 1, half, cuts: history.cuts + 1 },
      }));
      // In random order: the unavailable part must not always lie in the half that is tried first.
      if (apart === null && random() < 0.5) parts.reverse();
      return go(inTurn(parts, apart !== null));
    }
    if (failures <= triesOf(MOST_LOSSES, failures === 2)) return later(again, error, true);
    if (session.commits() > commits) return giveUp(again, error);
    return { do: "verify", about: "piece", waiting: again, error, most: 1 };
  }

  return {
    beforeSending({ failures }) {
      if (failures === 0) budget = afterFirstAttempt(budget, clock.monotonicMs());
    },
    onAnswer({ request, history: { half, failures } }, permit) {
      if (failures > 1 && request.points <= floorPoints(givenUp)) unanswered--;
      refusedInARow = 0;
      givenUpInARow = 0;
      bad.arrived(request.variables);
      doubtCredit = Math.min(DOUBT_CREDIT, doubtCredit + 1);
      putOffInARow = 0;
      permit.answered();
      session.learn(afterSuccess(session.limits(), request.points));
      if (!half || --half.left > 0 || half.hasFailed || ++proofsOfSize < PROOFS_OF_SIZE) return;
      proofsOfSize = 0;
      session.learn(afterDeadline(session.limits(), half.points));
    },
    onDoubt(waiting, { stationIds, why }, permit) {
      const { request, history } = waiting;
      const points = (request.points * stationIds.length) / request.stationIds.length;
      const error = serviceError("unusable", `The service's answer cannot be used: ${why}.`);
      return unusable({ request: { ...request, stationIds, points }, history }, error, permit);
    },
    onError(waiting, error, permit) {
      const { request } = waiting;
      switch (error.kind) {
        case "unavailable":
          permit.overloaded();
          return lose(waiting, error, permit);
        case "network":
        case "truncated":
          return lose(waiting, error, permit);
        case "notTheService":
          permit.lost(error);
          if (limiter.outage() !== null) return { do: "stop", state: "broken", error };
          return waiting.history.failures < 1
            ? later({ request, history: { ...waiting.history, failures: 1 } }, error)
            : refuse(waiting, error, 2);
        case "tls":
        case "proxy":
        case "redirected":
          return { do: "stop", state: "broken", error };
        case "cancelled":
          return go();
        case "tooLarge":
          permit.refused();
          return refuse(waiting, error, 1, afterTooLarge(session.limits(), request.points, error.limitPoints));
        case "deadline":
          permit.refused();
          return refuse(waiting, error, MOST_TRIES, afterDeadline(session.limits(), request.points));
        case "unusable":
          return unusable(waiting, error, permit);
        case "invalid":
        case "notFound":
          permit.refused();
          return refuse(waiting, error, 1);
        case "busy":
          permit.refused();
          return putOff(waiting, error, permit);
        case "forbidden":
          permit.refused();
          return isolate(request, error);
        case "unauthorized":
          permit.refused();
          return { do: "stop", state: "needsKey", error };
      }
    },
    onVerified({ about, waiting, error }, answers) {
      if (about === "rest") {
        givenUpInARow = 0;
        if (!answers) return bad.condemn(waiting.request) ? go() : giveUpRest(error);
        // The size is not the reason: later requests may be as large as before.
        if (refusedInARow > 0) session.learn(limitsBefore);
        refusedInARow = 0;
        return go();
      }
      if (!answers) return later(waiting, error, true);
      statistics.givenUp(waiting.request, error.kind, error.message);
      bad.givenUp(waiting.request);
      givenUp++;
      return go();
    },
    permitted: (request) => forbidden.permitted(request),
    forbiddenIds: () => forbidden.ids(),
  };
}

function* withHistory(requests: Iterable<PlannedRequest>, history: History): IterableIterator<Waiting> {
  for (const request of requests) yield { request, history };
}

/** A limit that the service states is a limit, whatever else is wrong. */
function isExplained({ points }: LearnedLimits): boolean {
  return points.source === "stated" && points.doubts === 0;
}

function* startingWith<T>(one: T, rest: Iterable<T>): IterableIterator<T> {
  yield one;
  yield* rest;
}

function giveUpRest(error: ServiceError): RetryDecision {
  const message = `${error.message} Requests were made smaller and smaller, down to a single observation, and other parts were tried, too; as none was answered, the rest was not asked.`;
  return { do: "giveUpRest", error: { ...error, message } };
}

/** The whole request was not lost for its size alone. */
function failed(history: History): void {
  if (history.half) history.half.hasFailed = true;
}
