/**
 * The one gate of a connection that closes when the service says 429: nobody sends while it is closed, and a wait holds
 * no place. Times are of one clock, whichever the caller uses; to survive a restart `waitUntilMs` is kept as wall time.
 */
export interface Gate {
  /** null: open. */
  readonly waitUntilMs: number | null;
  /** Refusals in a row, for a service that does not say how long to wait. */
  readonly refusals: number;
}

export interface GateOptions {
  readonly leastMs: number;
  readonly mostMs: number;
}

export const OPEN_GATE: Gate = { waitUntilMs: null, refusals: 0 };

const GATE: GateOptions = { leastMs: 250, mostMs: 10 * 60_000 };
/** How far apart the waiting wake up: a tenth of the wait, and not less than this. */
const SPREAD_MS = 200;

/**
 * After a 429. Without a `Retry-After` the wait starts at a second and doubles. An earlier, longer wait stays; refusals
 * that arrive while the gate is closed are of the same burst and do not count again.
 *
 * @param retryAfterMs what the service asks for; anything from junk to years is clamped
 */
export function closeGate(gate: Gate, nowMs: number, retryAfterMs: number | null, options: GateOptions = GATE): Gate {
  const isClosed = gate.waitUntilMs !== null && gate.waitUntilMs > nowMs;
  const refusals = isClosed ? gate.refusals : gate.refusals + 1;
  const asked = retryAfterMs ?? 1_000 * 2 ** Math.min(refusals - 1, 20);
  const clamped = clamp(Number.isNaN(asked) ? options.leastMs : asked, options);
  return { waitUntilMs: Math.max(nowMs + clamped, gate.waitUntilMs ?? -Infinity), refusals };
}

/** After an answer: the service takes requests again. */
export function openGate(gate: Gate, nowMs: number): Gate {
  return gate.waitUntilMs !== null && gate.waitUntilMs > nowMs ? gate : OPEN_GATE;
}

/**
 * How long one worker has to wait. Each gives its own random number, so that they do not wake together. A wait that
 * is longer than any this gate makes comes from a clock that was set back, and is cut.
 *
 * @param random in [0, 1)
 * @returns 0 where the gate is open
 */
export function gateWaitMs(gate: Gate, nowMs: number, random: number, options: GateOptions = GATE): number {
  if (gate.waitUntilMs === null || gate.waitUntilMs <= nowMs) return 0;
  const wait = Math.min(gate.waitUntilMs - nowMs, options.mostMs);
  return Math.ceil(wait + random * Math.max(SPREAD_MS, wait / 10));
}

function clamp(waitMs: number, options: GateOptions): number {
  return Math.min(options.mostMs, Math.max(options.leastMs, waitMs));
}
