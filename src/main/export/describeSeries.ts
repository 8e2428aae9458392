import type { SidecarSeries } from "#formats/sidecar.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { intersect, rangeSet } from "#shared/time/rangeset.ts";
import { countFrom, type Runs } from "#shared/time/runs.ts";
import { walkGaps } from "../analysis/gapWalk.ts";
import { stepSeconds } from "../analysis/step.ts";
import { type Gap, type GapCause } from "#shared/series/gap.ts";
import { epochSourceOf } from "../sync/cadence.ts";
import type { CacheReader } from "../store/types.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { ExportRequest } from "#shared/file/export.ts";

/** Gaps that are listed one by one for a series; the counts and sums are always of all. */
export const MOST_GAPS = 1_000;

/** Describes a series from the cache: what was asked, what is there, and why the rest is not. */
export function describeSeries(
  cache: CacheReader,
  request: Pick<ExportRequest, "range" | "intervalSeconds" | "raw" | "resampled">,
  station: CatalogueStation,
  variable: Variable,
): SidecarSeries {
  const { range, raw } = request;
  // What was averaged here is as complete as the native rows it was made of.
  const mode: SeriesMode = { raw, intervalSeconds: request.resampled ? null : request.intervalSeconds };
  const coverage = cache.coverage(station.id, variable, mode);
  const rawMode = { ...mode, raw: true };
  const rawCoverage = raw ? null : cache.coverage(station.id, variable, rawMode);
  const isRawKnown = rawCoverage !== null && rawCoverage.final.length > 0;
  const gaps: Gap[] = [];
  const gapSecondsByCause: Partial<Record<GapCause, number>> = {};
  let gapCount = 0;
  const timesOf = (part: TimeRange, selected: SeriesMode): Runs =>
    // Each part is asked once: to keep them all would only fill the memory.
    cache.valueTimes({ stationId: station.id, variables: [variable], range: part, ...selected }, false);
  let values = 0;
  let countedUntilMs = range.startMs;
  const walk = walkGaps({
    range,
    mode,
    coverage,
    epochSeconds: stepSeconds(epochSourceOf(cache, station), variable, null),
    historicDataFromMs: station.historicDataFromMs,
    dataLastUpdatedMs: station.dataLastUpdatedMs,
    isForbidden: false,
    failed: [],
    timesIn(part) {
      // The walk looks a little beyond its windows: what it has seen before is counted once.
      const times = timesOf(part, mode);
      values += countFrom(times, countedUntilMs);
      countedUntilMs = part.endMs;
      return times;
    },
    raw: isRawKnown ? { coverage: rawCoverage, timesIn: (part) => timesOf(part, rawMode) } : null,
  });
  for (const gap of walk) {
    gapCount++;
    gapSecondsByCause[gap.cause] = (gapSecondsByCause[gap.cause] ?? 0) + durationMs(gap.range) / 1000;
    if (gaps.length < MOST_GAPS) gaps.push(gap);
  }

  return {
    variable,
    values,
    final: intersect(coverage.final, [range]),
    provisional: intersect(rangeSet(coverage.provisional.map((p) => p.range)), [range]),
    gapCount,
    gapSecondsByCause,
    gaps,
  };
}
