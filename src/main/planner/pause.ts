/**
 * The pause of a connection after a 429: nobody sends during it, and waiting holds no permit. Times are of one clock,
 * whichever the caller uses; to survive a restart, `waitUntilMs` is stored as wall time.
 */
export interface Pause {
  /** Null: there is no pause. */
  readonly waitUntilMs: number | null;
  /** Consecutive refusals, for a service that does not say how long to wait. */
  readonly refusals: number;
}

export interface PauseOptions {
  readonly leastMs: number;
  readonly mostMs: number;
}

export const NOT_PAUSED: Pause = { waitUntilMs: null, refusals: 0 };

const PAUSE_LIMITS: PauseOptions = { leastMs: 250, mostMs: 10 * 60_000 };
/** The waiting requests resume within this spread: a tenth of the wait, and at least this. */
const SPREAD_MS = 200;

/**
 * After a 429. Without a `Retry-After` the wait starts at a second and doubles. An earlier, longer wait remains;
 * refusals that arrive during a pause belong to the same burst and do not count again.
 *
 * @param retryAfterMs what the service asks for; any value, from nonsense to years, is clamped
 */
export function pausedAfter(
  pause: Pause,
  nowMs: number,
  retryAfterMs: number | null,
  options: PauseOptions = PAUSE_LIMITS,
): Pause {
  const isClosed = pause.waitUntilMs !== null && pause.waitUntilMs > nowMs;
  const refusals = isClosed ? pause.refusals : pause.refusals + 1;
  const asked = retryAfterMs ?? 1_000 * 2 ** Math.min(refusals - 1, 20);
  const clamped = clamp(Number.isNaN(asked) ? options.leastMs : asked, options);
  return { waitUntilMs: Math.max(nowMs + clamped, pause.waitUntilMs ?? -Infinity), refusals };
}

/** After an answer: the service accepts requests again. */
export function resumedAfter(pause: Pause, nowMs: number): Pause {
  return pause.waitUntilMs !== null && pause.waitUntilMs > nowMs ? pause : NOT_PAUSED;
}

/**
 * How long one worker has to wait. Each passes its own random number, so they do not resume together. A wait longer
 * than any pause made here comes from a clock that was set back, and is cut.
 *
 * @param random in [0, 1)
 * @returns 0 if there is no pause
 */
export function pauseWaitMs(pause: Pause, nowMs: number, random: number, options: PauseOptions = PAUSE_LIMITS): number {
  if (pause.waitUntilMs === null || pause.waitUntilMs <= nowMs) return 0;
  const wait = Math.min(pause.waitUntilMs - nowMs, options.mostMs);
  return Math.ceil(wait + random * Math.max(SPREAD_MS, wait / 10));
}

function clamp(waitMs: number, options: PauseOptions): number {
  return Math.min(options.mostMs, Math.max(options.leastMs, waitMs));
}
