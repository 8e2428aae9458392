import { defined } from "#shared/defined.ts";
import { epochSeconds, type EpochSource, knownResolution } from "#shared/service/points.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { ownIntervalMs, VARIABLE_NAMES } from "#shared/service/variables.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import { UNKNOWN_STATION } from "../analysis/requestedTimes.ts";
import type { CacheReader } from "../store/types.ts";

const OBSERVED_VARIABLES = VARIABLE_NAMES.filter((v) => ownIntervalMs(v) === null);
/** Number of hours with rows that are examined, newest first. */
const EXAMINED_HOURS = 3;
const MIN_STEPS = 5;
/** Seconds between the observations of stations, for the size rule. */
export interface Cadences {
  of(station: CatalogueStation): number;
}

/**
 * Determines the cadence of stations: their resolution; for the native rate, the cadence of their newest cached rows;
 * without any, the nominal cadence of their kind.
 */
export function createCadences(cache: CacheReader): Cadences {
  const known = new Map<string, number>();
  return {
    of(station) {
      const resolution = knownResolution(station.resolutionSeconds);
      if (resolution !== null) return resolution;
      const seconds = known.get(station.id) ?? cachedCadence(cache, station.id);
      if (seconds === null) return epochSeconds(station);
      known.set(station.id, seconds);
      return seconds;
    },
  };
}

/**
 * Returns a station with the cadence of its cached rows, if the catalogue has none.
 *
 * @param station null for a station that is in no catalogue
 */
export function epochSource(cache: CacheReader, station: CatalogueStation | null): EpochSource {
  if (station === null) return UNKNOWN_STATION;
  if (knownResolution(station.resolutionSeconds) !== null) return station;
  const { sourceType } = station;
  return { sourceType, resolutionSeconds: cachedCadence(cache, station.id) ?? station.resolutionSeconds };
}

/** Returns the median step of the newest cached observations, in whole seconds; null if there are too few. */
function cachedCadence(cache: CacheReader, stationId: string): number | null {
  for (const raw of [false, true]) {
    for (const variable of OBSERVED_VARIABLES) {
      const mode = { intervalSeconds: null, raw };
      const { final, provisional } = cache.coverage(stationId, variable, mode);
      const ends = [...final, ...provisional.map((p) => p.range)].map((r) => r.endMs).toSorted((a, b) => b - a);
      for (const endMs of ends.slice(0, EXAMINED_HOURS)) {
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
  for (const { list } of blocks)
    for (const { stepMs, count } of list) if (count > 1) steps.push({ stepMs, count: count - 1 });
  steps.sort((a, b) => a.stepMs - b.stepMs);
  const total = steps.reduce((sum, { count }) => sum + count, 0);
  if (total < MIN_STEPS) return null;
  let seen = 0;
  const middle = defined(steps.find(({ count }) => (seen += count) * 2 >= total));
  return knownResolution(middle.stepMs / 1_000);
}
