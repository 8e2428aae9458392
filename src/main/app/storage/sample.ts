import type { SampleCost, SamplePiece } from "#shared/bridge/methods/cache.ts";
import type { StationSize } from "#shared/series/cacheStatistics.ts";
import { epochSeconds, stationPoints } from "#shared/service/points.ts";
import { isVariable, withImpliedVariables } from "#shared/service/variables.ts";
import { isEmpty, type TimeRange } from "#shared/time/range.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import { allowedPoints, knownLimit, type LearnedLimits } from "../../planner/limits.ts";
import { splitRequest } from "../../planner/split.ts";
import type { EpochSecondsLookup, PlannedRequest } from "../../planner/types.ts";
import type { CacheReader } from "../../store/types.ts";
import { epochSource } from "../../sync/cadence.ts";

const NATIVE = { intervalSeconds: null, raw: false } as const;
const PIECE_MS = 6 * HOUR_MS;

/**
 * Draws random ranges of final data at the native rate, hours long, each of one variable of another station. Fewer if
 * there are not enough stations with data. Averaged and raw series are not sampled.
 *
 * @param random numbers from 0 to 1
 */
export function drawSample(cache: CacheReader, pieces: number, random: () => number): SamplePiece[] {
  const left = cache.sizes().filter((s) => s.totalBytes > 0);
  const drawn: SamplePiece[] = [];
  while (left.length > 0 && drawn.length < pieces) {
    const [station] = left.splice(Math.floor(random() * left.length), 1);
    const piece = station && pieceOf(cache, station, random);
    if (piece) drawn.push(piece);
  }
  return drawn;
}

function pieceOf(cache: CacheReader, { stationId, bytes }: StationSize, random: () => number): SamplePiece | null {
  const variables = Object.keys(bytes).filter(isVariable);
  const first = Math.floor(random() * variables.length);
  for (const variable of [...variables.slice(first), ...variables.slice(0, first)]) {
    const range = rangeWithin(cache.coverage(stationId, variable, NATIVE).final, random);
    if (range) return { stationId, variable, range };
  }
  return null;
}

/** A random part of the ranges, with the same probability for each time. */
function rangeWithin(ranges: readonly TimeRange[], random: () => number): TimeRange | null {
  const all = ranges.filter((range) => !isEmpty(range));
  const totalMs = all.reduce((sum, r) => sum + r.endMs - r.startMs, 0);
  let atMs = random() * totalMs;
  for (const { startMs, endMs } of all) {
    if (atMs < endMs - startMs) {
      const latest = Math.max(startMs, endMs - PIECE_MS);
      const from = Math.min(latest, startMs + Math.floor(atMs));
      return { startMs: from, endMs: Math.min(endMs, from + PIECE_MS) };
    }
    atMs -= endMs - startMs;
  }
  return null;
}

/** The cost of requesting the samples again, within the learned limits of the service. */
export function sampleCost(
  epochSecondsOf: EpochSecondsLookup,
  pieces: readonly SamplePiece[],
  limits: LearnedLimits,
): SampleCost {
  const requests = pieces.flatMap((piece) => requestsFor(piece, epochSecondsOf, limits));
  return {
    points: requests.reduce((sum, { points }) => sum + points, 0),
    requests: requests.length,
    mayBeMore: pieces.length > 0 && knownLimit(limits) === null,
  };
}

/** The requests for a sample, halved until each is within the service's limits. */
export function requestsFor(
  { stationId, variable, range }: SamplePiece,
  epochSecondsOf: EpochSecondsLookup,
  limits: LearnedLimits,
): PlannedRequest[] {
  const mostPoints = allowedPoints(limits);
  const points = stationPoints(range, epochSecondsOf(stationId), null);
  // Includes the variables that the service implies.
  const variables = withImpliedVariables([variable]);
  return halved({ stationIds: [stationId], variables, range, ...NATIVE, points }, mostPoints, epochSecondsOf);
}

function halved(request: PlannedRequest, mostPoints: number, epochSecondsOf: EpochSecondsLookup): PlannedRequest[] {
  const halves = request.points > mostPoints ? splitRequest(request, epochSecondsOf) : null;
  return halves ? halves.flatMap((half) => halved(half, mostPoints, epochSecondsOf)) : [request];
}

/** Seconds between the observations of stations, from the catalogue or received data. */
export function epochLookup(cache: CacheReader): EpochSecondsLookup {
  return (id) => epochSeconds(epochSource(cache, cache.station(id)));
}
