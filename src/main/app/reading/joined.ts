import { gather, lowerBound } from "#shared/arrays.ts";
import type { JoinedPage } from "#shared/bridge/methods/series.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import type { Column, SeriesRows } from "#shared/series/rows.ts";
import { type Result, success } from "#shared/service/error.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { appendRuns, emptyRuns, pushRun, type Run, runEndMs, type Runs, runsOf, unionRuns } from "#shared/time/runs.ts";
import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";
import type { Pace } from "../pace.ts";
import { blocksOf, isResampled, type ReadSelection } from "./selection.ts";
import type { CacheReader } from "../../store/index.ts";
import { GAP_STEPS } from "../../analysis/gaps.ts";

export interface JoinQuery extends ReadSelection {
  readonly stationIds: readonly string[];
}

/** Limits memory for irregular epochs: each run takes three numbers. */
const MAX_RUNS = 1_000_000;

/** Reads a page of joined rows and of the gaps between them: their epochs are runs, and only the values of the page are read. */
export async function readJoined(
  cache: CacheReader,
  query: JoinQuery & { readonly offset: number; readonly limit: number },
  pace: Pace,
): Promise<Result<JoinedPage, AppFault>> {
  const epochs = await joinedEpochs(cache, query, pace);
  if (!epochs.ok) return epochs;
  const { epochs: shown, gaps } = withGapEpochs(epochs.value);
  const timesMs = momentsAt(shown, query.offset, query.limit);
  const stations = await readColumns(cache, query, timesMs, pace);
  const starts = Float64Array.from(gaps, (gap) => gap.startMs);
  const gapEndsMs = timesMs.map((timeMs) => {
    const at = lowerBound(starts, timeMs);
    return starts[at] === timeMs ? (gaps[at]?.endMs ?? Number.NaN) : Number.NaN;
  });
  return success({ total: shown.total, rows: epochs.value.total, offset: query.offset, timesMs, gapEndsMs, stations });
}

/** Reads joined rows at any epochs, in the given order. */
export async function readJoinedAt(
  cache: CacheReader,
  query: JoinQuery,
  momentsMs: readonly number[],
  pace: Pace,
): Promise<JoinedPage> {
  const timesMs = Float64Array.from(momentsMs);
  const ascending = timesMs.toSorted();
  const stations = await readColumns(cache, query, ascending, pace);
  const places = Array.from(timesMs, (momentMs) => lowerBound(ascending, momentMs));
  const reordered = stations.map((columns) => {
    const given: Partial<Record<Variable, JoinedColumn>> = {};
    for (const variable of query.variables) {
      const column = columns[variable];
      if (column) given[variable] = valuesAt(column, places);
    }
    return given;
  });
  const gapEndsMs = timesMs.map(() => Number.NaN);
  return { total: timesMs.length, rows: timesMs.length, offset: 0, timesMs, gapEndsMs, stations: reordered };
}

/** Reads the epochs at which any of the stations has a row. */
export async function joinedEpochs(cache: CacheReader, query: JoinQuery, pace: Pace): Promise<Result<Runs, AppFault>> {
  let all: Runs | null = emptyRuns();
  for (const stationId of query.stationIds) {
    const ofStation = emptyRuns();
    for (const runs of blockTimes(cache, query, stationId)) {
      appendRuns(ofStation, runs);
      await pace.yieldIfDue();
    }
    all = unionRuns(all, ofStation, MAX_RUNS);
    if (!all)
      return usageFailure("The epochs of these stations are too irregular for one table. Choose a shorter time range.");
  }
  return success(all);
}

function* blockTimes(cache: CacheReader, query: JoinQuery, stationId: string): IterableIterator<Runs> {
  const { variables, range, mode } = query;
  if (!isResampled(mode)) yield* cache.times({ ...mode, stationId, variables, range });
  else for (const rows of blocksOf(cache, query, stationId)) yield runsOf(rows.timesMs);
}

/** Epochs from `offset`, at most `limit` and fewer at the end. */
export function momentsAt(runs: Runs, offset: number, limit: number): Float64Array {
  const moments = new Float64Array(Math.max(0, Math.min(limit, runs.total - offset)));
  let before = 0;
  let filled = 0;
  for (const { startMs, stepMs, count } of runs.list) {
    for (let k = Math.max(0, offset + filled - before); k < count && filled < moments.length; k++)
      moments[filled++] = startMs + k * stepMs;
    before += count;
  }
  return moments;
}

