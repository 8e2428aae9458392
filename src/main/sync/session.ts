import { type ClockDisagreement, clocksSentence } from "#shared/clocks.ts";
import type { Catalogue } from "#shared/service/catalogue.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { ServiceClient } from "../client/types.ts";
import type { LearnedLimits } from "../planner/limits.ts";
import { isYoung } from "../planner/missing.ts";
import {
  confirmedTime,
  type OwnClocks,
  readServiceTime,
  type ServiceClock,
  type ServiceTime,
  UNKNOWN_CLOCK,
  withSample,
} from "../planner/serviceClock.ts";
import type { Cache, CacheReader } from "../store/index.ts";
import { type Claims, createClaims } from "./claims.ts";
import { type Clock, systemClock } from "./clock.ts";
import { Limiter } from "./limiter.ts";
import { CacheWrites, writeUnlessLocked } from "./whenUnlocked.ts";
import { Profile } from "./profile.ts";

/** Age at which no backlog of a receiver is expected any more: absences become final, means do not change. */
export const SETTLING_MARGIN_MS = 48 * 3_600_000;
/** Multiples of it for which a series that fell silent is expected back. */
const SILENT_MARGINS = 7;
/** Age at which provisional data are requested again, and at which a second response confirms an absence. */
const PROVISIONAL_AGE_MS = 300_000;

/** How long an outage of the service may last, from its first failure, before its callers give up. */
export interface Patience {
  /** For a job. Infinity: it never gives up. */
  readonly jobMs: number;
  /** For a user who waits for a response. */
  readonly callMs: number;
}

/** A job waits until the service is available again; a window that shows cached data meanwhile does not. */
const DEFAULT_PATIENCE: Patience = { jobMs: Infinity, callMs: 5_000 };

export interface SessionOptions {
  readonly client: ServiceClient;
  readonly cache: Cache;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** By default, claims within this session alone. */
  readonly claims?: Claims;
  readonly maxConcurrency?: number;
  readonly patience?: Patience;
  /** Age at which values no longer arrive late; null: 48 h. */
  readonly settlingMarginMs?: () => number | null;
  readonly provisionalAgeMs?: number;
  /** Called with the stations of each committed response. */
  readonly onCommit?: (stationIds: readonly string[]) => void;
  /** Called when the clocks disagree after a response, or agree again (null). */
  readonly onClocks?: (disagreement: ClockDisagreement | null) => void;
  /** Called when the service becomes reachable or unreachable, asks all requests to wait, or such a pause ends early. */
  readonly onConnectivity?: () => void;
  /** Called when a catalogue was stored, whole or in part. */
  readonly onCatalogue?: () => void;
}

/** Everything that the jobs of a connection share. */
export interface Session {
  readonly client: ServiceClient;
  readonly cache: Cache;
  /** The cache that a refresh compares with, see `refreshSession`; null for all other sessions. */
  readonly former: CacheReader | null;
  readonly clock: Clock;
  readonly random: () => number;
  readonly limiter: Limiter;
  readonly claims: Claims;
  readonly patience: Patience;
  readonly writes: CacheWrites;
  readonly provisionalAgeMs: number;
  /** Time before which values no longer arrive late, by the service's clock at its earliest. */
  oldUntilMs(): UtcMs;
  /** A series that has been silent since before this time is not expected back. */
  silentSinceMs(): UtcMs;
  /** What was learned about the service. */
  readonly profile: Profile;
  limits(): LearnedLimits;
  learn(limits: LearnedLimits): void;
  /** The time at the service, as well as it is known. */
  time(): ServiceTime;
  /** The most likely reading of the service's clock; the same as `time().nowMs`. */
  serverNowMs(): UtcMs;
  /** A time that has passed at the service, for decisions that cannot be taken back; null if the service told none. */
  confirmedMs(): UtcMs | null;
  /** Whether something fetched at `fetchedAtMs` is younger than `maxAgeMs`, whichever clock is right. */
  isYoung(fetchedAtMs: UtcMs, maxAgeMs: number): boolean;
  /** Whether something fetched at `fetchedAtMs` is at least `minAgeMs` old, whichever clock is right. */
  isOlder(fetchedAtMs: UtcMs, minAgeMs: number): boolean;
  /**
   * Takes the `Date` of a response into account.
   *
   * @param serverTimeMs null if the response had none
   * @param sentMonotonicMs the monotonic clock before the request was sent
   */
  noteServerTime(serverTimeMs: UtcMs | null, sentMonotonicMs: number): void;
  /**
   * Keeps what was wrong with a catalogue that was just stored.
   *
   * @param remark an inconsistency of the catalogue, as a sentence for the user, or null
   */
  noteCatalogue(remark: string | null): void;
  /** The inconsistency of the catalogue that this session fetched last, or null. */
  catalogueRemark(): string | null;
  /** Null if the clocks of the service and of this computer agree. */
  clockDisagreement(): ClockDisagreement | null;
  /** Number of responses committed by all jobs of this session; a plan made before another job's response is stale. */
  commits(): number;
  noteCommit(stationIds: readonly string[]): void;
}

