// How much a service is asked: concurrent requests, pauses, retries, and probes during an outage.

/**
 * The number of concurrent requests (additive increase, multiplicative decrease): one more after a window of successes,
 * half after the service reports overload (429, 503). The caller counts the active requests.
 */
interface Concurrency {
  readonly limit: number;
  readonly max: number;
  /** Successes since the limit last changed. */
  readonly successes: number;
  /** Counts the halvings. A request remembers the generation in which it was sent. */
  readonly generation: number;
  /** The smallest number that the service refused by a 429; null if none is known. */
  readonly refused: number | null;
}

/** Successes after which a refused number of requests is tried again: the threshold may have risen. */
const RETRY_REFUSED_AFTER = 200;

/** @param refused what an earlier session of the connection learned */
export function startConcurrency(max = 8, refused: number | null = null): Concurrency {
  return { limit: Math.min(max, refused === null ? 2 : refused - 1), max, successes: 0, generation: 0, refused };
}

/** Returns the state after a response. A window has as many successes as there are permits. */
export function afterAnswer(state: Concurrency): Concurrency {
  const successes = state.successes + 1;
  const isRefused = state.refused !== null && state.limit + 1 >= state.refused;
  const window = isRefused ? RETRY_REFUSED_AFTER : state.limit;
  if (successes < window || state.limit >= state.max) return { ...state, successes };
  return { ...state, limit: state.limit + 1, successes: 0, refused: isRefused ? null : state.refused };
}

/**
 * Returns the state after a 429 or 503. Requests sent before the last halving add no information: eight refusals of one
 * burst are one event, not eight halvings.
 *
 * @param sentInGeneration `generation` when the refused request was sent
 * @param refused the number of concurrent requests that a 429 refused; null if the cause may be another
 */
export function afterOverload(state: Concurrency, sentInGeneration: number, refused: number | null): Concurrency {
  if (sentInGeneration < state.generation) return state;
  return {
    ...state,
    // A single request was not refused for its number.
    refused: refused === null || refused < 2 ? state.refused : refused,
    limit: Math.max(1, Math.floor(state.limit / 2)),
    successes: 0,
    generation: state.generation + 1,
  };
}

/**
 * The pause of a connection after a 429: no request is sent during it, and waiting holds no permit. All times are of
 * the caller's clock.
 */
export interface Pause {
  /** Null if there is no pause. */
  readonly waitUntilMs: number | null;
  /** Consecutive refusals, for a service that does not say how long to wait. */
  readonly refusals: number;
}

export const NOT_PAUSED: Pause = { waitUntilMs: null, refusals: 0 };

const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [250, 10 * 60_000];
/** The waiting requests resume spread over a tenth of the wait, and at least this. */
const MIN_SPREAD_MS = 200;

/**
 * Returns the pause after a 429. Without a `Retry-After` the wait starts at a second and doubles. An earlier, longer
 * wait remains; refusals that arrive during a pause belong to the same burst and do not count again.
 *
 * @param retryAfterMs what the service requests; any value, from nonsense to years, is clamped; null if it says nothing
 */
export function pausedAfter(
  pause: Pause,
  nowMs: number,
  retryAfterMs: number | null,
): Pause & { readonly waitUntilMs: number } {
  const isPaused = pause.waitUntilMs !== null && pause.waitUntilMs > nowMs;
  const refusals = isPaused ? pause.refusals : pause.refusals + 1;
  const requestedMs = retryAfterMs ?? 1_000 * 2 ** Math.min(refusals - 1, 20);
  const waitMs = Number.isNaN(requestedMs) ? MIN_PAUSE_MS : Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, requestedMs));
  return { waitUntilMs: Math.max(nowMs + waitMs, pause.waitUntilMs ?? -Infinity), refusals };
}

/** Returns the pause after a response: once it has expired, the service accepts requests again. */
export function resumedAfter(pause: Pause, nowMs: number): Pause {
  return pause.waitUntilMs !== null && pause.waitUntilMs > nowMs ? pause : NOT_PAUSED;
}

/**
 * Returns how long one worker has to wait. Each passes its own random number, so that they do not resume together. A
 * wait longer than the longest pause comes from a clock that was set back, and is shortened.
 *
 * @param random in [0, 1)
 * @returns 0 if there is no pause
 */
export function pauseWaitMs(pause: Pause, nowMs: number, random: number): number {
  if (pause.waitUntilMs === null || pause.waitUntilMs <= nowMs) return 0;
  const waitMs = Math.min(pause.waitUntilMs - nowMs, MAX_PAUSE_MS);
  return Math.ceil(waitMs + random * Math.max(MIN_SPREAD_MS, waitMs / 10));
}

/** The longest wait before the first retry; it doubles with each further retry. */
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 60_000;

