import { z } from "zod";
import { parseStored } from "#shared/storedJson.ts";
import { formatUtcShort, type UtcMs } from "#shared/time/utc.ts";
import { type LearnedLimits, limitsSchema, NO_LIMITS } from "../planner/limits.ts";
import type { Cache } from "../store/index.ts";
import { writeUnlessLocked } from "./whenUnlocked.ts";

const refusalSchema = z.object({
  kind: z.enum(["forbidden", "invalid", "notFound"]),
  reason: z.string(),
  sinceMs: z.number(),
});
type StoredRefusal = Readonly<z.infer<typeof refusalSchema>>;

/** A station for which the service refuses every request: why, as a sentence for the user. */
export type StationRefusal = Omit<StoredRefusal, "sinceMs">;

const profileSchema = z.object({
  limits: limitsSchema,
  refusedConcurrency: z.number().int().min(2).nullable(),
  stations: z.record(z.string(), refusalSchema),
});

/** What a connection has learned about its service. Kept in the cache file, so it survives the process. */
export interface Profile {
  limits(): LearnedLimits;
  learn(limits: LearnedLimits): void;
  /** The number of concurrent requests that the service refused; null if none is known. */
  refusedConcurrency(): number | null;
  learnConcurrency(refused: number | null): void;
  /** Stations that are not requested now. A day after its refusal a station is requested again. */
  refusedStations(): ReadonlyMap<string, StationRefusal>;
  refuse(stationId: string, refusal: StationRefusal, atMs: UtcMs): void;
  /** Requests these stations again: the user wants it, or (null: all) the key has changed. */
  allow(stationIds: readonly string[] | null): void;
}

const SETTING = "profile";
/** Age at which a refused station is requested again. */
const MAX_REFUSAL_AGE_MS = 86_400_000;

/** @param isYoung whether something that happened at a time is younger than an age, whichever clock is right */
export function createProfile(cache: Cache, isYoung: (atMs: UtcMs, maxAgeMs: number) => boolean): Profile {
  let storedText = cache.setting(SETTING);
  let profile = parseStored(profileSchema, storedText) ?? { limits: NO_LIMITS, refusedConcurrency: null, stations: {} };

  function change(part: Partial<typeof profile>): void {
    profile = { ...profile, ...part };
    const text = JSON.stringify(profile);
    if (text !== storedText && writeUnlessLocked(() => cache.setSetting(SETTING, text))) storedText = text;
  }

  const current = (): [string, StoredRefusal][] =>
    Object.entries(profile.stations).filter(([, { sinceMs }]) => isYoung(sinceMs, MAX_REFUSAL_AGE_MS));

  return {
    limits: () => profile.limits,
    learn: (limits) => change({ limits }),
    refusedConcurrency: () => profile.refusedConcurrency,
    learnConcurrency: (refusedConcurrency) => change({ refusedConcurrency }),
    refusedStations: () =>
      new Map(
        current().map(([id, { kind, reason, sinceMs }]) => [
          id,
          {
            kind,
            reason: `${reason} This was at ${formatUtcShort(sinceMs)}; the station is requested again a day later.`,
          },
        ]),
      ),
    refuse: (stationId, { kind, reason }, sinceMs) =>
      change({
        stations: {
          ...Object.fromEntries(current()),
          [stationId]: { kind, reason, sinceMs: Math.round(sinceMs / 1_000) * 1_000 },
        },
      }),
    allow(stationIds) {
      const allowed = stationIds && new Set(stationIds);
      change({ stations: Object.fromEntries(current().filter(([id]) => allowed !== null && !allowed.has(id))) });
    },
  };
}
