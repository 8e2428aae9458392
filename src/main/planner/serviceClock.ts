import { defined } from "#shared/defined.ts";
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

/** The newest measurement of the service. */
export interface NewestData {
  readonly timeMs: UtcMs;
  /** When the service reported it; null if it was reported to an earlier process. */
  readonly received: OwnClocks | null;
}

export interface ServiceClock {
  /** The latest responses, oldest first; none from before a jump of this computer's clock. */
  readonly samples: readonly ClockSample[];
  /**
   * How far the service was ahead of this computer when an earlier process ended; used only until a response arrives.
   */
  readonly storedOffsetMs: number | null;
}

/**
 * The time at the service. If the clocks agree, it is one number; otherwise it is unknown, and each use takes the bound
 * that is safe.
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
export const AGREE_MS = 120_000;
/** The newest measurement of a working service is not older than this. */
const FRESH_DATA_MS = 3_600_000;
const KEPT_SAMPLES = 6;
const MAX_DISSENTERS = 1;
const BELIEVED_SAMPLES = 3;
/** Longer than a `Date` that stands still could agree with itself. */
const BELIEVED_SPAN_MS = 2.5 * AGREE_MS;
/** The header has whole seconds, and some servers update it only once a second. */
const ROUNDING_MS = 2_000;
/** A sample that leads by more is not rounded but wrong, or this computer's clock drifts. */
const MAX_LEAD_MS = 10_000;

export const UNKNOWN_CLOCK: ServiceClock = { samples: [], storedOffsetMs: null };

/** How far this computer's clock was set, or how long it slept, between two moments. */
function jumpMs(before: OwnClocks, own: OwnClocks): number {
  return own.wallMs - own.monotonicMs - (before.wallMs - before.monotonicMs);
}

/**
 * Adds a response, and drops those from before this computer's clock was set, or before it slept. If there are too many,
 * the oldest one goes, but not the one that sets the time: the time would step back by the rounding of the header, and
 * what had just aged would be young again.
 */
export function withSample(clock: ServiceClock, sample: ClockSample): ServiceClock {
  const comparable = clock.samples.filter((s) => Math.abs(jumpMs(s, sample)) < AGREE_MS);
  const samples = [...comparable, sample];
  const [oldest, ...latest] = samples;
  if (oldest === undefined || samples.length <= KEPT_SAMPLES) return { ...clock, samples };
  const lead = leadMs(oldest, latest);
  return { ...clock, samples: lead > 0 && lead < MAX_LEAD_MS ? [oldest, ...latest.slice(1)] : latest };
}

/** How much later it is by one sample than by any of the others, milliseconds. */
function leadMs(sample: ClockSample, others: readonly ClockSample[]): number {
  return offsetOf(sample).lowMs - Math.max(...others.map((other) => offsetOf(other).lowMs));
}

/** Bounds, by one sample, of the difference between the service's time and the monotonic clock. */
interface Offset {
  readonly lowMs: number;
  readonly highMs: number;
}

function offsetOf({ serverMs, sentMonotonicMs, monotonicMs }: ClockSample): Offset {
  return { lowMs: serverMs - monotonicMs, highMs: serverMs + AGREE_MS - sentMonotonicMs };
}

/** Returns the largest set of samples whose bounds overlap. */
function largestGroup(samples: readonly ClockSample[]): readonly ClockSample[] {
  let largest: readonly ClockSample[] = [];
  for (const { lowMs } of samples.map(offsetOf)) {
    const group = samples.filter((s) => offsetOf(s).lowMs <= lowMs && lowMs <= offsetOf(s).highMs);
    if (group.length >= largest.length) largest = group;
  }
  return largest;
}

/** The present time according to the responses. */
interface Testimony {
  readonly readings: readonly UtcMs[];
  /** Several responses agree with each other, and with the time that passed between them. */
  readonly isBelieved: boolean;
}

function testimony({ samples, storedOffsetMs }: ServiceClock, own: OwnClocks): Testimony {
  if (samples.length === 0)
    return { readings: storedOffsetMs === null ? [] : [own.wallMs + storedOffsetMs], isBelieved: false };
  const jumped = samples.filter((s) => Math.abs(jumpMs(s, own)) >= AGREE_MS);
  // This computer slept, or its clock was set: the next response shows which.
  if (jumped.length > 0) {
    const { serverMs, monotonicMs, wallMs } = defined(samples.at(-1));
    return {
      readings: [Math.floor(serverMs + own.monotonicMs - monotonicMs), serverMs + own.wallMs - wallMs],
      isBelieved: false,
    };
  }
  const group = largestGroup(samples);
  const dissenters = samples.length - group.length;
  if (dissenters > MAX_DISSENTERS || dissenters >= group.length)
    return { readings: samples.map((s) => reading([s], own)), isBelieved: false };
  const spanMs = defined(group.at(-1)).monotonicMs - defined(group[0]).monotonicMs;
  return {
    readings: [reading(group, own)],
    isBelieved: group.length >= BELIEVED_SAMPLES && spanMs >= BELIEVED_SPAN_MS,
  };
}

