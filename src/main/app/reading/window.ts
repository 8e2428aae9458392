import type { Judged, SeriesWindow } from "#shared/bridge/methods/series.ts";
import { numbersOf, type SeriesRows, type VariableColumns } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { meanIntervals } from "#shared/time/intervals.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { intersect, rangeSet } from "#shared/time/rangeset.ts";
import { type CacheReader, concatRows, joinRows, NO_ROWS } from "../../store/index.ts";
import type { Pace } from "../pace.ts";
import { drawn } from "./drawn.ts";
import { blocksOf, isResampled, type ReadSelection, storedMode } from "./selection.ts";

interface WindowQuery extends ReadSelection {
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
  const selection = { stationId, variables, range, ...storedMode(query.mode) };
  if (cache.countRows(selection, mostRows) <= mostRows)
    return computedWindow(query, stationId, cache.rows(selection, !isAhead));
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
  for (const block of blocksOf(cache, query, stationId)) {
    blocks.push(block);
    await pace.yieldIfDue();
  }
  return computedWindow(query, stationId, concatRows(blocks, query.variables));
}

/** A window of computed rows. */
function computedWindow({ variables, ...drawing }: WindowQuery, stationId: string, rows: SeriesRows): SeriesWindow {
  const values = variables.map((variable) => [variable, numbersOf(rows, variable)] as const);
  return drawn({ ...drawing, stationId }, rows.timesMs, ({ from, to }) =>
    Object.fromEntries(values.map(([variable, column]) => [variable, column.subarray(from, to)])),
  );
}

/**
 * Reads the data of one station that the quality filter rejected, as far as the raw series is cached; see `series.window`.
 * Raw rows that the filtered series has too are omitted, because a plot would draw them at the same place.
 */
export async function readRejected(
  cache: CacheReader,
  query: WindowQuery,
  stationId: string,
  pace: Pace,
): Promise<SeriesWindow> {
  let rows = NO_ROWS;
  for (const variable of query.variables)
    rows = joinRows(rows, await rejectedRows(cache, { ...query, variable }, stationId, pace));
  const window = computedWindow(query, stationId, rows);
  const stored = { ...storedMode(query.mode), raw: false };
  const judged: Judged = {};
  for (const variable of query.variables)
    judged[variable] = intersect(rangeSet(cache.coverage(stationId, variable, stored).final), [query.range]);
  return { ...window, judged };
}

async function rejectedRows(
  cache: CacheReader,
  { range, mode, variable }: Pick<WindowQuery, "range" | "mode"> & { readonly variable: Variable },
  stationId: string,
  pace: Pace,
): Promise<SeriesRows> {
  const blocks = (raw: boolean, within: TimeRange): IterableIterator<SeriesRows> =>
    blocksOf(cache, { variables: [variable], range: within, mode: { ...mode, raw } }, stationId);
  const kept: SeriesRows[] = [];
  for (const raw of blocks(true, range)) {
    const [startMs, lastMs] = [raw.timesMs[0], raw.timesMs.at(-1)];
    if (startMs === undefined || lastMs === undefined) continue;
    // To the end of the last interval, because the average of a part of it would differ.
    const endMs =
      mode.intervalSeconds === null ? lastMs + 1 : meanIntervals(mode.intervalSeconds, mode.zone).endOf(lastMs);
    const filtered = concatRows([...blocks(false, { startMs, endMs })], [variable]);
    const { timesMs, values } = rejectedValues(
      { timesMs: raw.timesMs, values: numbersOf(raw, variable) },
      { timesMs: filtered.timesMs, values: numbersOf(filtered, variable) },
    );
    kept.push({ timesMs, columns: { [variable]: { kind: "scalar", values, present: null } } });
    await pace.yieldIfDue();
  }
  return concatRows(kept, [variable]);
}

/** Values over ascending times; NaN where a row has none. */
interface Values {
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
}

/** The raw values that the filtered series lacks, or has with another value, at that time. */
function rejectedValues(raw: Values, filtered: Values): Values {
  const timesMs: number[] = [];
  const values: number[] = [];
  let k = 0;
  for (let i = 0; i < raw.timesMs.length; i++) {
    const timeMs = raw.timesMs[i]!;
    const value = raw.values[i]!;
    while (k < filtered.timesMs.length && filtered.timesMs[k]! < timeMs) k++;
    if (Number.isNaN(value) || (filtered.timesMs[k] === timeMs && filtered.values[k] === value)) continue;
    timesMs.push(timeMs);
    values.push(value);
  }
  return { timesMs: Float64Array.from(timesMs), values: Float64Array.from(values) };
}
