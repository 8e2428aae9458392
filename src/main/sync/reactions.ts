import type { ServiceError } from "#shared/service/error.ts";
import { serviceError } from "../client/errors/make.ts";
import { backoffMs, afterFirstAttempt, startRetryBudget, takeRetry } from "../planner/backoff.ts";
import { afterDeadline, afterSuccess, afterTooLarge } from "../planner/limits.ts";
import { splitDoubtful, splitRequest, splitStations } from "../planner/split.ts";
import type { EpochLookup, PlannedRequest } from "../planner/types.ts";
import type { Doubt } from "./doubts.ts";
import type { Session } from "./session.ts";
import type { Tally } from "./tally.ts";
import type { Pass } from "./turnstile.ts";

/** What takes the place of a request that was refused or lost. */
export interface Again {
  readonly request: PlannedRequest;
  readonly attempts: number;
}

/**
 * - go: on with the job; `again` replaces the request, after `waitMs`
 * - stop: nothing more can be had now, for the whole job
 */
export type Reaction =
  | { readonly do: "go"; readonly again: readonly Again[]; readonly waitMs: number }
  | { readonly do: "stop"; readonly state: "needsKey" | "broken"; readonly error: ServiceError };

export interface ReactionsContext {
  readonly tally: Tally;
  readonly epochSecondsOf: EpochLookup;
  /** The requests for what is still missing within one, by the limits as they are known now. */
  readonly replan: (request: PlannedRequest) => readonly PlannedRequest[];
}

export interface Reactions {
  beforeSending(attempts: number): void;
  onAnswer(request: PlannedRequest, pass: Pass): void;
  /** An answer came and was kept, but leaves open what the service has of some stations. */
  onDoubt(request: PlannedRequest, attempts: number, doubt: Doubt, pass: Pass): Reaction;
  onError(request: PlannedRequest, attempts: number, error: ServiceError, pass: Pass): Reaction;
  /** Without the stations that turned out to be forbidden; null where none is left. */
  permitted(request: PlannedRequest): PlannedRequest | null;
  forbiddenIds(): readonly string[];
}

/** A request that was lost this often is given up, whatever the budget. */
const MOST_ATTEMPTS = 6;
/** So many losses in a row, without a single answer between them, and the service counts as out of reach. */
const MOST_LOSSES = 12;
/** So many refusals for size or time in a row: it is not the size, and halving on would only make more of them. */
const MOST_REFUSALS = 64;
/** The same for requests that were put off (429): the service takes none of ours at all. */
const MOST_PUT_OFF = 200;

/** Answers that leave open what there is may cost so many requests more than the job had, and one for each good answer. */
const DOUBT_CREDIT = 128;
/** A request that is as small as can be is sent so often. */
const MOST_DOUBTS = 2;

function go(again: readonly Again[] = [], waitMs = 0): Reaction {
  return { do: "go", again, waitMs };
}

function fresh(requests: readonly PlannedRequest[]): Again[] {
  return requests.map((request) => ({ request, attempts: 0 }));
}

/**
 * What each kind of failure leads to. Size errors change the size, load errors change the concurrency, never the other
 * way round.
 */
