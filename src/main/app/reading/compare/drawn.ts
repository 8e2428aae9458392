import type { SeriesWindow } from "#shared/bridge/series.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { decimate } from "../../../analysis/decimate.ts";

/** What is computed here, as a plot draws it: all of it where there is a pixel for each, else columns. */
export function drawn(
  stationId: string,
  variable: Variable,
  timesMs: Float64Array,
  values: Float64Array,
  { range, columns }: { readonly range: TimeRange; readonly columns: number },
): SeriesWindow {
  if (timesMs.length <= 2 * columns)
    return { kind: "rows", stationId, range, timesMs: timesMs.slice(), values: { [variable]: values.slice() } };
  const { count, min, max, mean } = decimate(timesMs, { kind: "scalar", values, present: null }, range, columns);
  return { kind: "columns", stationId, range, columns, variables: { [variable]: { count, min, max, mean } } };
}