/**
 * Full-jitter exponential backoff: a random wait up to the doubled one, so that workers that failed together do not
 * retry together.
 *
 * @param attempt 0 before the first retry
 * @param random in [0, 1)
 */
export function backoffMs(attempt: number, random: number): number {
  return Math.floor(random * Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt));
}

/**
 * A token bucket for retries: a tenth of a retry per request, and a few per minute so that a connection recovers after a
 * long outage. Without it, a service in trouble would receive a multiple of its usual load.
 */
interface RetryBudget {
  readonly tokens: number;
  /** From a monotonic clock. */
  readonly updatedAtMs: number;
}

const PER_REQUEST = 0.1;
const PER_MINUTE = 10;
const MAX_TOKENS = 20;

export function startRetryBudget(nowMs: number): RetryBudget {
  return { tokens: MAX_TOKENS / 2, updatedAtMs: nowMs };
}

/** Returns the budget after a first attempt, which adds a fraction of a retry. */
export function afterFirstAttempt(budget: RetryBudget, nowMs: number): RetryBudget {
  return refilled(budget, nowMs, PER_REQUEST);
}

interface RetryGrant {
  readonly granted: boolean;
  readonly budget: RetryBudget;
  /** If it was not granted, the time until a retry is available. */
  readonly waitMs: number;
}

/** Takes one retry from the budget, or returns how long to wait for one. */
export function takeRetry(budget: RetryBudget, nowMs: number): RetryGrant {
  const full = refilled(budget, nowMs);
  if (full.tokens >= 1) return { granted: true, budget: { ...full, tokens: full.tokens - 1 }, waitMs: 0 };
  return { granted: false, budget: full, waitMs: Math.ceil(((1 - full.tokens) * 60_000) / PER_MINUTE) };
}

function refilled(budget: RetryBudget, nowMs: number, earned = 0): RetryBudget {
  const minutes = Math.max(0, nowMs - budget.updatedAtMs) / 60_000;
  return { tokens: Math.min(MAX_TOKENS, budget.tokens + minutes * PER_MINUTE + earned), updatedAtMs: nowMs };
}

/**
 * Consecutive failures of a connection, without a single response between them. An outage is measured in time, not in
 * failures: twelve requests that are refused within a second are one outage of a second. Times are of a monotonic
 * clock.
 */
interface Outage {
  /** The first failure after the last response; null while the service responds. */
  readonly sinceMs: number | null;
  readonly failures: number;
  /** Failed probes since the outage began. */
  readonly tries: number;
  /** No request is sent before. */
  readonly nextTryMs: number;
}

export const NO_OUTAGE: Outage = { sinceMs: null, failures: 0, tries: 0, nextTryMs: 0 };

/** Fewer consecutive failures are not an outage: a server that restarts, a reset, a brief failure of a gateway. */
export const MIN_OUTAGE_FAILURES = 3;

/** The wait before the first probe, and its growth. */
const FIRST_PROBE_MS = 500;
const PROBE_GROWTH = 1.6;
/** The longest wait between two probes; in a long outage, one tenth of its age up to a minute. */
const MAX_PROBE_MS = 20_000;
const MAX_LONG_OUTAGE_PROBE_MS = 60_000;

/** Whether requests wait, and one at a time probes the service. */
export function isOutage(outage: Outage): boolean {
  return outage.failures >= MIN_OUTAGE_FAILURES;
}

/**
 * Returns the outage after a request without a response. Requests that fail while all others wait were sent before: they
 * belong to the same burst, and do not change the wait. A 503 with `Retry-After` makes all requests wait.
 *
 * Half of each wait is random. There are at most 75 probes in ten minutes.
 *
 * @param random in [0, 1)
 * @param retryAfterMs the wait that the service requests; null if none
 */
export function afterFailure(outage: Outage, nowMs: number, random: number, retryAfterMs: number | null): Outage {
  const sinceMs = outage.sinceMs ?? nowMs;
  const failures = Math.max(outage.failures + 1, retryAfterMs === null ? 0 : MIN_OUTAGE_FAILURES);
  const askedMs = nowMs + (retryAfterMs ?? 0);
  if (failures < MIN_OUTAGE_FAILURES) return { sinceMs, failures, tries: 0, nextTryMs: nowMs };
  if (outage.nextTryMs > nowMs) return { ...outage, sinceMs, failures, nextTryMs: Math.max(outage.nextTryMs, askedMs) };
  const maxWaitMs = Math.min(MAX_LONG_OUTAGE_PROBE_MS, Math.max(MAX_PROBE_MS, (nowMs - sinceMs) / 10));
  const waitMs = Math.min(maxWaitMs, FIRST_PROBE_MS * PROBE_GROWTH ** Math.min(outage.tries, 30));
  const nextTryMs = Math.max(askedMs, nowMs + Math.ceil((waitMs * (1 + random)) / 2));
  return { sinceMs, failures, tries: outage.tries + 1, nextTryMs };
}
