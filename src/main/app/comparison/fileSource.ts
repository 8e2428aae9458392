import type { GridMethod, Site } from "#shared/comparison.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import { type FileGrid, type FileSeries, type GridPoint, hPaFactor, type OpenedFile } from "#shared/file/opened.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { Position } from "#shared/station/position.ts";
import type { ScalarVariable } from "#shared/service/variables.ts";
import type { ValueRows } from "../../analysis/compare/series.ts";
import { derivedPwv, type Pressure } from "./derivedPwv.ts";
import { cellLengthMs, fileRowsWithin, gridSource, rangeOfCells, type Source } from "./sources.ts";

export interface FileContent {
  readonly name: string;
  readonly description: Pick<OpenedFile, "title" | "source" | "notes">;
  readonly series: readonly FileSeries[];
  readonly grids: readonly FileGrid[];
  read(seriesId: string): Promise<Result<ValueRows, AppFault>>;
  /** Rows at points of a grid, in their order, with a value or NaN at the same epochs. */
  readPoints(gridId: string, points: readonly GridPoint[]): Promise<Result<readonly ValueRows[], AppFault>>;
}

/** The compared values of a file: the variable, or the ZTD that its PWV is derived from. */
export interface ComparisonSide {
  readonly isGridded: boolean;
  /** Those of its sites, as far as they are known before it is read. */
  readonly positions: readonly (Position | null)[];
  /**
   * @param others sites to interpolate a grid to; without them, its own points are the sites
   * @param positions of both sides, to convert heights between their references
   */
  source(others: readonly Site[] | null, positions: readonly (Position | null)[]): Result<Source, AppFault>;
}

interface SideOptions {
  readonly variable: ScalarVariable;
  /** Used to derive PWV from ZTD if a file has no PWV. */
  readonly pressure: Pressure | null;
  readonly grid: GridMethod;
}

export function fileSide(content: FileContent, { variable, pressure, grid }: SideOptions): ComparisonSide {
  const holds = (wanted: ScalarVariable): boolean => content.series.some((s) => factorOf(wanted)(s) !== null);
  const derivesWith = !holds(variable) && variable === "pwv" && holds("ztd") ? pressure : null;
  const read = factorOf(derivesWith ? "ztd" : variable);
  return {
    isGridded: content.grids.some((each) => read(each) !== null),
    positions: content.series.map(({ position }) => position),
    source(others, positions) {
      const own = sourceIn(content, read, others && { sites: others, method: grid });
      if (!derivesWith || !own.ok) return own;
      const derived = derivedPwv(own.value, derivesWith, positions);
      if (!derived.ok || derived.value.sites.length > 0) return derived;
      return usageFailure(
        `PWV cannot be derived from the ZTD of ${content.name}: no site has a pressure and a height above the geoid. ` +
          "Heights above the ellipsoid are converted if a station of the other source within 20 km has both heights.",
      );
    },
  };
}

/** A side with sites of its own, such as a cache. */
export function fixedSide(source: Source): ComparisonSide {
  return {
    isGridded: false,
    positions: source.sites.map(({ position }) => position),
    source: () => success(source),
  };
}

export interface Sources {
  readonly a: Source;
  readonly b: Source;
}

/** The sources of both sides; a grid is interpolated to the sites of the other side. */
export function sourcesOfSides(sideA: ComparisonSide, sideB: ComparisonSide): Result<Sources, AppFault> {
  const isBFirst = sideA.isGridded && !sideB.isGridded;
  const [first, second] = isBFirst ? [sideB, sideA] : [sideA, sideB];
  const positions = [...sideA.positions, ...sideB.positions];
  const one = first.source(null, positions);
  if (!one.ok) return one;
  const other = second.source(one.value.sites, positions);
  if (!other.ok) return other;
  return success(isBFirst ? { a: other.value, b: one.value } : { a: one.value, b: other.value });
}

/** The pressures in a file, in hPa; null without any. */
export function filePressure(content: FileContent, grid: GridMethod): Pressure | null {
  if (!content.series.some((s) => factorToHpa(s) !== null)) return null;
  const sourceAt = (sites: readonly Site[]) => sourceIn(content, factorToHpa, { sites, method: grid });
  return { kind: "series", name: content.name, sourceAt };
}

type Quantified = Pick<FileSeries, "quantity">;
/** Factor that values are multiplied by; null: they are not part of the source. */
type FactorOf = (series: Quantified) => number | null;

function factorToHpa({ quantity }: Quantified): number | null {
  return hPaFactor(quantity);
}

function factorOf(variable: ScalarVariable): FactorOf {
  return ({ quantity }) => (quantity.variable === variable ? 1 : null);
}

function sourceIn(
  content: FileContent,
  factorOfEach: FactorOf,
  at: { readonly sites: readonly Site[]; readonly method: GridMethod } | null,
): Result<Source, AppFault> {
  const grid = at && content.grids.find((each) => factorOfEach(each) !== null);
  if (!grid) return success(sourceOfSeries(content, factorOfEach));
  const source = gridSource(
    {
      name: content.name,
      details: detailsOf(content, [grid]),
      grid,
      factor: factorOfEach(grid) ?? 1,
      read: (points) => content.readPoints(grid.id, points),
    },
    at.sites,
    at.method,
  );
  if (source.sites.length > 0) return success(source);
  return usageFailure(`No site of the other source lies within the grid of ${content.name}.`);
}

function sourceOfSeries(content: FileContent, factorOfEach: FactorOf): Source {
  const { name, series, read } = content;
  const factors = new Map(series.flatMap((s) => (s.satellite === null ? [[s.id, factorOfEach(s)] as const] : [])));
  const own = series.filter((s) => typeof factors.get(s.id) === "number");
  const ranges = own.flatMap(({ range, cell = null }) => (range === null ? [] : [rangeOfCells(range, cell)]));
  const cells = new Map(own.map(({ id, cell = null }) => [id, cell]));
  return {
    name,
    details: detailsOf(content, own),
    method: [],
    sites: own.map((s) => ({
      id: s.id,
      label: s.label,
      stationId: s.stationId,
      domes: s.domes ?? null,
      position: s.position,
    })),
    range:
      ranges.length === 0
        ? null
        : {
            startMs: Math.min(...ranges.map((r) => r.startMs)),
            endMs: Math.max(...ranges.map((r) => r.endMs)),
          },
    cellMs: (siteId) => cellLengthMs(cells.get(siteId) ?? null),
    async rows(siteId, range) {
      const rows = await read(siteId);
      const form = { cell: cells.get(siteId) ?? null, factor: factors.get(siteId) ?? 1 };
      return rows.ok ? success(fileRowsWithin(rows.value, range, form)) : rows;
    },
  };
}

function detailsOf({ description: { title, source, notes } }: FileContent, used: readonly Quantified[]): string[] {
  return [
    ...(title === null ? [] : [`Title: ${title}`]),
    ...(source === null ? [] : [`Source: ${source}`]),
    ...new Set(used.flatMap((s) => (s.quantity.conversion === null ? [] : [`Values: ${s.quantity.conversion}`]))),
    ...notes,
  ];
}
