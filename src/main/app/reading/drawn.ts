import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { PairedValues } from "#shared/comparison.ts";
import type { VariableColumns } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { type Batch, inBatches } from "../../analysis/compare/series.ts";
import { PixelColumns } from "../../analysis/decimate.ts";

interface Drawing {
  readonly stationId: string;
  readonly range: TimeRange;
  readonly columns: number;
  /** By default twice the columns. */
  readonly mostRows?: number;
}

type ValuesOf = Partial<Record<Variable, Float64Array>>;

/**
 * Returns values for a plot: as rows if they are few, else as pixel columns.
 *
 * @param timesMs in the range, ascending
 * @param valuesIn the values of some of the rows by variable, NaN where a row has none. It is called for a part of them at a
 * time: computed values of a year need not be in memory.
 */
export function drawn(
  { stationId, range, columns, mostRows = 2 * columns }: Drawing,
  timesMs: Float64Array,
  valuesIn: (batch: Batch) => ValuesOf,
): SeriesWindow {
  if (timesMs.length <= mostRows) {
    const values = Object.entries(valuesIn({ from: 0, to: timesMs.length }));
    // Copies, because buffers sent to a window are transferred.
    const own = Object.fromEntries(values.map(([variable, column]) => [variable, column.slice()]));
    return { kind: "rows", stationId, range, timesMs: timesMs.slice(), values: own };
  }
  const pixels = new Map<string, PixelColumns>();
  inBatches(timesMs.length, (batch) => {
    for (const [variable, values] of Object.entries(valuesIn(batch))) {
      const ofVariable = pixels.get(variable) ?? new PixelColumns(range, columns);
      pixels.set(variable, ofVariable);
      ofVariable.add(timesMs.subarray(batch.from, batch.to), values);
    }
  });
  const variables: Partial<Record<Variable, VariableColumns>> = {};
  for (const [variable, found] of pixels) variables[variable as Variable] = found.finish();
  return { kind: "columns", stationId, range, columns, variables };
}

/** Draws the differences A − B of pairs. */
export function drawnDifferences(
  { variable, ...drawing }: Drawing & { readonly variable: Variable },
  { timesMs, a, b }: PairedValues,
): SeriesWindow {
  return drawn(drawing, timesMs, ({ from, to }) => {
    const differences = a.slice(from, to);
    for (let i = from; i < to; i++) differences[i - from]! -= b[i]!;
    return { [variable]: differences };
  });
}
