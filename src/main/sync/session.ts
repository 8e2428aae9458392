import { type ClockDisagreement, clocksSentence } from "#shared/clocks.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { ServiceClient } from "../client/types.ts";
import { type LearnedLimits, readLimits, writeLimits } from "../planner/limits.ts";
import { isYoung } from "../planner/missing.ts";
import {
  type NewestData,
  readServiceTime,
  type ServiceClock,
  type ServiceTime,
  UNKNOWN_CLOCK,
  withSample,
} from "../planner/serviceClock.ts";
import type { Cache } from "../store/types.ts";
import { type Claims, createClaims } from "./claims.ts";
import { type Clock, systemClock } from "./clock.ts";
import { createLimiter, type Limiter } from "./limiter.ts";

/** How long after its epoch an observation may still change, beyond what the station's latest time implies. */
export const SETTLING_MARGIN_MS = 3_600_000;
/** Age at which a provisional response is requested again. */
export const PROVISIONAL_AGE_MS = 300_000;

/** How long an outage of the service may last, from its first failure, before those who wait for its end give up. */
export interface Patience {
  /** For a job. Infinity: it never gives up. */
  readonly jobMs: number;
  /** For a person who waits for an answer. */
  readonly callMs: number;
}

/** A job waits as long as the service is away; a window that shows cached data meanwhile does not. */
const PATIENCE: Patience = { jobMs: Infinity, callMs: 5_000 };

export interface SessionOptions {
  readonly client: ServiceClient;
  readonly cache: Cache;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** By default, claims of this session alone. */
  readonly claims?: Claims;
  readonly maxConcurrency?: number;
  readonly patience?: Patience;
  readonly settlingMarginMs?: number;
  readonly provisionalAgeMs?: number;
  /** Called with the stations of each committed response. */
  readonly onCommit?: (stationIds: readonly string[]) => void;
  /** Called when a response made the clocks disagree, or agree again (null). */
  readonly onClocks?: (disagreement: ClockDisagreement | null) => void;
}

/** Everything that the jobs of a connection share. */
export interface Session {
  readonly client: ServiceClient;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly random: () => number;
  readonly limiter: Limiter;
  readonly claims: Claims;
  readonly patience: Patience;
  readonly settlingMarginMs: number;
  readonly provisionalAgeMs: number;
  limits(): LearnedLimits;
  learn(limits: LearnedLimits): void;
  /** The time at the service, as far as it is known. */
  time(): ServiceTime;
  /** The most likely reading of the service's clock; the same as `time().nowMs`. */
  serverNowMs(): UtcMs;
  /** Whether something fetched at `fetchedAtMs` is younger than `maxAgeMs`, whichever clock is right. */
  isYoung(fetchedAtMs: UtcMs, maxAgeMs: number): boolean;
  /**
   * Takes the `Date` of a response into account.
   *
   * @param serverTimeMs null if the response had none
   * @param sentMonotonicMs the monotonic clock before the request was sent
   */
  noteServerTime(serverTimeMs: UtcMs | null, sentMonotonicMs: number): void;
  /**
   * The catalogue of the cache has just been fetched: its newest measurement is evidence of the time.
   *
   * @param remark what is inconsistent about the catalogue, as a sentence for the user; null if nothing is
   */
  noteCatalogue(remark: string | null): void;
  /** What is inconsistent about the catalogue that this session fetched last; null if nothing is. */
  catalogueRemark(): string | null;
  /** What the clocks say if the service and this computer disagree; null if they agree. */
  clockDisagreement(): ClockDisagreement | null;
  /** Number of responses committed over this session by any job; a plan made before another job's response is stale. */
  commits(): number;
  noteCommit(stationIds: readonly string[]): void;
}

const LIMITS = "limits";
const CLOCK_OFFSET = "serverClockOffsetMs";
const CLOSED_UNTIL = "closedUntilMs";
/**
 * This share of the stations, those with the newest measurements, is ignored: a single receiver may report nonsense.
 */
const IGNORED_NEWEST = 0.1;
/** Smaller changes of the offset are not worth a write. */
const WORTH_KEEPING_MS = 2_000;
/** No offset is larger: a stored one that is larger is damaged. */
const LONGEST_OFFSET_MS = 200 * 366 * 86_400_000;

