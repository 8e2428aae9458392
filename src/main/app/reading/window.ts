import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { SeriesRows, VariableColumns } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { decimate } from "../../analysis/decimate.ts";
import { concatRows } from "../../store/chunks/rows.ts";
import type { CacheReader } from "../../store/types.ts";
import type { Pace } from "./pace.ts";
import { blocksOf, isResampled, type ReadSelection } from "./selection.ts";

export interface WindowQuery extends ReadSelection {
  readonly columns: number;
  readonly mostRows: number;
  readonly ahead?: boolean | undefined;
}

/** Reads the data that a plot draws of one station; see `series.window`. The variables are scalar. */
export async function readWindow(
  cache: CacheReader,
  query: WindowQuery,
  stationId: string,
  pace: Pace,
): Promise<SeriesWindow> {
  if (isResampled(query.mode)) return averagedWindow(cache, query, stationId, pace);
  const { variables, range, columns, mostRows, ahead: isAhead = false } = query;
  const { raw, intervalSeconds } = query.mode;
  const selection = { stationId, variables, range, raw, intervalSeconds };
  if (cache.countRows(selection, mostRows) <= mostRows)
    return { kind: "rows", stationId, range, ...valuesOf(cache.rows(selection, !isAhead), variables) };
  const found: Partial<Record<Variable, VariableColumns>> = {};
  for (const [variable, decimated] of Object.entries(cache.decimate(selection, columns, !isAhead))) {
    const { count, min, max, mean } = decimated;
    found[variable as Variable] = { count, min, max, mean };
  }
  return { kind: "columns", stationId, range, columns, variables: found };
}

async function averagedWindow(
  cache: CacheReader,
  query: WindowQuery,
  stationId: string,
  pace: Pace,
): Promise<SeriesWindow> {
  const blocks: SeriesRows[] = [];
  for (const block of blocksOf(cache, query, stationId, query.variables)) {
    blocks.push(block);
    await pace.breathe();
  }
  return windowOf(query, stationId, concatRows(blocks, query.variables));
}

/** Builds a window from computed rows. */
export function windowOf(
  { variables, range, columns, mostRows }: WindowQuery,
  stationId: string,
  rows: SeriesRows,
): SeriesWindow {
  if (rows.timesMs.length <= mostRows) return { kind: "rows", stationId, range, ...valuesOf(rows, variables) };
  const found: Partial<Record<Variable, VariableColumns>> = {};
  for (const variable of variables) found[variable] = decimate(rows.timesMs, numbersOf(rows, variable), range, columns);
  return { kind: "columns", stationId, range, columns, variables: found };
}

/** Values in buffers of their own, which can be transferred to the window. */
function valuesOf(rows: SeriesRows, variables: readonly Variable[]) {
  const values: Partial<Record<Variable, Float64Array>> = {};
  for (const variable of variables) values[variable] = ownArray(numbersOf(rows, variable));
  return { timesMs: ownArray(rows.timesMs), values };
}

/** Values of a scalar variable; NaN for rows without it. */
function numbersOf({ timesMs, columns }: SeriesRows, variable: Variable): Float64Array {
  const column = columns[variable];
  return column?.kind === "scalar" ? column.values : new Float64Array(timesMs.length).fill(Number.NaN);
}

function ownArray(array: Float64Array): Float64Array {
  return array.byteLength === array.buffer.byteLength ? array : array.slice();
}
