import type { DataSource } from "#formats/source.ts";
import { type Sidecar, sidecarText, type SidecarSeries } from "#formats/sidecar.ts";
import { withImpliedVariables, type Variable } from "#shared/service/variables.ts";
import { percent } from "#shared/series/statistics.ts";
import { zoneOf } from "#shared/time/intervals.ts";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { totalMs, intersect, rangeSet } from "#shared/time/rangeset.ts";
import type { CacheReader } from "../store/index.ts";
import type { Verdict } from "#shared/job/verdict.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { cachedVerdicts } from "../sync/verdicts.ts";
import { PROGRAM } from "../program.ts";
import { fileStation } from "./source.ts";
import type { ExportRequest } from "#shared/file/export.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import { countFrom, type Runs } from "#shared/time/runs.ts";
import { walkGaps } from "../analysis/gaps.ts";
import { stepSeconds } from "../analysis/requestedTimes.ts";
import type { Gap, GapCause } from "#shared/series/gap.ts";
import { epochSource } from "../sync/cadence.ts";
import { gapsBeforeRaw } from "../sync/rawAnswers.ts";

/** Maximum number of gaps that are listed for a series; counts and sums always include all. */
const MAX_GAPS = 1_000;

/** Describes a series of the cache: its values, its coverage and its gaps with their causes. */
function describeSeries(
  cache: CacheReader,
  request: Pick<ExportRequest, "range" | "intervalSeconds" | "raw" | "resampled">,
  station: CatalogueStation,
  variable: Variable,
): SidecarSeries {
  const { range, raw } = request;
  // Local averages are as complete as the native rows.
  const mode: SeriesMode = { raw, intervalSeconds: request.resampled ? null : request.intervalSeconds };
  const coverage = cache.coverage(station.id, variable, mode);
  const rawMode = { ...mode, raw: true };
  const rawCoverage = raw ? null : cache.coverage(station.id, variable, rawMode);
  const isRawKnown = rawCoverage !== null && rawCoverage.final.length > 0;
  const newer = gapsBeforeRaw(cache, { stationId: station.id, variable, ...mode });
  const gaps: Gap[] = [];
  const gapSecondsByCause: Partial<Record<GapCause, number>> = {};
  let gapCount = 0;
  const timesOf = (part: TimeRange, selected: SeriesMode): Runs =>
    // Each part is read once: keeping all would only fill memory.
    cache.valueTimes({ stationId: station.id, variables: [variable], range: part, ...selected }, false);
  let values = 0;
  let countedUntilMs = range.startMs;
  const walk = walkGaps({
    range,
    mode,
    coverage,
    epochSeconds: stepSeconds(epochSource(cache, station), variable, null),
    historicDataFromMs: station.historicDataFromMs,
    hasNeverSent: station.hasNeverSent,
    isForbidden: false,
    failed: [],
    timesIn(part) {
      // Windows of the walk overlap a little: count each value once.
      const times = timesOf(part, mode);
      values += countFrom(times, countedUntilMs);
      countedUntilMs = part.endMs;
      return times;
    },
    raw: isRawKnown ? { coverage: rawCoverage, timesIn: (part) => timesOf(part, rawMode), newer } : null,
  });
  for (const gap of walk) {
    gapCount++;
    gapSecondsByCause[gap.cause] = (gapSecondsByCause[gap.cause] ?? 0) + durationMs(gap.range) / 1000;
    if (gaps.length < MAX_GAPS) gaps.push(gap);
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

/** The description of an export, for its sidecar and its files. */
export interface ExportDescription extends DataSource {
  /** Names of the stations' networks. */
  readonly institution: string;
  readonly createdAtMs: number;
  readonly coverageSentence: string;
  /** Of the files. */
  readonly stationCount: number;
  /** Includes stations that are not in the catalogue. */
  readonly stationIdsWithoutValues: readonly string[];
  /** Returns the text of the sidecar, given what is known of the files after they are written. */
  text(written: Pick<Sidecar, "run" | "files" | "howToOpen" | "satelliteProblems">): string;
}

const NOT_IN_CATALOGUE = "The station is not in the catalogue of this connection.";

interface Selected {
  readonly stations: readonly CatalogueStation[];
  /** Selected stations that are not in the catalogue. */
  readonly unknownStationIds: readonly string[];
}

/** Maximum number of networks that are named; of further ones only the number is given. */
const MAX_NETWORKS = 5;

export function describeExport(
  cache: CacheReader,
  request: ExportRequest,
  { stations, unknownStationIds }: Selected,
  source: DataSource,
): ExportDescription {
  const createdAtMs = Date.now();
  const variables = withImpliedVariables(request.variables);
  const described = stations.map((station) => {
    const series = variables.map((v) => describeSeries(cache, request, station, v));
    const { id, displayName, latitudeDeg, longitudeDeg, height, heightReference } = fileStation(
      station,
      request.heightReference,
    );
    return { id, displayName, latitudeDeg, longitudeDeg, height, heightReference, series };
  });
  const hasValues = (s: (typeof described)[number]): boolean => s.series.some((v) => v.values > 0);
  const all = described.flatMap((s) => s.series);
  const share = (ms: number): string => percent(ms / Math.max(1, all.length * durationMs(request.range)));
  const settled = share(all.reduce((sum, s) => sum + totalMs(s.final), 0));
  const unsettled = share(all.reduce((sum, s) => sum + totalMs(s.provisional), 0));
  const withValues = described.filter(hasValues).length;
  const stationIds = stations.map((s) => s.id);
  const native = { ...request, stationIds, intervalSeconds: request.resampled ? null : request.intervalSeconds };
  const { range } = request;
  const unknown = unknownStationIds.flatMap((stationId) =>
    variables.map((variable): Verdict => ({
      stationId,
      variable,
      range,
      state: "notRequested",
      rows: 0,
      reason: NOT_IN_CATALOGUE,
    })),
  );
  const sidecar: Omit<Sidecar, "files" | "run"> = {
    createdAtMs,
    versions: { program: PROGRAM },
    ...source,
    query: {
      stationIds: request.stationIds,
      variables,
      range: request.range,
      intervalSeconds: request.intervalSeconds,
      zone: zoneOf(request),
      raw: request.raw,
    },
    stations: described.map((s) => ({ ...s, rows: Math.max(0, ...s.series.map((v) => v.values)) })),
    verdicts: [...cachedVerdicts(cache, native), ...unknown],
    ...(unknownStationIds.length > 0 ? { unknownStationIds } : {}),
  };
  const codes = new Set(stations.map((s) => s.networkCode));
  const networks = cache.catalogue().networks.filter((n) => codes.has(n.code));
  const named = networks.slice(0, MAX_NETWORKS).map((n) => n.name || n.code);
  const more = networks.length > MAX_NETWORKS ? [`${networks.length - MAX_NETWORKS} more networks`] : [];
  return {
    ...source,
    institution: `${[...named, ...more].join("; ") || "unknown"}${source.isSimulated ? " (simulated)" : ""}`,
    createdAtMs,
    coverageSentence: `${settled} of the range is final, ${unsettled} has missing data that may still arrive; ${withValues} of ${stations.length + unknownStationIds.length} stations have values.`,
    stationCount: stations.length,
    stationIdsWithoutValues: [...described.filter((s) => !hasValues(s)).map((s) => s.id), ...unknownStationIds],
    text: (written) => sidecarText({ ...sidecar, ...written }),
  };
}
