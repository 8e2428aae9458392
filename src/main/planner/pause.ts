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
/** The longest pause of a service that does not say how long: its recovery is noticed within a minute. */
const MAX_OWN_PAUSE_MS = 60_000;
/** The waiting requests resume spread over a tenth of the wait, and at least this. */
const MIN_SPREAD_MS = 200;

/**
 * Returns the pause after a 429. Without a `Retry-After` the wait starts at a second and doubles up to a minute. An
 * earlier, longer wait remains; refusals that arrive during a pause belong to the same burst and do not count again.
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
  const requestedMs = retryAfterMs ?? Math.min(MAX_OWN_PAUSE_MS, 1_000 * 2 ** (refusals - 1));
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
