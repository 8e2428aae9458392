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