type JoinedColumn = Float64Array | (string | null)[];
type JoinedColumns = Partial<Record<Variable, JoinedColumn>>;

/** Reads the values of every station at ascending epochs. */
export async function readColumns(
  cache: CacheReader,
  query: JoinQuery,
  timesMs: Float64Array,
  pace: Pace,
): Promise<JoinedColumns[]> {
  const found: JoinedColumns[] = [];
  for (const stationId of query.stationIds) {
    const columns: JoinedColumns = {};
    for (const variable of query.variables) columns[variable] = emptyColumn(variable, timesMs.length);
    for (const range of rangesAround(timesMs)) {
      for (const rows of blocksOf(cache, { ...query, range }, stationId)) copyRows(rows, timesMs, columns);
      await pace.yieldIfDue();
    }
    found.push(columns);
  }
  return found;
}

/** Ranges around the epochs, split at distances of a day or more. */
function* rangesAround(timesMs: Float64Array): IterableIterator<TimeRange> {
  let startMs: UtcMs | null = null;
  let lastMs = 0;
  for (const timeMs of timesMs) {
    if (startMs !== null && timeMs - lastMs >= DAY_MS) {
      yield { startMs, endMs: lastMs + 1 };
      startMs = null;
    }
    startMs ??= timeMs;
    lastMs = timeMs;
  }
  if (startMs !== null) yield { startMs, endMs: lastMs + 1 };
}

function copyRows(rows: SeriesRows, timesMs: Float64Array, columns: JoinedColumns): void {
  const of = rows.timesMs;
  const first = of[0];
  if (first === undefined) return;
  for (let at = lowerBound(timesMs, first), i = 0; at < timesMs.length && i < of.length;) {
    const difference = of[i]! - timesMs[at]!;
    if (difference < 0) i++;
    else if (difference > 0) at++;
    else {
      for (const [variable, column] of Object.entries(columns))
        copyValue(column, at, rows.columns[variable as Variable], i);
      at++;
      i++;
    }
  }
}

function copyValue(into: JoinedColumn, at: number, column: Column | undefined, i: number): void {
  if (column) into[at] = column.values[i]!;
}

function emptyColumn(variable: Variable, n: number): JoinedColumn {
  return variableKind(variable) === "scalar"
    ? new Float64Array(n).fill(Number.NaN)
    : Array.from({ length: n }, () => null);
}

function valuesAt(column: JoinedColumn, places: readonly number[]): JoinedColumn {
  return column instanceof Float64Array ? gather(column, places) : places.map((at) => column[at] ?? null);
}

/**
 * Adds the first missing epoch of each gap between rows, so that a table has a row that says why instead of jumping over
 * it. A gap is longer than the steps on both sides of it; lonely rows have the shortest step of all.
 *
 * @returns all epochs, and the gaps: from the first missing epoch to the next row
 */
export function withGapEpochs(rows: Runs): { readonly epochs: Runs; readonly gaps: readonly TimeRange[] } {
  const stepMs = rows.list.reduce((least, run) => (run.count > 1 ? Math.min(least, run.stepMs) : least), Infinity);
  const epochs = emptyRuns();
  const gaps: TimeRange[] = [];
  const stepOf = (run: Run): number => (run.count > 1 ? run.stepMs : stepMs);
  let last: Run | null = null;
  for (const run of rows.list.flatMap((each) => apart(each, stepMs))) {
    if (last && run.startMs - runEndMs(last) > GAP_STEPS * Math.max(stepOf(last), stepOf(run))) {
      const startMs = runEndMs(last) + stepOf(last);
      gaps.push({ startMs, endMs: run.startMs });
      pushRun(epochs, { startMs, stepMs: 0, count: 1 });
    }
    pushRun(epochs, run);
    last = run;
  }
  return { epochs, gaps };
}

/** Two moments on both sides of a gap look like a run; three at equal distances are a slower cadence. */
function apart(run: Run, stepMs: number): Run[] {
  if (run.count !== 2 || run.stepMs <= GAP_STEPS * stepMs) return [run];
  return [run.startMs, runEndMs(run)].map((startMs) => ({ startMs, stepMs: 0, count: 1 }));
}
