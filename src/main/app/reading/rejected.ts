import type { Judged, SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { intersect, rangeSet } from "#shared/time/rangeset.ts";
import { concatRows, joinRows, NO_ROWS } from "../../store/chunks/rows.ts";
import type { CacheReader } from "../../store/types.ts";
import type { Pace } from "./pace.ts";
import { blocksOf, isResampled } from "./selection.ts";
import { windowOf, type WindowQuery } from "./window.ts";

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
    rows = joinRows(rows, await rejectedRows(cache, query, stationId, variable, pace));
  const window = windowOf(query, stationId, rows);
  const stored = { intervalSeconds: isResampled(query.mode) ? null : query.mode.intervalSeconds, raw: false };
  const judged: Judged = {};
  for (const variable of query.variables)
    judged[variable] = intersect(rangeSet(cache.coverage(stationId, variable, stored).final), [query.range]);
  return { ...window, judged };
}

async function rejectedRows(
  cache: CacheReader,
  { range, mode }: WindowQuery,
  stationId: string,
  variable: Variable,
  pace: Pace,
): Promise<SeriesRows> {
  const blocks = (raw: boolean, within: TimeRange): IterableIterator<SeriesRows> =>
    blocksOf(cache, { variables: [variable], range: within, mode: { ...mode, raw } }, stationId, [variable]);
  const kept: SeriesRows[] = [];
  for (const raw of blocks(true, range)) {
    const [startMs, lastMs] = [raw.timesMs[0], raw.timesMs.at(-1)];
    if (startMs === undefined || lastMs === undefined) continue;
    // To the end of the last interval, because the average of a part of it would differ.
    const endMs = lastMs + Math.max(1, 1_000 * (mode.intervalSeconds ?? 0));
    const filtered = concatRows([...blocks(false, { startMs, endMs })], [variable]);
    const { timesMs, values } = rejectedValues(valuesOf(raw, variable), valuesOf(filtered, variable));
    kept.push({ timesMs, columns: { [variable]: { kind: "scalar", values, present: null } } });
    await pace.breathe();
  }
  return concatRows(kept, [variable]);
}

function valuesOf(rows: SeriesRows, variable: Variable) {
  const column = rows.columns[variable];
  const values = column?.kind === "scalar" ? column.values : new Float64Array(rows.timesMs.length).fill(Number.NaN);
  return { timesMs: rows.timesMs, values };
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
