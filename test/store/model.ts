import type { ReceivedRows, Column, SeriesMode, SeriesRows } from "#shared/series/rows.ts";
import { type Variable, VARIABLE_NAMES, variableKind } from "#shared/service/variables.ts";
import { alignInward, containsMoment, isEmpty, type TimeRange } from "#shared/time/range.ts";
import { rangeSet, union, type RangeSet } from "#shared/time/rangeset.ts";
import type { ResponseScope } from "#main/store/types.ts";
import type { Cache } from "#main/store/index.ts";
import { TEST_STEP_MS } from "./arbitraries.ts";
import { settled } from "../support/judge.ts";

/** A value of a row; null is a missing number or text. */
export type Cell = number | string | null;
export interface ModelRow {
  readonly stationId: string;
  readonly timeMs: number;
  readonly values: Partial<Record<Variable, Cell>>;
}

type Cells = Map<number, Partial<Record<Variable, Cell>>>;

/** A simple cache without limits on memory and time. */
export function createModel() {
  const cells = new Map<string, Cells>();
  const coverage = new Map<string, RangeSet>();
  const cellsOf = (key: string): Cells => {
    const found = cells.get(key) ?? new Map();
    cells.set(key, found);
    return found;
  };
  return {
    respond(scope: ResponseScope, rows: readonly ModelRow[]): void {
      const { intervalSeconds: interval } = scope;
      const range = interval === null ? scope.range : alignInward(scope.range, interval);
      if (isEmpty(range)) return;
      for (const stationId of scope.stationIds) {
        const key = keyOf(stationId, scope);
        const station = cellsOf(key);
        const own = rows.filter((row) => row.stationId === stationId && containsMoment(range, row.timeMs));
        const onGrid = own.filter((row) => interval === null || row.timeMs % (interval * 1000) === 0);
        // A response with more rows off the grid than on it has no means of these intervals.
        for (const row of 2 * onGrid.length < own.length ? [] : onGrid) {
          const stored = station.get(row.timeMs) ?? {};
          station.set(row.timeMs, stored);
          // A missing value replaces none; the texts of the satellites belong together.
          const isEmpty = !scope.variables.some((v) => variableKind(v) === "satellite" && row.values[v]);
          for (const variable of scope.variables) {
            const value = row.values[variable] ?? null;
            const isMissing = variableKind(variable) === "scalar" ? value === null : isEmpty;
            if (!isMissing || stored[variable] === undefined) stored[variable] = value;
          }
        }
        for (const variable of scope.variables) {
          const before = coverage.get(`${key}|${variable}`) ?? [];
          coverage.set(`${key}|${variable}`, union(before, rangeSet([range])));
        }
      }
    },
    rows(stationId: string, mode: SeriesMode, variables: readonly Variable[], range: TimeRange): ModelRow[] {
      return [...cellsOf(keyOf(stationId, mode))]
        .filter(([time, row]) => containsMoment(range, time) && variables.some((v) => row[v] !== undefined))
        .toSorted(([a], [b]) => a - b)
        .map(([timeMs, row]) => ({
          stationId,
          timeMs,
          values: Object.fromEntries(variables.flatMap((v) => (row[v] === undefined ? [] : [[v, row[v]]]))),
        }));
    },
    covered: (stationId: string, mode: SeriesMode, variable: Variable): RangeSet =>
      coverage.get(`${keyOf(stationId, mode)}|${variable}`) ?? [],
  };
}

function keyOf(stationId: string, mode: SeriesMode): string {
  return `${stationId}|${mode.intervalSeconds}|${mode.raw}`;
}

/** Returns the rows as blocks of one station each, as the client does, at most `size` rows per block. */
export function blocksOf(rows: readonly ModelRow[], variables: readonly Variable[], size = 7): ReceivedRows[] {
  const blocks: ReceivedRows[] = [];
  for (let i = 0; i < rows.length;) {
    const { stationId } = rows[i]!;
    let end = i;
    while (end < rows.length && end - i < size && rows[end]!.stationId === stationId) end++;
    const part = rows.slice(i, end);
    const scalars: Partial<Record<Variable, Float64Array>> = {};
    const texts: Partial<Record<Variable, (string | null)[]>> = {};
    for (const variable of variables) {
      if (variableKind(variable) === "scalar") {
        scalars[variable] = Float64Array.from(part, (row) => {
          const cell = row.values[variable];
          return typeof cell === "number" ? cell : Number.NaN;
        });
      } else {
        texts[variable] = part.map((row) => (row.values[variable] ?? null) as string | null);
      }
    }
    blocks.push({ stationId, timesMs: Float64Array.from(part, (row) => row.timeMs), scalars, texts });
    i = end;
  }
  return blocks;
}

/** Returns rows of the cache in the form of the model; checks `present`. */
export function rowsAsModel(stationId: string, rows: SeriesRows): ModelRow[] {
  return Array.from(rows.timesMs, (timeMs, i) => {
    const values: Partial<Record<Variable, Cell>> = {};
    for (const variable of VARIABLE_NAMES) {
      const column = rows.columns[variable];
      if (!column) continue;
      const cell = cellOf(column, i);
      if (column.present === null || column.present[i] === 1) values[variable] = cell;
      else if (cell !== null) throw new Error("a value where none was asked");
    }
    return { stationId, timeMs, values };
  });
}

function cellOf(column: Column, row: number): Cell {
  if (column.values.length <= row) throw new Error("a column that is too short");
  const value = column.values[row]!;
  return Number.isNaN(value) ? null : value;
}

/** Writes rows of up to 60 steps of the range, whose values depend on `value`. */
export function fillRows(cache: Cache, scope: ResponseScope, value: number): void {
  const { startMs, endMs } = scope.range;
  const times: number[] = [];
  for (let t = Math.ceil(startMs / TEST_STEP_MS) * TEST_STEP_MS; t < endMs && times.length < 60; t += TEST_STEP_MS)
    times.push(t);
  const valuesAt = (timeMs: number) =>
    Object.fromEntries(
      scope.variables.map((v) => [v, variableKind(v) === "scalar" ? value + (timeMs % 7) : `${value}.5,1`]),
    );
  const rowsOf = (stationId: string) => times.map((timeMs) => ({ stationId, timeMs, values: valuesAt(timeMs) }));
  writeRows(cache, scope, scope.stationIds.flatMap(rowsOf));
}

export function writeRows(
  cache: Cache,
  scope: ResponseScope,
  rows: readonly ModelRow[],
  { finalUntilMs = Infinity, fetchedAtMs = 1_000 } = {},
): ReturnType<ReturnType<Cache["openResponse"]>["commit"]> {
  const writer = cache.openResponse(scope);
  for (const block of blocksOf(rows, scope.variables)) writer.add(block);
  const { intervalSeconds, range } = scope;
  const whole = intervalSeconds === null ? range : alignInward(range, intervalSeconds);
  return writer.commit(settled(whole, finalUntilMs, fetchedAtMs));
}
