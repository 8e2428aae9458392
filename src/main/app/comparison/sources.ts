import type { Site } from "#shared/comparison.ts";
import type { AppFault } from "#shared/fault.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import { type CatalogueStation, stationLabel } from "#shared/service/catalogue.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { ScalarVariable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { lowerBound } from "#shared/time/search.ts";
import { type ValueRows, withValues } from "../../analysis/collocation/epochs.ts";

/** Sites with rows of one variable: stations of a cache, series of a file, or places in a grid. */
export interface Source {
  readonly name: string;
  /** Sentences for the report. */
  readonly details: readonly string[];
  /** How its values were computed, in sentences. */
  readonly method: readonly string[];
  readonly sites: readonly Site[];
  /** From the first row to just after the last; null if unknown before reading. */
  readonly range: TimeRange | null;
  /** Rows with a value, in time order; in mm, except pressures. */
  rows(siteId: string, range: TimeRange): Promise<Result<ValueRows, AppFault>>;
}

interface CachedRows {
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
    method: [],
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

/** The rows of a range that have a value, multiplied by a factor. */
export function rowsWithin({ timesMs, values }: ValueRows, { startMs, endMs }: TimeRange, factor: number): ValueRows {
  const [from, to] = [lowerBound(timesMs, startMs), lowerBound(timesMs, endMs)];
  const within = values.subarray(from, to);
  return withValues(timesMs.subarray(from, to), factor === 1 ? within : within.map((value) => value * factor));
}
