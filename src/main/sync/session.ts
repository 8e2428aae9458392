import type { UtcMs } from "#shared/time/utc.ts";
import type { ServiceClient } from "../client/types.ts";
import { type LearnedLimits, readLimits, writeLimits } from "../planner/limits.ts";
import type { Cache } from "../store/types.ts";
import { type Claims, createClaims } from "./claims.ts";
import { type Clock, systemClock } from "./clock.ts";
import { createTurnstile, type Turnstile } from "./turnstile.ts";

/** How long after its epoch an observation may still change, beyond what the station's own latest time tells. */
export const SETTLING_MARGIN_MS = 3_600_000;
/** How old a provisional answer may be before it is asked again. */
export const PROVISIONAL_AGE_MS = 300_000;

export interface SessionOptions {
  readonly client: ServiceClient;
  readonly cache: Cache;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** Those of this session alone where they are left out. */
  readonly claims?: Claims;
  readonly maxConcurrency?: number;
  readonly settlingMarginMs?: number;
  readonly provisionalAgeMs?: number;
  /** Told of the stations of each committed answer. */
  readonly onCommit?: (stationIds: readonly string[]) => void;
}

/** Everything that the jobs of one connection share. */
export interface Session {
  readonly client: ServiceClient;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly random: () => number;
  readonly turnstile: Turnstile;
  readonly claims: Claims;
  readonly settlingMarginMs: number;
  readonly provisionalAgeMs: number;
  limits(): LearnedLimits;
  learn(limits: LearnedLimits): void;
  /** The server's clock as far as it is known: this computer's, corrected by what the last answer said. */
  serverNowMs(): UtcMs;
  noteServerTime(serverTimeMs: UtcMs | null): void;
  /** How many answers were committed over this session, whoever asked; a plan made before another's is stale. */
  commits(): number;
  noteCommit(stationIds: readonly string[]): void;
}

const LIMITS = "limits";
const CLOCK_OFFSET = "serverClockOffsetMs";
const CLOSED_UNTIL = "closedUntilMs";

export function createSession(options: SessionOptions): Session {
  const { client, cache } = options;
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  let kept = cache.setting(LIMITS);
  let limits = readLimits(kept);
  let offsetMs = readNumber(cache.setting(CLOCK_OFFSET)) ?? 0;
  let commits = 0;
  return {
    client,
    cache,
    clock,
    random,
    claims: options.claims ?? createClaims(),
    settlingMarginMs: options.settlingMarginMs ?? SETTLING_MARGIN_MS,
    provisionalAgeMs: options.provisionalAgeMs ?? PROVISIONAL_AGE_MS,
    turnstile: createTurnstile({
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
    serverNowMs: () => clock.wallMs() + offsetMs,
    noteServerTime(serverTimeMs) {
      if (serverTimeMs === null) return;
      const seen = serverTimeMs - clock.wallMs();
      // The Date header has whole seconds: smaller differences say nothing and are not worth a write.
      if (Math.abs(seen - offsetMs) < 2_000) return;
      offsetMs = seen;
      cache.setSetting(CLOCK_OFFSET, String(seen));
    },
  };
}

function readNumber(text: string | null): number | null {
  const value = text === null ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}
