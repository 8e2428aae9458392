import type { FileProvenance, FileStation, SeriesFileSource } from "#formats/source.ts";
import { defined } from "#shared/defined.ts";
import { usageFailure } from "#shared/fault.ts";
import { siteCodes } from "#formats/siteCode.ts";
import type { ExportRequest } from "#shared/file/export.ts";
import type { ExportFormat } from "#shared/file/formats.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import { blockOfTexts } from "#shared/series/satelliteBlock.ts";
import {
  type Catalogue,
  type CatalogueStation,
  type HeightReference,
  type KnownStation,
  knownStations,
} from "#shared/service/catalogue.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { innerIntervals, meanIntervals, outerIntervals, zoneOf } from "#shared/time/intervals.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { includes, intersect, type RangeSet, rangeSet } from "#shared/time/rangeset.ts";
import { type Runs, runsOf, unionRuns } from "#shared/time/runs.ts";
import { answeredTime } from "../analysis/requestedTimes.ts";
import { resample } from "../analysis/resample.ts";
import type { CacheReader } from "../store/index.ts";
import { rowsWithValues } from "./valueRows.ts";

/** Whole intervals, and the variables that have means in all of them. */
interface WholePart {
  readonly range: TimeRange;
  readonly variables: readonly Variable[];
}

/** Means of native rows. */
interface Means {
  readonly range: TimeRange;
  readonly intervalSeconds: number;
  readonly raw: boolean;
  /** Averages over the days of this time zone instead. */
  readonly zone?: string | undefined;
}

/**
 * Returns the intervals of a range whose native rows of a variable are completely covered. Only these have a mean: that
 * of a part must not pass for the whole. Before its first observation, a station counts as covered.
 */
export function wholeIntervals(
  cache: CacheReader,
  station: CatalogueStation,
  variable: Variable,
  { range, intervalSeconds, raw, zone }: Means,
): RangeSet {
  const intervals = meanIntervals(intervalSeconds, zone);
  const whole = outerIntervals(range, intervals);
  const beforeHistory = { startMs: whole.startMs, endMs: station.historicDataFromMs ?? whole.startMs };
  const coverage = cache.coverage(station.id, variable, { intervalSeconds: null, raw });
  const known = rangeSet([beforeHistory, ...answeredTime(coverage)]);
  return rangeSet(intersect([whole], known).map((r) => innerIntervals(r, intervals)));
}

/**
 * Divides a range into parts, in order of time, by the variables whose intervals are completely covered. A mean depends
 * on the values of its own variable alone, so missing data of one variable must not remove the means of the others.
 * Intervals without any are left out.
 */
export function wholeParts(
  cache: CacheReader,
  station: CatalogueStation,
  variables: readonly Variable[],
  means: Means,
): WholePart[] {
  const covered = variables.map((variable) => [variable, wholeIntervals(cache, station, variable, means)] as const);
  const ends = new Set(covered.flatMap(([, set]) => set.flatMap(({ startMs, endMs }) => [startMs, endMs])));
  const cuts = Float64Array.from(ends).toSorted();
  const parts: WholePart[] = [];
  for (const [i, endMs] of cuts.subarray(1).entries()) {
    const startMs = cuts[i] ?? endMs;
    const present = covered.flatMap(([variable, set]) => (includes(set, startMs) ? [variable] : []));
    if (present.length > 0) parts.push({ range: { startMs, endMs }, variables: present });
  }
  return parts;
}

/** The stations of a selection, each once. */
interface SplitStations {
  /** In the catalogue, or formerly so with cached data; in the order of the selection. */
  readonly stations: readonly KnownStation[];
  /** All others: the service removed them, and nothing of them is cached. */
  readonly unknownIds: readonly string[];
}

/**
 * Separates stations that the catalogue no longer has. Saved exports and schedules keep their stations for years, and
 * one that the service removes must not prevent the files of the others.
 */
export function splitStations(catalogue: Catalogue, stationIds: readonly string[]): SplitStations {
  const known = new Map(knownStations(catalogue).map((s) => [s.id, s]));
  const distinct = [...new Set(stationIds)];
  return {
    stations: distinct.flatMap((id) => known.get(id) ?? []),
    unknownIds: distinct.filter((id) => !known.has(id)),
  };
}

/** The fault of a selection of which no station is known. */
export const NO_KNOWN_STATION = usageFailure(
  "None of the stations is in the catalogue of this connection, so no file was written.",
);

/** The contents of an export by kind of variable; at least one is not null. */
export interface ExportSources {
  readonly series: SeriesFileSource | null;
  readonly satellites: SeriesFileSource | null;
}

type Selection = Pick<ExportRequest, "intervalSeconds" | "raw" | "range" | "resampled" | "variables" | "zone">;

/**
 * Yields rows of one station of the cache. If the selection is `resampled`, they are averages of native rows, of each
 * variable for its whole covered intervals only (see `wholeParts`).
 */
export function* readBlocks(
  cache: CacheReader,
  selection: Selection,
  station: CatalogueStation,
  native: CacheReader["blocks"] = cache.blocks,
): IterableIterator<SeriesRows> {
  const { variables, raw, intervalSeconds, range, zone } = selection;
  const stationId = station.id;
  if (!selection.resampled || intervalSeconds === null) {
    yield* native({ stationId, variables, raw, range, intervalSeconds });
    return;
  }
  for (const part of wholeParts(cache, station, variables, { range, intervalSeconds, raw, zone })) {
    const observed = cache.reusedBlocks({ ...part, stationId, raw, intervalSeconds: null });
    yield* resample(observed, { variables, range: part.range, intervalSeconds, zone });
  }
}

