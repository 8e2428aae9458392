import { z } from "zod";
import { parseStored } from "#shared/storedJson.ts";
import { formatUtcShort, type UtcMs } from "#shared/time/utc.ts";
import { type LearnedLimits, limitsSchema, NO_LIMITS } from "../planner/limits.ts";
import type { Cache } from "../store/index.ts";
import { writeUnlessLocked } from "./whenUnlocked.ts";

const refusalSchema = z.object({
  kind: z.enum(["forbidden", "invalid", "notFound", "lost"]),
  reason: z.string(),
  sinceMs: z.number(),
});
type StoredRefusal = Readonly<z.infer<typeof refusalSchema>>;

/** A station for which the service refuses every request, or of which nothing arrives (lost): why, as a sentence for the user. */
export type StationRefusal = Omit<StoredRefusal, "sinceMs">;

const profileSchema = z.object({
  limits: limitsSchema,
  refusedConcurrency: z.number().int().min(2).nullable(),
  stations: z.record(z.string(), refusalSchema),
});

type StoredProfile = Readonly<z.infer<typeof profileSchema>>;

const SETTING = "profile";
/** Age at which a refused station is requested again. */
const MAX_REFUSAL_AGE_MS = 86_400_000;

/** What a connection has learned about its service. Kept in the cache file, so it survives the process. */
export class Profile {
  readonly #cache: Cache;
  readonly #isYoung: (atMs: UtcMs, maxAgeMs: number) => boolean;
  #storedText: string | null = null;
  #profile: StoredProfile = { limits: NO_LIMITS, refusedConcurrency: null, stations: {} };

  /** @param isYoung whether something that happened at a time is younger than an age, whichever clock is right */
  constructor(cache: Cache, isYoung: (atMs: UtcMs, maxAgeMs: number) => boolean) {
    this.#cache = cache;
    this.#isYoung = isYoung;
  }

  limits(): LearnedLimits {
    return this.#read().limits;
  }

  learn(limits: LearnedLimits): void {
    this.#change({ limits });
  }

  /** The number of concurrent requests that the service refused; null if none is known. */
  refusedConcurrency(): number | null {
    return this.#read().refusedConcurrency;
  }

  learnConcurrency(refusedConcurrency: number | null): void {
    this.#change({ refusedConcurrency });
  }

  /** Stations that are not requested now. A day after its refusal a station is requested again. */
  refusedStations() {
    return new Map(
      this.#current().flatMap(([id, { kind, reason, sinceMs }]) => {
        const words = `${reason} Refused at ${formatUtcShort(sinceMs)}. It is requested again after a day.`;
        return kind === "lost" ? [] : [[id, { kind, reason: words }] as const];
      }),
    );
  }

  /**
   * Stations of which nothing arrived lately, and why. Each job requests them, alone, until something arrives.
   *
   * @param afterMs leaves out stations that were lost before this time
   */
  lostStations(afterMs: UtcMs = -Infinity): Map<string, string> {
    const lost = this.#current().filter(([, { kind, sinceMs }]) => kind === "lost" && sinceMs >= afterMs);
    return new Map(lost.map(([id, { reason }]) => [id, reason]));
  }

  refuse(stationId: string, { kind, reason }: StationRefusal, sinceMs: UtcMs): void {
    this.#change({
      stations: {
        ...Object.fromEntries(this.#current()),
        [stationId]: { kind, reason, sinceMs: Math.round(sinceMs / 1_000) * 1_000 },
      },
    });
  }

  /** Requests these stations again: the user wants it, or (null: all) the key has changed. */
  allow(stationIds: readonly string[] | null): void {
    const allowed = stationIds && new Set(stationIds);
    this.#change({
      stations: Object.fromEntries(this.#current().filter(([id]) => allowed !== null && !allowed.has(id))),
    });
  }

  /** Other programs learn about the service, too: what they stored since replaces what is known here. */
  #read(): StoredProfile {
    const text = this.#cache.setting(SETTING);
    if (text !== this.#storedText) this.#profile = parseStored(profileSchema, text) ?? this.#profile;
    this.#storedText = text;
    return this.#profile;
  }

  #change(part: Partial<StoredProfile>): void {
    this.#profile = { ...this.#read(), ...part };
    const text = JSON.stringify(this.#profile);
    if (text !== this.#storedText && writeUnlessLocked(() => this.#cache.setSetting(SETTING, text)))
      this.#storedText = text;
  }

  #current(): [string, StoredRefusal][] {
    return Object.entries(this.#read().stations).filter(([, { sinceMs }]) =>
      this.#isYoung(sinceMs, MAX_REFUSAL_AGE_MS),
    );
  }
}
