interface BackoffOptions {
  /** The longest wait before the first retry; it doubles with each further retry. */
  readonly baseMs: number;
  readonly capMs: number;
}

const BACKOFF: BackoffOptions = { baseMs: 500, capMs: 60_000 };

/**
 * Full-jitter exponential backoff: a random wait up to the doubled one, so that workers that failed together do not
 * retry together.
 *
 * @param attempt 0 before the first retry
 * @param random in [0, 1)
 */
export function backoffMs(attempt: number, random: number, options: BackoffOptions = BACKOFF): number {
  return Math.floor(random * Math.min(options.capMs, options.baseMs * 2 ** Math.min(attempt, 30)));
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

interface RetryBudgetOptions {
  readonly perRequest: number;
  readonly perMinute: number;
  readonly maxTokens: number;
}

const BUDGET: RetryBudgetOptions = { perRequest: 0.1, perMinute: 10, maxTokens: 20 };

export function startRetryBudget(nowMs: number, options: RetryBudgetOptions = BUDGET): RetryBudget {
  return { tokens: options.maxTokens / 2, updatedAtMs: nowMs };
}

/** Returns the budget after a first attempt, which adds a fraction of a retry. */
export function afterFirstAttempt(
  budget: RetryBudget,
  nowMs: number,
  options: RetryBudgetOptions = BUDGET,
): RetryBudget {
  const { tokens, updatedAtMs } = refilled(budget, nowMs, options);
  return { tokens: Math.min(options.maxTokens, tokens + options.perRequest), updatedAtMs };
}

interface RetryGrant {
  readonly granted: boolean;
  readonly budget: RetryBudget;
  /** If it was not granted, the time until a retry is available. */
  readonly waitMs: number;
}

/** Takes one retry from the budget, or returns how long to wait for one. */
export function takeRetry(budget: RetryBudget, nowMs: number, options: RetryBudgetOptions = BUDGET): RetryGrant {
  const full = refilled(budget, nowMs, options);
  if (full.tokens >= 1) return { granted: true, budget: { ...full, tokens: full.tokens - 1 }, waitMs: 0 };
  return { granted: false, budget: full, waitMs: Math.ceil(((1 - full.tokens) * 60_000) / options.perMinute) };
}

function refilled(budget: RetryBudget, nowMs: number, options: RetryBudgetOptions): RetryBudget {
  const minutes = Math.max(0, nowMs - budget.updatedAtMs) / 60_000;
  return { tokens: Math.min(options.maxTokens, budget.tokens + minutes * options.perMinute), updatedAtMs: nowMs };
}