/** Returns the stations of a request in its order; a station that is no longer known has its identifier alone. */
export function listedStations(
  known: readonly CatalogueStation[],
  { stationIds, heightReference }: Pick<ExportRequest, "stationIds" | "heightReference">,
): CatalogueStation[] {
  const byId = new Map(known.map((station) => [station.id, station]));
  return [...new Set(stationIds)].map((id) => byId.get(id) ?? { ...UNKNOWN_STATION, id, heightReference });
}

const UNKNOWN_STATION = {
  displayName: "",
  mountpoint: null,
  sourceType: "",
  hasNeverSent: false,
  historicDataFromMs: null,
  resolutionSeconds: 0,
  locationAlias: "",
  countryCode: "",
  latitudeDeg: null,
  longitudeDeg: null,
  height: null,
  ellipsoidalHeight: null,
  orthometricHeight: null,
  dataLastUpdatedMs: null,
  networkId: "",
  networkCode: "",
  createdAtMs: null,
  updatedAtMs: null,
};

/** Formats that name stations by codes. */
const CODED_FORMATS: ReadonlySet<ExportFormat> = new Set(["sinex", "cost"]);

/** After every date. */
const NEVER_MS = Number.MAX_SAFE_INTEGER;

/** Returns the code of each station that the connection knows. A new station never changes that of an older one. */
function connectionCodes(catalogue: Catalogue): ReadonlyMap<string, string> {
  const known = knownStations(catalogue).toSorted(
    (a, b) => (a.createdAtMs ?? NEVER_MS) - (b.createdAtMs ?? NEVER_MS) || (a.id < b.id ? -1 : 1),
  );
  return siteCodes(known.map((s) => s.id));
}

/** The part of an export that becomes one file: stations, and variables of one kind. */
export interface ExportPart {
  readonly cache: CacheReader;
  readonly request: Omit<ExportRequest, "path">;
  readonly stations: readonly CatalogueStation[];
  readonly variables: readonly Variable[];
}

/** Times of one station are joined in parts of this length, so that irregular ones need little memory. */
const PART_MS = 64 * DAY_MS;

/**
 * Returns a selection of the cache as the contents of a file: the rows in which one of the variables has a value, or all
 * that the service sent (`emptyRows`). What else is cached makes no difference.
 */
export function cacheSource(
  { cache, request, stations, variables }: ExportPart,
  provenance: FileProvenance,
): SeriesFileSource {
  const stationAt = (index: number): CatalogueStation => defined(stations[index]);
  const codes = CODED_FORMATS.has(request.format) ? connectionCodes(cache.catalogue()) : null;
  const keepsEmptyRows = request.emptyRows === true || variables.some((v) => variableKind(v) === "satellite");
  const blocks = (index: number): IterableIterator<SeriesRows> => {
    const all = readBlocks(cache, { ...request, variables }, stationAt(index), cache.reusedBlocks);
    return keepsEmptyRows ? all : rowsWithValues(all);
  };
  return {
    stations: stations.map((s) => ({ ...fileStation(s, request.heightReference), siteCode: codes?.get(s.id) })),
    variables,
    range: request.range,
    intervalSeconds: request.intervalSeconds,
    zone: zoneOf(request),
    raw: request.raw,
    resampled: request.resampled,
    provenance,
    blocks,
    *times(index) {
      const stationId = stationAt(index).id;
      if (request.resampled) for (const rows of blocks(index)) yield runsOf(rows.timesMs);
      else if (keepsEmptyRows) yield* cache.times({ ...request, stationId, variables });
      else {
        for (let { startMs } = request.range; startMs < request.range.endMs; startMs += PART_MS) {
          const range = { startMs, endMs: Math.min(startMs + PART_MS, request.range.endMs) };
          const ofVariable = (variable: Variable): Runs =>
            cache.valueTimes({ ...request, stationId, variables: [variable], range }, false);
          yield variables.map(ofVariable).reduce((a, b) => defined(unionRuns(a, b, Number.POSITIVE_INFINITY)));
        }
      }
    },
    *satellites(index) {
      if (request.resampled)
        for (const rows of readBlocks(cache, { ...request, variables }, stationAt(index))) yield blockOfTexts(rows);
      else yield* cache.satellites({ ...request, stationId: stationAt(index).id, variables });
    },
  };
}

/** Returns the metadata of a station in files. */
export function fileStation(station: CatalogueStation, heightReference: HeightReference): FileStation {
  const { id, displayName, networkCode, countryCode, locationAlias, sourceType, latitudeDeg, longitudeDeg } = station;
  const height = heightReference === "EGM2008" ? station.orthometricHeight : station.ellipsoidalHeight;
  return {
    id,
    displayName,
    networkCode,
    countryCode,
    locationAlias,
    sourceType,
    latitudeDeg,
    longitudeDeg,
    height,
    heightReference,
    heights: { ellipsoidal: station.ellipsoidalHeight, orthometric: station.orthometricHeight },
  };
}
