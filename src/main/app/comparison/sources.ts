import type { GridMethod, Site } from "#shared/comparison.ts";
import type { AppFault } from "#shared/fault.ts";
import type { FileGrid, GridPoint } from "#shared/file/opened.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import { type Cell, timeAfterStartMs } from "#shared/series/cell.ts";
import { heightsOf } from "#shared/station/position.ts";
import { type CatalogueStation, stationLabel } from "#shared/service/catalogue.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { ScalarVariable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { rowsIn, type ValueRows, withValues } from "../../analysis/compare/series.ts";
import { RowCollector } from "../reading/rowCollector.ts";
import { type Place, gridPlace, pointsAt, type WeightedPoint } from "../../analysis/collocation/grid.ts";

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
  /**
   * What the values of a site stand for: 0 moments, else means over so many milliseconds, of which the time of a row is the
   * start; null: unknown.
   */
  cellMs(siteId: string): number | null;
  /** Rows with a value, in time order; in mm, except pressures. Those of means, if their intervals begin in the range. */
  rows(siteId: string, range: TimeRange): Promise<Result<ValueRows, AppFault>>;
}

interface CachedRows {
  readonly name: string;
  readonly details: readonly string[];
  readonly stations: readonly CatalogueStation[];
  readonly variable: ScalarVariable;
  /** null: observations. */
  readonly intervalSeconds: number | null;
  /** Blocks of a station in time order. */
  read(stationId: string, range: TimeRange): Iterable<SeriesRows>;
}

export function cacheSource({ name, details, stations, variable, intervalSeconds, read }: CachedRows): Source {
  return {
    name,
    details,
    method: [],
    sites: stations.map(siteOfStation),
    range: null,
    cellMs: () => (intervalSeconds ?? 0) * 1_000,
    rows: (siteId, range) => Promise.resolve(success(joinedRows(read(siteId, range), variable))),
  };
}

function siteOfStation(station: CatalogueStation): Site {
  const { id, latitudeDeg, longitudeDeg, ellipsoidalHeight, orthometricHeight } = station;
  const heights = heightsOf({ ellipsoid: ellipsoidalHeight, geoid: orthometricHeight });
  const position = latitudeDeg === null || longitudeDeg === null ? null : { latitudeDeg, longitudeDeg, heights };
  return { id, label: stationLabel(station), stationId: id, domes: null, position };
}

function joinedRows(blocks: Iterable<SeriesRows>, variable: ScalarVariable): ValueRows {
  const collector = new RowCollector(variable, 0);
  for (const rows of blocks) collector.add(rows);
  return collector.finish();
}

/** Rows of a file as those of a source: the time of a mean is the start of its interval. */
export function fileRowsWithin(
  rows: ValueRows,
  range: TimeRange,
  { cell, factor }: { readonly cell: Cell | null; readonly factor: number },
): ValueRows {
  const afterMs = timeAfterStartMs(cell);
  const starts = afterMs === 0 ? rows : { ...rows, timesMs: rows.timesMs.map((timeMs) => timeMs - afterMs) };
  const { timesMs, values } = rowsIn(starts, range);
  return withValues(timesMs, factor === 1 ? values : values.map((value) => value * factor));
}

/** @param cell null: unknown */
export function cellLengthMs(cell: Cell | null): number | null {
  if (cell === null) return null;
  return cell.kind === "point" ? 0 : cell.lengthMs;
}

/** The time of all cells of a series, from the range of its times; in whole seconds, which are easier to read. */
export function rangeOfCells({ startMs, endMs }: TimeRange, cell: Cell | null): TimeRange {
  const afterMs = timeAfterStartMs(cell);
  const lastMs = Math.ceil(endMs / 1_000) * 1_000 - afterMs;
  return {
    startMs: startMs - afterMs,
    endMs: cell?.kind === "interval" ? endMs - 1 - afterMs + cell.lengthMs : lastMs,
  };
}

interface ReadGrid {
  readonly name: string;
  readonly details: readonly string[];
  readonly grid: FileGrid;
  /** Factor that values are multiplied by. */
  readonly factor: number;
  read(points: readonly GridPoint[]): Promise<Result<readonly ValueRows[], AppFault>>;
}

const METHOD_SENTENCES: Readonly<Record<GridMethod, string>> = {
  bilinear:
    "Values of the grid were interpolated to each site, linearly in latitude and in longitude, from the four grid points around it; a site has no value while one of them has none.",
  nearest: "Values of the grid are those of the grid point nearest to each site.",
};

/** A grid, interpolated to the sites of another source. Sites outside the grid are left out. */
export function gridSource(
  { name, details, grid, factor, read }: ReadGrid,
  others: readonly Site[],
  method: GridMethod,
): Source {
  const weights = new Map<string, readonly WeightedPoint[]>();
  const sites = others.flatMap((other): Site[] => {
    const points = other.position && pointsAt(grid, other.position, method);
    if (!other.position || !points) return [];
    const id = `grid ${other.id}`;
    weights.set(id, points);
    const [point] = points;
    const { latitudeDeg, longitudeDeg } = method === "nearest" && point ? gridPlace(grid, point) : other.position;
    const position = { latitudeDeg, longitudeDeg, heights: [] };
    return [{ id, label: formatPosition({ latitudeDeg, longitudeDeg }), stationId: null, domes: null, position }];
  });
  const { cell = null } = grid;
  return {
    name,
    details,
    method: [`${name} is a grid of ${formatResolution(grid)}. ${METHOD_SENTENCES[method]}`],
    sites,
    range: grid.range && rangeOfCells(grid.range, cell),
    cellMs: () => cellLengthMs(cell),
    async rows(siteId, range) {
      const points = weights.get(siteId) ?? [];
      const rows = await read(points);
      return rows.ok ? success(fileRowsWithin(weightedSum(rows.value, points), range, { cell, factor })) : rows;
    },
  };
}

function weightedSum(rows: readonly ValueRows[], points: readonly WeightedPoint[]): ValueRows {
  const timesMs = rows[0]?.timesMs ?? new Float64Array(0);
  const values = new Float64Array(timesMs.length);
  for (const [k, { weight }] of points.entries())
    rows[k]?.values.forEach((value, i) => {
      values[i] = (values[i] ?? 0) + weight * value;
    });
  return { timesMs, values };
}

function formatPosition({ latitudeDeg, longitudeDeg }: Place): string {
  const [north, east] = [latitudeDeg < 0 ? "S" : "N", longitudeDeg < 0 ? "W" : "E"];
  return `${Math.abs(latitudeDeg).toFixed(3)}° ${north} ${Math.abs(longitudeDeg).toFixed(3)}° ${east}`;
}

function formatResolution({ latitudesDeg, longitudesDeg }: FileGrid): string {
  return `${stepText(latitudesDeg)} × ${stepText(longitudesDeg)} (latitude × longitude)`;
}

function stepText(axis: readonly number[]): string {
  const step = Math.abs((axis.at(-1) ?? 0) - (axis[0] ?? 0)) / (axis.length - 1);
  return `${Number(step.toFixed(3))}°`;
}
