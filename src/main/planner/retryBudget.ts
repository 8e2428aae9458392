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
