import type { AvailabilityCounts, SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { momentsOnlyIn } from "#shared/time/runs.ts";
import type { RangeSet } from "#shared/time/rangeset.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { availabilityOf } from "../../analysis/availability.ts";
import { hasEverSent, sendingTime, stepSeconds } from "../../analysis/requestedTimes.ts";
import { gapsBeforeRaw } from "../../sync/rawAnswers.ts";
import { epochSource } from "../../sync/cadence.ts";
import type { KnownFailures } from "./failures.ts";
import type { Pace } from "../pacing.ts";
import type { CacheReader } from "../../store/index.ts";

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
