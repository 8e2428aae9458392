import type { SidecarSeries } from "#formats/sidecar.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import { epochSeconds } from "#shared/service/points.ts";
import { type Variable, variableInfo } from "#shared/service/variables.ts";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { intersect, rangeSet } from "#shared/time/rangeset.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { explainGaps } from "../analysis/gaps.ts";
import { type Gap, type GapCause } from "#shared/series/gap.ts";
import type { CacheReader } from "../store/types.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { ExportRequest } from "#shared/file/export.ts";

/** Gaps that are listed one by one for a series; the counts and sums are always of all. */
export const MOST_GAPS = 1_000;
/** Rows are read in windows of this length, so that memory does not grow with the range. */
const WINDOW_MS = 10 * DAY_MS;

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
  const stepSeconds = Math.max(epochSeconds(station), updateSeconds(variable, station));
  const gaps: Gap[] = [];
  const gapSecondsByCause: Partial<Record<GapCause, number>> = {};
  let gapCount = 0;
  let values = 0;
  let last: Gap | null = null;

  const close = (gap: Gap): void => {
    gapCount++;
    gapSecondsByCause[gap.cause] = (gapSecondsByCause[gap.cause] ?? 0) + durationMs(gap.range) / 1000;
    if (gaps.length < MOST_GAPS) gaps.push(gap);
  };

  for (let startMs = range.startMs; startMs < range.endMs; startMs += WINDOW_MS) {
    const window: TimeRange = { startMs, endMs: Math.min(range.endMs, startMs + WINDOW_MS) };
    const timesMs = valueTimes(cache, station.id, variable, mode, window);
    values += timesMs.length;
    const found = explainGaps({
      range: window,
      mode,
      coverage,
      timesMs,
      epochSeconds: stepSeconds,
      historicDataFromMs: station.historicDataFromMs,
      dataLastUpdatedMs: station.dataLastUpdatedMs,
      isForbidden: false,
      failed: [],
      raw: rawCoverage && {
        coverage: rawCoverage,
        timesMs: rawCoverage.final.length > 0 ? valueTimes(cache, station.id, variable, rawMode, window) : NOTHING,
      },
    });
    for (const gap of found) {
      // A gap that goes on across the border of two windows is one.
      if (last && last.cause === gap.cause && last.range.endMs === gap.range.startMs) {
        last = { cause: gap.cause, range: { startMs: last.range.startMs, endMs: gap.range.endMs } };
      } else {
        if (last) close(last);
        last = gap;
      }
    }
  }
  if (last) close(last);

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

const NOTHING = new Float64Array(0);

function updateSeconds(variable: Variable, station: CatalogueStation): number {
  const info = variableInfo(variable);
  return station.sourceType === "stream_gnss"
    ? info.streamSeconds
    : info.standardSeconds > 30
      ? info.standardSeconds
      : 0;
}

/** Times of the rows that have a value of the variable. */
function valueTimes(
  cache: CacheReader,
  stationId: string,
  variable: Variable,
  mode: SeriesMode,
  range: TimeRange,
): Float64Array {
  const parts = [...cache.times({ stationId, variables: [variable], range, ...mode }, "values")];
  const times = new Float64Array(parts.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of parts) {
    times.set(part, at);
    at += part.length;
  }
  return times;
}