export function createSession(options: SessionOptions): Session {
  const { client, cache } = options;
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  let kept = cache.setting(LIMITS);
  let limits = readLimits(kept);
  let keptOffsetMs = readOffset(cache.setting(CLOCK_OFFSET));
  let serviceClock: ServiceClock = { ...UNKNOWN_CLOCK, hintMs: keptOffsetMs };
  let newest: NewestData | null = null;
  let toldOfClocks = "";
  let catalogueRemark: string | null = null;
  let commits = 0;

  const keptNewest = (): NewestData | null => {
    const timeMs = newestOf(cache);
    return timeMs === null ? null : { timeMs, heard: null };
  };

  const time = (): ServiceTime =>
    readServiceTime(
      serviceClock,
      { wallMs: clock.wallMs(), monotonicMs: clock.monotonicMs() },
      () => newest ?? keptNewest(),
    );

  function clockDisagreement(): ClockDisagreement | null {
    // What an earlier process saw is not an answer to this one.
    if (serviceClock.samples.length === 0) return null;
    const { disagreement } = time();
    return disagreement && { ...disagreement, computerMs: clock.wallMs() };
  }

  function keepOffset({ nowMs, agesMs }: ServiceTime): void {
    // While the right clock is unknown, an offset is not worth storing.
    if (agesMs.length > 1) return;
    const offsetMs = Math.round(nowMs - clock.wallMs());
    if (Math.abs(offsetMs - (keptOffsetMs ?? 0)) < WORTH_KEEPING_MS) return;
    keptOffsetMs = offsetMs;
    cache.setSetting(CLOCK_OFFSET, String(offsetMs));
  }

  function tellOfClocks(): void {
    if (!options.onClocks) return;
    const found = clockDisagreement();
    const told = found === null ? "" : clocksSentence(found);
    if (told === toldOfClocks) return;
    toldOfClocks = told;
    options.onClocks(found);
  }

  return {
    client,
    cache,
    clock,
    random,
    claims: options.claims ?? createClaims(),
    patience: options.patience ?? PATIENCE,
    settlingMarginMs: options.settlingMarginMs ?? SETTLING_MARGIN_MS,
    provisionalAgeMs: options.provisionalAgeMs ?? PROVISIONAL_AGE_MS,
    limiter: createLimiter({
      clock,
      random,
      ...(options.maxConcurrency === undefined ? {} : { maxConcurrency: options.maxConcurrency }),
      closedUntilMs: readNumber(cache.setting(CLOSED_UNTIL)),
      onClosed: (untilMs) => cache.setSetting(CLOSED_UNTIL, String(untilMs)),
    }),
    limits: () => limits,
    learn(next) {
      limits = next;
      const text = writeLimits(next);
      if (text === kept) return;
      kept = text;
      cache.setSetting(LIMITS, text);
    },
    commits: () => commits,
    noteCommit(stationIds) {
      commits++;
      options.onCommit?.(stationIds);
    },
    time,
    serverNowMs: () => time().nowMs,
    isYoung: (fetchedAtMs, maxAgeMs) => isYoung(fetchedAtMs, time().agesMs, maxAgeMs),
    noteServerTime(serverTimeMs, sentMonotonicMs) {
      if (serverTimeMs === null) return;
      const own = { wallMs: clock.wallMs(), monotonicMs: clock.monotonicMs() };
      serviceClock = withSample(serviceClock, { serverMs: serverTimeMs, sentMonotonicMs, ...own });
      keepOffset(time());
      tellOfClocks();
    },
    noteCatalogue(remark) {
      catalogueRemark = remark;
      const timeMs = newestOf(cache);
      const heard = { wallMs: clock.wallMs(), monotonicMs: clock.monotonicMs() };
      newest = timeMs === null ? null : { timeMs, heard };
    },
    catalogueRemark: () => catalogueRemark,
    clockDisagreement,
  };
}

function readNumber(text: string | null): number | null {
  const value = text === null ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}

function readOffset(text: string | null): number | null {
  const offsetMs = readNumber(text);
  return offsetMs !== null && Math.abs(offsetMs) <= LONGEST_OFFSET_MS ? offsetMs : null;
}

/** The newest measurement in the catalogue, ignoring the few that may be wrong; null if there is none. */
function newestOf(cache: Cache): UtcMs | null {
  const times = cache.catalogue().stations.flatMap((s) => s.dataLastUpdatedMs ?? []);
  const newestFirst = times.toSorted((a, b) => b - a);
  return newestFirst[Math.floor(IGNORED_NEWEST * newestFirst.length)] ?? null;
}