/** Returns this computer's time if the samples allow it, otherwise the earliest time that they allow. */
function reading(group: readonly ClockSample[], own: OwnClocks): UtcMs {
  const offsets = group.map(offsetOf);
  const lowMs = Math.max(...offsets.map((o) => o.lowMs)) + own.monotonicMs;
  const highMs = Math.min(...offsets.map((o) => o.highMs)) + own.monotonicMs;
  return own.wallMs >= lowMs - ROUNDING_MS && own.wallMs <= highMs ? own.wallMs : Math.floor(lowMs);
}

/**
 * Derives the time at the service from three sources: its `Date` headers, this computer's clock, and the newest measurement in
 * the catalogue, which is past, and was almost new when it was reported. If two of them agree, the third one is wrong.
 *
 * @param newestData called only if the clocks disagree; null if there is no measurement
 */
export function readServiceTime(clock: ServiceClock, own: OwnClocks, newestData: () => NewestData | null): ServiceTime {
  const { wallMs } = own;
  const { readings, isBelieved } = testimony(clock, own);
  const [first] = readings;
  if (first === undefined) return { ...settledAt(wallMs), latestMs: Math.max(wallMs, newestData()?.timeMs ?? wallMs) };
  const earliestMs = Math.min(...readings);
  const latestMs = Math.max(...readings);
  if (wallMs - earliestMs <= AGREE_MS && latestMs - wallMs <= AGREE_MS) return settledAt(earliestMs);

  const disagreement = { earliestMs, latestMs };
  const data = newestData();
  const newest = data?.timeMs ?? null;
  const isMeasuredAt = (moment: UtcMs): boolean => {
    if (!data?.received || Math.abs(jumpMs(data.received, own)) >= AGREE_MS) return false;
    const ageMs = moment - (own.monotonicMs - data.received.monotonicMs) - data.timeMs;
    return ageMs <= FRESH_DATA_MS && ageMs >= -AGREE_MS;
  };
  const measured = readings.filter(isMeasuredAt);
  if (measured.length > 0 && !isMeasuredAt(wallMs)) {
    const [earliest, latest] = [Math.min(...measured), Math.max(...measured)];
    return {
      nowMs: defined(measured.at(-1)),
      earliestMs: earliest,
      latestMs: latest,
      ageClocksMs: measured,
      disagreement,
    };
  }
  if (measured.length === 0 && newest !== null && isMeasuredAt(wallMs)) {
    // A measurement refutes earlier readings; later ones may be right.
    const possible = readings.filter((r) => r > newest);
    return {
      ...settledAt(wallMs),
      latestMs: Math.max(wallMs, latestMs),
      ageClocksMs: [wallMs, ...possible],
      disagreement,
    };
  }

  const all = [...readings, wallMs];
  const nearest = (moment: UtcMs): UtcMs =>
    all.reduce((best, r) => (Math.abs(r - moment) < Math.abs(best - moment) ? r : best));
  const nowMs = newest !== null ? nearest(newest) : isBelieved ? first : wallMs;
  return {
    nowMs,
    earliestMs: Math.min(earliestMs, Math.max(wallMs, newest ?? wallMs)),
    latestMs: Math.max(...all, newest ?? wallMs),
    ageClocksMs: isBelieved ? [nowMs] : all,
    disagreement,
  };
}

/**
 * Returns a time that has passed by the service and by this computer, for decisions that cannot be taken back. Without a
 * response, the newest measurement stands for the service; null without either.
 */
export function confirmedTime(clock: ServiceClock, own: OwnClocks, newestData: () => NewestData | null): UtcMs | null {
  const earliestMs = Math.min(own.wallMs, readServiceTime(clock, own, newestData).earliestMs);
  if (clock.samples.length > 0) return earliestMs;
  const newest = newestData();
  return newest === null ? null : Math.min(earliestMs, newest.timeMs);
}

function settledAt(nowMs: UtcMs): ServiceTime {
  return { nowMs, earliestMs: nowMs, latestMs: nowMs, ageClocksMs: [nowMs], disagreement: null };
}