export function createReactions(session: Session, context: ReactionsContext): Reactions {
  const { tally, epochSecondsOf } = context;
  const { clock, random, turnstile } = session;
  const forbidden = new Set<string>();
  let budget = startRetryBudget(clock.monotonicMs());
  let lossesInARow = 0;
  let putOffInARow = 0;
  let refusalsInARow = 0;
  let doubtCredit = DOUBT_CREDIT;
  let hasAnswered = false;

  function giveUp(request: PlannedRequest, error: ServiceError): Reaction {
    tally.givenUp(request, error.kind, error.message);
    return go();
  }

  function smaller(request: PlannedRequest, error: ServiceError): Reaction {
    const replanned = context.replan(request);
    // A limit below the smallest request, or a refusal that is not about points: halve what was asked.
    const parts = replanned.every((r) => r.points < request.points) ? replanned : splitRequest(request, epochSecondsOf);
    if (parts === null || ++refusalsInARow > MOST_REFUSALS) return giveUp(request, error);
    tally.split();
    return go(fresh(parts));
  }

  function unusable(request: PlannedRequest, attempts: number, error: ServiceError, pass: Pass): Reaction {
    pass.answered();
    const halves = doubtCredit >= 2 ? splitDoubtful(request, epochSecondsOf) : null;
    const again = halves ? fresh(halves) : attempts + 1 < MOST_DOUBTS ? [{ request, attempts: attempts + 1 }] : [];
    if (again.length > doubtCredit || again.length === 0) return giveUp(request, error);
    doubtCredit -= again.length;
    tally.retried();
    return go(again, halves ? 0 : backoffMs(attempts, random()));
  }

  function isolate(request: PlannedRequest, error: ServiceError): Reaction {
    const halves = splitStations(request, epochSecondsOf);
    if (halves) return go(fresh(halves));
    forbidden.add(request.stationIds[0]!);
    return giveUp(request, error);
  }

  function putOff(request: PlannedRequest, attempts: number, error: ServiceError, pass: Pass): Reaction {
    pass.overloaded();
    turnstile.close(error.retryAfterMs);
    tally.putOff();
    if (++putOffInARow > MOST_PUT_OFF) return { do: "stop", state: "broken", error };
    return go([{ request, attempts }]);
  }

  function retry(request: PlannedRequest, attempts: number, error: ServiceError, most = MOST_ATTEMPTS): Reaction {
    if (++lossesInARow >= MOST_LOSSES) return { do: "stop", state: "broken", error };
    if (attempts + 1 >= most) {
      // Not one answer in the whole job: it is not this request, the service is out of reach.
      return hasAnswered ? giveUp(request, error) : { do: "stop", state: "broken", error };
    }
    const grant = takeRetry(budget, clock.monotonicMs());
    // Where the budget is spent, the next token is reserved (a debt), so that those who wait queue up behind each other.
    budget = grant.granted ? grant.budget : { ...grant.budget, tokens: grant.budget.tokens - 1 };
    tally.retried();
    const again = [{ request, attempts: attempts + 1 }];
    return go(again, Math.max(error.retryAfterMs ?? 0, grant.waitMs + backoffMs(attempts, random())));
  }

  return {
    beforeSending(attempts) {
      if (attempts === 0) budget = afterFirstAttempt(budget, clock.monotonicMs());
    },
    onAnswer(request, pass) {
      hasAnswered = true;
      doubtCredit = Math.min(DOUBT_CREDIT, doubtCredit + 1);
      lossesInARow = 0;
      refusalsInARow = 0;
      putOffInARow = 0;
      pass.answered();
      session.learn(afterSuccess(session.limits(), request.points));
    },
    onDoubt(request, attempts, { stationIds, why }, pass) {
      hasAnswered = true;
      const points = (request.points * stationIds.length) / request.stationIds.length;
      const error = serviceError("unusable", `The service's answer cannot be used: ${why}.`);
      return unusable({ ...request, stationIds, points }, attempts, error, pass);
    },
    onError(request, attempts, error, pass) {
      switch (error.kind) {
        case "tooLarge":
          session.learn(afterTooLarge(session.limits(), request.points, error.limitPoints));
          return smaller(request, error);
        case "deadline":
          session.learn(afterDeadline(session.limits(), request.points));
          return smaller(request, error);
        case "busy":
          return putOff(request, attempts, error, pass);
        case "unavailable":
          pass.overloaded();
          return retry(request, attempts, error);
        case "network":
        case "truncated":
          return retry(request, attempts, error);
        case "notTheService":
          return retry(request, attempts, error, 2);
        case "forbidden":
          return isolate(request, error);
        case "unauthorized":
          return { do: "stop", state: "needsKey", error };
        case "tls":
        case "proxy":
        case "redirected":
          return { do: "stop", state: "broken", error };
        case "unusable":
          return unusable(request, attempts, error, pass);
        case "invalid":
        case "notFound":
          return giveUp(request, error);
        case "cancelled":
          return go();
      }
    },
    permitted(request) {
      if (forbidden.size === 0 || !request.stationIds.some((id) => forbidden.has(id))) return request;
      const refused = request.stationIds.filter((id) => forbidden.has(id));
      const allowed = request.stationIds.filter((id) => !forbidden.has(id));
      const share = request.points / request.stationIds.length;
      const reason = "The service refuses this station for the key in use.";
      tally.givenUp({ ...request, stationIds: refused, points: share * refused.length }, "forbidden", reason);
      return allowed.length === 0 ? null : { ...request, stationIds: allowed, points: share * allowed.length };
    },
    forbiddenIds: () => [...forbidden],
  };
}
