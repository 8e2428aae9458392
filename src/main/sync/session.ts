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

/** How long after its epoch an observation may still change, beyond what the station's own latest time tells. */
export const SETTLING_MARGIN_MS = 3_600_000;
/** How old a provisional answer may be before it is asked again. */
export const PROVISIONAL_AGE_MS = 300_000;

/** How long an outage of the service may last, from its first failure, before those who wait for its end give up. */
export interface Patience {
  /** Of a job. Infinity: never. */
  readonly jobMs: number;
  /** Of a person who waits for an answer. */
  readonly callMs: number;
}

/** A job waits for as long as its service is away; a window that shows what is kept meanwhile does not. */
const PATIENCE: Patience = { jobMs: Infinity, callMs: 5_000 };

export interface SessionOptions {
  readonly client: ServiceClient;
  readonly cache: Cache;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** Those of this session alone where they are left out. */
  readonly claims?: Claims;
  readonly maxConcurrency?: number;
  readonly patience?: Patience;
  readonly settlingMarginMs?: number;
  readonly provisionalAgeMs?: number;
  /** Told of the stations of each committed answer. */
  readonly onCommit?: (stationIds: readonly string[]) => void;
  /** Told after an answer that made the clocks disagree, or agree again (null). */
  readonly onClocks?: (disagreement: ClockDisagreement | null) => void;
}

/** Everything that the jobs of one connection share. */
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
  /** What time it is at the service, as far as that is known. */
  time(): ServiceTime;
  /** The most likely reading of the service's clock, the same as `time().nowMs`. */
  serverNowMs(): UtcMs;
  /** Whether something that was fetched at `fetchedAtMs` is younger than `maxAgeMs`, whichever clock is right. */
  isYoung(fetchedAtMs: UtcMs, maxAgeMs: number): boolean;
  /**
   * Takes the `Date` of an answer into account.
   *
   * @param serverTimeMs null where the answer had none
   * @param sentMonotonicMs the monotonic clock before its request was sent
   */
  noteServerTime(serverTimeMs: UtcMs | null, sentMonotonicMs: number): void;
  /**
   * The catalogue of the cache was fetched just now: its newest measurement tells something of the time.
   *
   * @param remark what does not add up about it, as a sentence for the user; null where all does
   */
  noteCatalogue(remark: string | null): void;
  /** What does not add up about the catalogue that this session fetched last; null where all does. */
  catalogueRemark(): string | null;
  /** What the clocks say where the service and this computer do not agree; null where they do. */
  clockDisagreement(): ClockDisagreement | null;
  /** How many answers were committed over this session, whoever asked; a plan made before another's is stale. */
  commits(): number;
  noteCommit(stationIds: readonly string[]): void;
}

const LIMITS = "limits";
const CLOCK_OFFSET = "serverClockOffsetMs";
const CLOSED_UNTIL = "closedUntilMs";
/** Of this share of the stations, none counts whose latest measurement is the newest: one receiver may tell nonsense. */
const IGNORED_NEWEST = 0.1;
/** Smaller changes of the offset are not worth a write. */
const WORTH_KEEPING_MS = 2_000;
/** No offset is longer: what is kept as one is damaged. */
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
    // What an earlier process saw is no answer.
    if (serviceClock.samples.length === 0) return null;
    const { disagreement } = time();
    return disagreement && { ...disagreement, computerMs: clock.wallMs() };
  }

  function keepOffset({ nowMs, agesMs }: ServiceTime): void {
    // While it is not known which clock is right, an offset is not worth keeping.
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

/** The newest measurement that the catalogue tells of, less the few that may be wrong; null where there is none. */
function newestOf(cache: Cache): UtcMs | null {
  const times = cache.catalogue().stations.flatMap((s) => s.dataLastUpdatedMs ?? []);
  const newestFirst = times.toSorted((a, b) => b - a);
  return newestFirst[Math.floor(IGNORED_NEWEST * newestFirst.length)] ?? null;
}
