import { defined } from "#shared/defined.ts";
import { epochSeconds, type EpochSource, knownResolution } from "#shared/service/points.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { ownIntervalMs, VARIABLE_NAMES } from "#shared/service/variables.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import { UNKNOWN_STATION } from "../analysis/step.ts";
import type { CacheReader } from "../store/types.ts";

const EVERY_OBSERVATION = VARIABLE_NAMES.filter((v) => ownIntervalMs(v) === null);
/** Number of hours with rows that are examined, newest first. */
const HOURS = 3;
const ENOUGH_STEPS = 5;
/** The shortest cadence in the specification. */
const SHORTEST_S = 1;

/** Seconds between the observations of stations, for the size rule. */
export interface Cadences {
  of(station: CatalogueStation): number;
  /**
   * Requests for these stations were larger than estimated. If a station's cadence is unknown, it may be the shortest
   * one.
   */
  doubt(stations: Iterable<CatalogueStation>): void;
}

/**
 * How often stations observe: their resolution; for the native rate, the cadence of their newest received rows; without
 * any, the nominal cadence of their kind.
 */
export function createCadences(cache: CacheReader): Cadences {
  const known = new Map<string, number>();
  const doubted = new Set<string>();
  return {
    of(station) {
      const told = knownResolution(station.resolutionSeconds);
      if (told !== null) return told;
      const seconds = known.get(station.id) ?? cachedCadence(cache, station.id);
      if (seconds === null) return doubted.has(station.id) ? SHORTEST_S : epochSeconds(station);
      known.set(station.id, seconds);
      return seconds;
    },
    doubt(stations) {
      for (const { id } of stations) doubted.add(id);
    },
  };
}

/** A station with the cadence that the cache shows, if the catalogue has none; null for a station in no catalogue. */
export function epochSourceOf(cache: CacheReader, station: CatalogueStation | null): EpochSource {
  if (station === null) return UNKNOWN_STATION;
  if (knownResolution(station.resolutionSeconds) !== null) return station;
  const { sourceType } = station;
  return { sourceType, resolutionSeconds: cachedCadence(cache, station.id) ?? station.resolutionSeconds };
}

/** The median step of the newest cached observations, in whole seconds; null if there are too few. */
export function cachedCadence(cache: CacheReader, stationId: string): number | null {
  for (const raw of [false, true]) {
    for (const variable of EVERY_OBSERVATION) {
      const mode = { intervalSeconds: null, raw };
      const { final, provisional } = cache.coverage(stationId, variable, mode);
      const ends = [...final, ...provisional.map((p) => p.range)].map((r) => r.endMs).toSorted((a, b) => b - a);
      for (const endMs of ends.slice(0, HOURS)) {
        const range = { startMs: endMs - HOUR_MS, endMs };
        const seconds = medianStep(cache.times({ stationId, variables: [variable], range, ...mode }));
        if (seconds !== null) return seconds;
      }
    }
  }
  return null;
}

function medianStep(blocks: ReturnType<CacheReader["times"]>): number | null {
  const steps: { readonly stepMs: number; readonly count: number }[] = [];
  for (const { stepsMs, counts } of blocks)
    counts.forEach((count, i) => count > 1 && steps.push({ stepMs: stepsMs[i]!, count: count - 1 }));
  steps.sort((a, b) => a.stepMs - b.stepMs);
  const total = steps.reduce((sum, { count }) => sum + count, 0);
  if (total < ENOUGH_STEPS) return null;
  let seen = 0;
  const middle = defined(steps.find(({ count }) => (seen += count) * 2 >= total));
  return knownResolution(middle.stepMs / 1_000);
}
