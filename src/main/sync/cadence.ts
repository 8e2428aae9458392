import { defined } from "#shared/defined.ts";
import { epochSeconds, type EpochSource, knownResolution } from "#shared/service/points.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { ownIntervalMs, VARIABLE_NAMES } from "#shared/service/variables.ts";
import { rangeSet } from "#shared/time/rangeset.ts";
import { commonStepMs, type Runs } from "#shared/time/runs.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import { UNKNOWN_STATION } from "../analysis/requestedTimes.ts";
import type { CacheReader } from "../store/index.ts";

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
 * Returns a station with the cadence that its newest rows show, or else that of the catalogue. Where the catalogue has
 * one, only final rows count: a response that lacks every second epoch would otherwise teach its own cadence.
 *
 * @param station null for a station that is in no catalogue
 */
export function epochSource(cache: CacheReader, station: CatalogueStation | null): EpochSource {
  if (station === null) return UNKNOWN_STATION;
  const { id, sourceType } = station;
  const isAnnounced = knownResolution(station.resolutionSeconds) !== null;
  return { sourceType, resolutionSeconds: cachedCadence(cache, id, isAnnounced) ?? station.resolutionSeconds };
}

/** Returns the seconds between values in a response if they are closer than expected, or the expected ones. */
export function shownStep(times: Runs, expectedSeconds: number): number {
  const stepMs = times.total > MIN_STEPS ? commonStepMs(times) : null;
  const seconds = stepMs === null ? null : knownResolution(stepMs / 1_000);
  return Math.min(expectedSeconds, seconds ?? Infinity);
}

/** Returns the median step of the newest cached observations, in whole seconds; null if there are too few. */
function cachedCadence(cache: CacheReader, stationId: string, isFinal = false): number | null {
  for (const raw of [false, true]) {
    for (const variable of OBSERVED_VARIABLES) {
      const mode = { intervalSeconds: null, raw };
      const { final, provisional } = cache.coverage(stationId, variable, mode);
      const answered = isFinal ? final : [...final, ...provisional.map((p) => p.range)];
      for (const { startMs, endMs } of rangeSet(answered).slice(-EXAMINED_HOURS).toReversed()) {
        const range = { startMs: Math.max(startMs, endMs - HOUR_MS), endMs };
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
