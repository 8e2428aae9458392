import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { HeightReference } from "#shared/service/catalogue.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { commonRows } from "../../../analysis/compare/join.ts";
import {
  BATCH_ROWS,
  type ComparedSeries,
  eachStretch,
  inBatches,
  type Joined,
} from "../../../analysis/compare/series.ts";
import { decimate, PixelColumns } from "../../../analysis/decimate.ts";
import type { CacheReader } from "../../../store/index.ts";

/**
 * Heights of stations in the wanted reference, or in the other one if more of them have it.
 * References are never mixed, because they differ by tens of metres.
 */
export function heightsOf(
  cache: Pick<CacheReader, "station">,
  stationIds: readonly string[],
  wanted: HeightReference,
): { readonly byId: ReadonlyMap<string, number>; readonly reference: HeightReference } {
  const geoid = new Map<string, number>();
  const ellipsoid = new Map<string, number>();
  for (const id of stationIds) {
    const station = cache.station(id);
    if (typeof station?.orthometricHeight === "number") geoid.set(id, station.orthometricHeight);
    if (typeof station?.ellipsoidalHeight === "number") ellipsoid.set(id, station.ellipsoidalHeight);
  }
  const isGeoid = geoid.size === ellipsoid.size ? wanted === "EGM2008" : geoid.size > ellipsoid.size;
  return isGeoid ? { byId: geoid, reference: "EGM2008" } : { byId: ellipsoid, reference: "WGS84_ELLIPSOID" };
}

interface Drawing {
  readonly range: TimeRange;
  readonly columns: number;
}

/** Computed values for a plot: as rows if each has a pixel, else as pixel columns. */
export function drawn(
  { stationId, variable }: { readonly stationId: string; readonly variable: Variable },
  { timesMs, values }: { readonly timesMs: Float64Array; readonly values: Float64Array },
  { range, columns }: Drawing,
): SeriesWindow {
  if (timesMs.length <= 2 * columns)
    return { kind: "rows", stationId, range, timesMs: timesMs.slice(), values: { [variable]: values.slice() } };
  const variables = { [variable]: decimate(timesMs, values, range, columns) };
  return { kind: "columns", stationId, range, columns, variables };
}

/** The differences A − B, as a series of A. */
export function drawnDifference(
  a: ComparedSeries,
  b: ComparedSeries,
  joined: Joined,
  { range, columns, variable }: Drawing & { readonly variable: Variable },
): SeriesWindow {
  const { stationId } = a;
  if (joined.n <= 2 * columns) {
    const rows = commonRows(a, b, joined);
    const values = new Float64Array(joined.n);
    subtract(rows.a, rows.b, values);
    return { kind: "rows", stationId, range, timesMs: rows.timesMs, values: { [variable]: values } };
  }
  const pixels = new PixelColumns(range, columns);
  const { stretches, epochsOf } = joined;
  const timesMs = epochsOf === "a" ? a.timesMs : b.timesMs;
  const differences = new Float64Array(BATCH_ROWS);
  eachStretch(stretches, (ofA, ofB, length) => {
    inBatches(length, ({ from, to }) => {
      subtract(a.values.subarray(ofA + from, ofA + to), b.values.subarray(ofB + from, ofB + to), differences);
      const first = (epochsOf === "a" ? ofA : ofB) + from;
      pixels.add(timesMs.subarray(first, first + to - from), differences);
    });
  });
  return { kind: "columns", stationId, range, columns, variables: { [variable]: pixels.finish() } };
}

function subtract(a: Float64Array, b: Float64Array, differences: Float64Array): void {
  for (let i = 0; i < a.length; i++) differences[i] = a[i]! - b[i]!;
}
