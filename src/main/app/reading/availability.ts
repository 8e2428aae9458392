import type { AvailabilityCounts, SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import type { Coverage, SeriesMode } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { momentsOnlyIn } from "#shared/time/runs.ts";
import { difference, intersect, type RangeSet, totalMs } from "#shared/time/rangeset.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { availabilityOf } from "../../analysis/availability.ts";
import { answeredTime, hasEverSent, sendingTime, stepSeconds } from "../../analysis/requestedTimes.ts";
import { gapsBeforeRaw } from "../../sync/rawAnswers.ts";
import { epochSource } from "../../sync/cadence.ts";
import type { KnownFailures } from "./failures.ts";
import type { Pace } from "../pace.ts";
import type { CacheReader } from "../../store/index.ts";
import type { CatalogueCoverage, StationCoverage } from "#shared/bridge/methods/catalogue.ts";

interface AvailabilityQuery {
  readonly stationIds: readonly string[];
  readonly variable: Variable;
  readonly range: TimeRange;
  readonly mode: SeriesMode;
  readonly binMs: number;
  readonly nowMs: number;
}

const FIELDS = [
  "expected",
  "received",
  "filtered",
  "missing",
  "failed",
  "notRequested",
  "mayStillArrive",
  "rawAsked",
] as const;

/** Counts the values of one variable for each station and bin, from counts stored beside the chunks; see `CacheReader.counted`. */
export async function readAvailability(
  cache: CacheReader,
  query: AvailabilityQuery,
  failures: KnownFailures,
  pace: Pace,
): Promise<SeriesAvailability> {
  const { stationIds, range, binMs, nowMs } = query;
  const firstMs = Math.floor(range.startMs / binMs) * binMs;
  const bins = binsIn(range, binMs);
  const cells = stationIds.length * bins;
  const found = {
    expected: new Uint32Array(cells),
    received: new Uint32Array(cells),
    filtered: new Uint32Array(cells),
    missing: new Uint32Array(cells),
    failed: new Uint32Array(cells),
    notRequested: new Uint32Array(cells),
    mayStillArrive: new Uint32Array(cells),
    rawAsked: new Uint8Array(cells),
  };
  // Most stations have no raw rows: one query for all of them avoids one for each.
  const rawCoverages = query.mode.raw ? null : cache.coverages({ ...query.mode, raw: true }, [query.variable], range);
  const stations = [];
  for (const [i, stationId] of stationIds.entries()) {
    const station = cache.station(stationId);
    const own = stationAvailability(
      cache,
      query,
      { stationId, station, hasRaw: rawCoverages?.has(stationId) ?? false },
      failures,
    );
    for (const name of FIELDS) found[name].set(own[name], i * bins);
    stations.push({
      stationId,
      stepSeconds: stepSeconds(epochSource(cache, station), query.variable, query.mode.intervalSeconds),
      isForbidden: failures.isForbidden(stationId),
      hasEverSent: hasEverSent(station),
      failedBecause: own.failed.some((n) => n > 0) ? failures.reason(stationId, query.variable, range) : null,
    });
    await pace.yieldIfDue();
  }
  return { firstMs, binMs, bins, nowMs, stations, ...found };
}

/** Number of bins, aligned to 1970, that overlap the range. */
export function binsIn(range: TimeRange, binMs: number): number {
  return Math.ceil(range.endMs / binMs) - Math.floor(range.startMs / binMs);
}

interface RequestedStation {
  readonly stationId: string;
  readonly station: CatalogueStation | null;
  /** Whether raw data of it was ever requested in the mode of the query. */
  readonly hasRaw: boolean;
}

function stationAvailability(
  cache: CacheReader,
  { variable, range, mode, binMs, nowMs }: AvailabilityQuery,
  { stationId, station, hasRaw }: RequestedStation,
  failures: Pick<KnownFailures, "failed">,
): AvailabilityCounts {
  const step = stepSeconds(epochSource(cache, station), variable, mode.intervalSeconds);
  const selection = { stationId, variables: [variable], range, ...mode };
  const timesIn = (raw: boolean, part: TimeRange) => cache.valueTimes({ ...selection, range: part, raw });
  const newer = hasRaw ? gapsBeforeRaw(cache, { stationId, variable, ...mode }) : [];
  return availabilityOf({
    ...cache.countBins(selection, binMs),
    range,
    binMs,
    stepSeconds: step,
    sending: sendingTime(station, range, step, nowMs),
    failed: failures.failed(stationId, variable),
    raw: hasRaw ? { ...cache.countBins({ ...selection, raw: true }, binMs), newer } : null,
    countRawOnly: (where: RangeSet) =>
      where.reduce((sum, part) => sum + momentsOnlyIn(timesIn(true, part), timesIn(false, part)).length, 0),
  });
}

/** The covered fraction of the range, for every station with any coverage. */
export function readCatalogueCoverage(
  cache: CacheReader,
  range: TimeRange,
  variables: readonly Variable[],
  mode: SeriesMode,
): CatalogueCoverage {
  const found = [...cache.coverages(mode, variables, range)];
  const share = Float64Array.from(found, ([, coverages]) => {
    const { final, provisional } = sharedCoverage(
      variables.map((v) => coverages[v]),
      range,
    );
    return (totalMs(final) + totalMs(provisional)) / durationMs(range);
  });
  return { stationIds: found.map(([stationId]) => stationId), share };
}

interface StripsQuery {
  readonly stationIds: readonly string[];
  readonly range: TimeRange;
  readonly variables: readonly Variable[];
  readonly mode: SeriesMode;
}

/** The covered ranges of stations, in their order. */
export function readStrips(
  cache: Pick<CacheReader, "coveragesOf">,
  { stationIds, range, variables, mode }: StripsQuery,
): StationCoverage[] {
  const coverages = cache.coveragesOf(stationIds, variables, mode);
  return stationIds.map((stationId, i) => ({ stationId, ...sharedCoverage(coverages[i] ?? [], range) }));
}

interface SharedCoverage {
  readonly final: RangeSet;
  readonly provisional: RangeSet;
}

/**
 * The ranges in which all series are covered, cut to `range`: final if all of them are, else provisional.
 *
 * @param coverages one for each series; undefined for a series without coverage
 */
function sharedCoverage(coverages: readonly (Coverage | undefined)[], range: TimeRange): SharedCoverage {
  let final: RangeSet = [range];
  let covered: RangeSet = [range];
  for (const coverage of coverages) {
    if (!coverage) return { final: [], provisional: [] };
    final = intersect(final, coverage.final);
    covered = intersect(covered, answeredTime(coverage));
  }
  return { final, provisional: difference(covered, final) };
}