const PAUSED_UNTIL_SETTING = "pausedUntilMs";
/** The share of stations with the newest measurements that is ignored, at least one of three: a receiver may report nonsense. */
const IGNORED = 0.1;
const FEWEST_COMPARED = 3;

export function createSession(options: SessionOptions): Session {
  const { client, cache } = options;
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  const patience = options.patience ?? DEFAULT_PATIENCE;
  let serviceClock: ServiceClock = UNKNOWN_CLOCK;
  let reportedDisagreement = "";
  let catalogueRemark: string | null = null;
  let commits = 0;

  const ownClocks = (): OwnClocks => ({ wallMs: clock.wallMs(), monotonicMs: clock.monotonicMs() });
  const newestMs = newestMeasurement(cache);
  const marginMs = (): number => options.settlingMarginMs?.() ?? SETTLING_MARGIN_MS;
  const time = (): ServiceTime => readServiceTime(serviceClock, ownClocks(), newestMs);
  const profile = new Profile(cache, (atMs, maxAgeMs) => isYoung(atMs, time().ageClocksMs, maxAgeMs));
  function clockDisagreement(): ClockDisagreement | null {
    // Also asked when the cache has been closed or moved.
    if (serviceClock.length === 0) return null;
    const { disagreement } = time();
    return disagreement && { ...disagreement, computerMs: clock.wallMs() };
  }

  function reportClocks(): void {
    if (!options.onClocks) return;
    const disagreement = clockDisagreement();
    const sentence = disagreement === null ? "" : clocksSentence(disagreement);
    if (sentence === reportedDisagreement) return;
    reportedDisagreement = sentence;
    options.onClocks(disagreement);
  }

  return {
    client,
    cache,
    former: null,
    clock,
    random,
    claims: options.claims ?? createClaims(),
    patience,
    writes: new CacheWrites(clock, patience.jobMs),
    oldUntilMs: () => time().earliestMs - marginMs(),
    silentSinceMs: () => time().earliestMs - SILENT_MARGINS * marginMs(),
    provisionalAgeMs: options.provisionalAgeMs ?? PROVISIONAL_AGE_MS,
    limiter: new Limiter({
      clock,
      random,
      maxConcurrency: options.maxConcurrency,
      pausedUntilMs: readNumber(cache.setting(PAUSED_UNTIL_SETTING)),
      onPause(untilMs) {
        writeUnlessLocked(() => cache.setSetting(PAUSED_UNTIL_SETTING, String(untilMs ?? 0)));
        options.onConnectivity?.();
      },
      onReach: () => options.onConnectivity?.(),
      refusedConcurrency: profile.refusedConcurrency(),
      onRefusedConcurrency: (refused) => profile.learnConcurrency(refused),
    }),
    profile,
    limits: () => profile.limits(),
    learn: (limits) => profile.learn(limits),
    commits: () => commits,
    noteCommit(stationIds) {
      commits++;
      options.onCommit?.(stationIds);
    },
    time,
    serverNowMs: () => time().nowMs,
    confirmedMs: () => confirmedTime(serviceClock, ownClocks(), newestMs),
    isYoung: (fetchedAtMs, maxAgeMs) => isYoung(fetchedAtMs, time().ageClocksMs, maxAgeMs),
    isOlder: (fetchedAtMs, minAgeMs) => Math.min(...time().ageClocksMs) - fetchedAtMs >= minAgeMs,
    noteServerTime(serverTimeMs, sentMonotonicMs) {
      if (serverTimeMs === null) return;
      serviceClock = withSample(serviceClock, { serverMs: serverTimeMs, sentMonotonicMs, ...ownClocks() });
      reportClocks();
    },
    noteCatalogue(remark) {
      catalogueRemark = remark;
      options.onCatalogue?.();
    },
    catalogueRemark: () => catalogueRemark,
    clockDisagreement,
  };
}

function readNumber(text: string | null): number | null {
  const value = text === null ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}

/** Reads the time of the newest measurement in the catalogue, ignoring the few that may be wrong; null if none. */
function newestMeasurement(cache: Cache): () => UtcMs | null {
  let known: Catalogue["stations"] = [];
  let newestMs: UtcMs | null = null;
  return () => {
    const { stations } = cache.catalogue();
    if (stations === known) return newestMs;
    known = stations;
    const newestFirst = stations.flatMap((s) => s.dataLastUpdatedMs ?? []).toSorted((a, b) => b - a);
    const ignored = Math.max(newestFirst.length < FEWEST_COMPARED ? 0 : 1, Math.floor(IGNORED * newestFirst.length));
    return (newestMs = newestFirst[ignored] ?? null);
  };
}
