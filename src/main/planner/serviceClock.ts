import type { UtcMs } from "#shared/time/utc.ts";

/**
 * A `Date` header, with the readings of this computer's clocks when the request was sent and when the response arrived.
 */
interface ClockSample {
  readonly serverMs: UtcMs;
  readonly sentMonotonicMs: number;
  readonly monotonicMs: number;
  readonly wallMs: UtcMs;
}

/** This computer's clocks at one moment: the wall clock, which can be set, and the monotonic one. */
export interface OwnClocks {
  readonly wallMs: UtcMs;
  readonly monotonicMs: number;
}

/** The last two responses, newest first; none from before a jump of this computer's clock. */
export type ServiceClock = readonly ClockSample[];

/**
 * The time at the service. If the clocks agree, it is one number; otherwise each use takes the bound that is safe.
 */
export interface ServiceTime {
  /** The most likely time: for display, and for “now” in a range. */
  readonly nowMs: UtcMs;
  /** Lower bound, which determines finality. */
  readonly earliestMs: UtcMs;
  /** Upper bound: nothing earlier is omitted as not measured yet. */
  readonly latestMs: UtcMs;
  /** All possible times: a response is young only if it is young by each of them. */
  readonly ageClocksMs: readonly UtcMs[];
  /** The times by the responses, if they disagree with this computer or among themselves; otherwise null. */
  readonly disagreement: { readonly earliestMs: UtcMs; readonly latestMs: UtcMs } | null;
}

/** Clocks closer than this agree. Milliseconds. */
const AGREE_MS = 120_000;
const KEPT_SAMPLES = 2;
/** The header has whole seconds, and some servers update it only once a second. */
const ROUNDING_MS = 2_000;

export const UNKNOWN_CLOCK: ServiceClock = [];

/** How far this computer's clock was set, or how long it slept, between two moments. */
function jumpMs(before: OwnClocks, own: OwnClocks): number {
  return own.wallMs - own.monotonicMs - (before.wallMs - before.monotonicMs);
}

/** Adds a response, and drops one from before this computer's clock was set, or before it slept. */
export function withSample(clock: ServiceClock, sample: ClockSample): ServiceClock {
  return [sample, ...clock.filter((s) => Math.abs(jumpMs(s, sample)) < AGREE_MS)].slice(0, KEPT_SAMPLES);
}

/** Whether the time between two `Date` headers is the time that passed on the monotonic clock. A header that stands still fails. */
function isConsistent(a: ClockSample, b: ClockSample): boolean {
  const isAfter = (one: ClockSample, other: ClockSample): boolean =>
    one.serverMs - one.monotonicMs <= other.serverMs + ROUNDING_MS - other.sentMonotonicMs;
  return isAfter(a, b) && isAfter(b, a);
}

/**
 * The present time by a response: this computer's if the response allows it. After a jump of this computer's clock there
 * are two, because it may have slept or have been set.
 */
function readingsOf(sample: ClockSample, own: OwnClocks): readonly UtcMs[] {
  const lowMs = sample.serverMs + own.monotonicMs - sample.monotonicMs;
  if (Math.abs(jumpMs(sample, own)) >= AGREE_MS)
    return [Math.floor(lowMs), sample.serverMs + own.wallMs - sample.wallMs];
  const highMs = sample.serverMs + AGREE_MS + own.monotonicMs - sample.sentMonotonicMs;
  return [own.wallMs >= lowMs - ROUNDING_MS && own.wallMs <= highMs ? own.wallMs : Math.floor(lowMs)];
}

/**
 * Derives the time at the service from the `Date` headers of its last two responses and from this computer's clock: what
 * two of the three say is the time. If both headers differ from this computer, the clocks disagree: what is final then
 * takes the earliest of them, and what may exist the latest. The newest measurement of the catalogue is past.
 *
 * @param newestMs time of the newest measurement; called only if the clocks disagree; null if there is none
 */
export function readServiceTime(clock: ServiceClock, own: OwnClocks, newestMs: () => UtcMs | null): ServiceTime {
  const { wallMs } = own;
  const [last, previous] = clock;
  if (last === undefined) return { ...settledAt(wallMs), latestMs: Math.max(wallMs, newestMs() ?? wallMs) };
  const readings = clock.flatMap((sample) => readingsOf(sample, own));
  const hasJumped = readings.length > clock.length;
  if (!hasJumped && readings.some((reading) => Math.abs(reading - wallMs) <= AGREE_MS))
    return settledAt(Math.min(...readings.filter((reading) => Math.abs(reading - wallMs) <= AGREE_MS)));
  const newest = newestMs();
  const all = [...readings, wallMs];
  const isBelieved = previous !== undefined && !hasJumped && isConsistent(last, previous);
  const nearest = (moment: UtcMs): UtcMs =>
    all.reduce((best, each) => (Math.abs(each - moment) < Math.abs(best - moment) ? each : best));
  const nowMs = newest === null ? (isBelieved ? Math.max(...readings) : wallMs) : nearest(newest);
  return {
    nowMs,
    earliestMs: Math.min(...readings, Math.max(wallMs, newest ?? wallMs)),
    latestMs: Math.max(...all, newest ?? wallMs),
    ageClocksMs: isBelieved ? [nowMs] : all,
    disagreement: { earliestMs: Math.min(...readings), latestMs: Math.max(...readings) },
  };
}

/**
 * Returns a time that has passed by the service and by this computer, for decisions that cannot be taken back. Without a
 * response, the newest measurement stands for the service; null without either.
 */
export function confirmedTime(clock: ServiceClock, own: OwnClocks, newestMs: () => UtcMs | null): UtcMs | null {
  const earliestMs = Math.min(own.wallMs, readServiceTime(clock, own, newestMs).earliestMs);
  if (clock.length > 0) return earliestMs;
  const newest = newestMs();
  return newest === null ? null : Math.min(earliestMs, newest);
}

function settledAt(nowMs: UtcMs): ServiceTime {
  return { nowMs, earliestMs: nowMs, latestMs: nowMs, ageClocksMs: [nowMs], disagreement: null };
}
