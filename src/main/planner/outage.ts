/**
 * Failures of a connection in a row, without a single answer between them. An outage is measured in time, not in
 * failures: twelve requests that are refused within a second are one outage, a second long. Times are of a clock that
 * never jumps.
 */
export interface Outage {
  /** The first failure after the last answer; null while the service answers. */
  readonly sinceMs: number | null;
  readonly failures: number;
  /** Tries that failed since the outage is one. */
  readonly tries: number;
  /** Nobody asks before. */
  readonly nextTryMs: number;
}

export const NO_OUTAGE: Outage = { sinceMs: null, failures: 0, tries: 0, nextTryMs: 0 };

/** Fewer failures in a row are no outage: a server that restarts, a reset, a gateway that hiccups. */
export const FAILURES_OF_AN_OUTAGE = 3;

/** The wait before the first try, and how it grows. */
const FIRST_WAIT_MS = 500;
const GROWTH = 1.6;
/** Longest wait between two tries; of a long outage, one tenth of its age up to a minute. */
const MOST_WAIT_MS = 20_000;
const MOST_WAIT_LONG_MS = 60_000;

/** Whether everybody waits, and one request at a time tries whether the service is back. */
export function isOutage(outage: Outage): boolean {
  return outage.failures >= FAILURES_OF_AN_OUTAGE;
}

/**
 * After a request that brought no answer. Those that fail while everybody waits were sent before: they are of the same
 * burst, and the wait stays as it is. A service that asks to wait (503 with `Retry-After`) is obeyed by everybody.
 *
 * Half of each wait is chance. Ten minutes are at most 75 tries.
 *
 * @param random in [0, 1)
 * @param retryAfterMs what the service asks for; null where it does not
 */
export function afterFailure(outage: Outage, nowMs: number, random: number, retryAfterMs: number | null): Outage {
  const sinceMs = outage.sinceMs ?? nowMs;
  const failures = Math.max(outage.failures + 1, retryAfterMs === null ? 0 : FAILURES_OF_AN_OUTAGE);
  const askedMs = nowMs + (retryAfterMs ?? 0);
  if (failures < FAILURES_OF_AN_OUTAGE) return { sinceMs, failures, tries: 0, nextTryMs: nowMs };
  if (outage.nextTryMs > nowMs) return { ...outage, sinceMs, failures, nextTryMs: Math.max(outage.nextTryMs, askedMs) };
  const most = Math.min(MOST_WAIT_LONG_MS, Math.max(MOST_WAIT_MS, (nowMs - sinceMs) / 10));
  const waitMs = Math.min(most, FIRST_WAIT_MS * GROWTH ** Math.min(outage.tries, 30));
  const nextTryMs = Math.max(askedMs, nowMs + Math.ceil((waitMs * (1 + random)) / 2));
  return { sinceMs, failures, tries: outage.tries + 1, nextTryMs };
}
