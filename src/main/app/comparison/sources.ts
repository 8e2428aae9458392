import type { Site, SitePosition } from "#shared/comparison.ts";
import type { AppFault } from "#shared/fault.ts";
import type { FilePosition, FileSeries, OpenedFile } from "#shared/file/opened.ts";
import { hPaFactor } from "#shared/file/pressure.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import { type CatalogueStation, stationLabel } from "#shared/service/catalogue.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { ScalarVariable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { lowerBound } from "#shared/time/search.ts";
import { type ValueRows, withValues } from "../../analysis/collocation/epochs.ts";

/** Sites with rows of one variable: stations of a cache, or series of a file. */
export interface Source {
  readonly name: string;
  /** Sentences for the report. */
  readonly details: readonly string[];
  readonly sites: readonly Site[];
  /** From the first row to after the last; null if that is unknown without reading. */
  readonly range: TimeRange | null;
  /** Rows with a value, in time order; mm, but for pressures. */
  rows(siteId: string, range: TimeRange): Promise<Result<ValueRows, AppFault>>;
}

export interface CachedRows {
  readonly name: string;
  readonly details: readonly string[];
  readonly stations: readonly CatalogueStation[];
  readonly variable: ScalarVariable;
  /** Blocks of a station in time order. */
  read(stationId: string, range: TimeRange): Iterable<SeriesRows>;
}

export function cacheSource({ name, details, stations, variable, read }: CachedRows): Source {
  return {
    name,
    details,
    sites: stations.map(siteOfStation),
    range: null,
    rows: (siteId, range) => Promise.resolve(success(joinedRows(read(siteId, range), variable))),
  };
}

function siteOfStation(station: CatalogueStation): Site {
  const { id, latitudeDeg, longitudeDeg, ellipsoidalHeight, orthometricHeight } = station;
  const position =
    latitudeDeg === null || longitudeDeg === null
      ? null
      : { latitudeDeg, longitudeDeg, ellipsoidalHeight, orthometricHeight, unreferencedHeight: null };
  return { id, label: stationLabel(station), stationId: id, domes: null, position };
}

function joinedRows(blocks: Iterable<SeriesRows>, variable: ScalarVariable): ValueRows {
  const times: number[] = [];
  const values: number[] = [];
  for (const { timesMs, columns } of blocks) {
    const column = columns[variable];
    if (column?.kind !== "scalar") continue;
    timesMs.forEach((timeMs, i) => {
      const value = column.values[i] ?? Number.NaN;
      if (!Number.isFinite(value)) return;
      times.push(timeMs);
      values.push(value);
    });
  }
  return { timesMs: Float64Array.from(times), values: Float64Array.from(values) };
}

export interface FileContent {
  readonly name: string;
  readonly description: Pick<OpenedFile, "title" | "source" | "notes">;
  readonly series: readonly FileSeries[];
  read(seriesId: string): Promise<Result<ValueRows, AppFault>>;
}

/** The series of a file that hold the variable, each of them a site. */
export function fileSource(content: FileContent, variable: ScalarVariable): Source {
  return sourceOfSeries(content, (s) => (s.quantity.variable === variable ? 1 : null));
}

/** The series of a file that hold the pressure at their sites, in hPa. */
export function pressureSource(content: FileContent): Source {
  return sourceOfSeries(content, ({ quantity }) => hPaFactor(quantity));
}

/** @param factorOf what values of a series are multiplied with; null: it is not part of the source */
function sourceOfSeries(
  { name, description, series, read }: FileContent,
  factorOf: (series: FileSeries) => number | null,
): Source {
  const factors = new Map(series.flatMap((s) => (s.satellite === null ? [[s.id, factorOf(s)] as const] : [])));
  const own = series.filter((s) => typeof factors.get(s.id) === "number");
  const ranges = own.flatMap((s) => (s.range === null ? [] : [s.range]));
  const { title, source, notes } = description;
  return {
    name,
    details: [
      ...(title === null ? [] : [`Title: ${title}`]),
      ...(source === null ? [] : [`Source: ${source}`]),
      ...new Set(own.flatMap((s) => (s.quantity.conversion === null ? [] : [`Values: ${s.quantity.conversion}`]))),
      ...notes,
    ],
    sites: own.map((s) => ({
      id: s.id,
      label: s.label,
      stationId: s.stationId,
      domes: s.domes ?? null,
      position: s.position && sitePosition(s.position),
    })),
    range:
      ranges.length === 0
        ? null
        : {
            startMs: Math.min(...ranges.map((r) => r.startMs)),
            // Just after the last epoch; whole seconds are easier to read.
            endMs: Math.ceil(Math.max(...ranges.map((r) => r.endMs)) / 1_000) * 1_000,
          },
    async rows(siteId, { startMs, endMs }) {
      const rows = await read(siteId);
      if (!rows.ok) return rows;
      const { timesMs, values } = rows.value;
      const [from, to] = [lowerBound(timesMs, startMs), lowerBound(timesMs, endMs)];
      const factor = factors.get(siteId) ?? 1;
      const within = values.subarray(from, to);
      return success(
        withValues(timesMs.subarray(from, to), factor === 1 ? within : within.map((value) => value * factor)),
      );
    },
  };
}

function sitePosition({ latitudeDeg, longitudeDeg, height, heightReference }: FilePosition): SitePosition {
  const reference = heightReference ?? "";
  const isEllipsoidal = /ellipsoid|wgs.?84/i.test(reference);
  const isOrthometric = !isEllipsoidal && /geoid|sea level|\bmsl\b|orthometric|egm/i.test(reference);
  return {
    latitudeDeg,
    longitudeDeg,
    ellipsoidalHeight: isEllipsoidal ? height : null,
    orthometricHeight: isOrthometric ? height : null,
    unreferencedHeight: isEllipsoidal || isOrthometric ? null : height,
  };
}
