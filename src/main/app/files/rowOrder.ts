import type { FilePage, FileRowOrder } from "#shared/bridge/methods/files.ts";
import type { AppFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { lowerBound } from "#shared/arrays.ts";
import { sortedIndices } from "../../analysis/sorting.ts";
import type { Pace } from "../pace.ts";
import { DIFFERENT_EPOCHS, type ReadableFile, rowsOfSeries, shareEpochs } from "./read.ts";

export interface FileOrderQuery {
  readonly seriesIds: readonly string[];
  readonly range: TimeRange;
  readonly sort: { readonly by: string | null; readonly isDescending: boolean };
  readonly filter: FileFilter | null;
}

interface FileFilter {
  readonly of: string | null;
  readonly atLeast: number | null;
  readonly atMost: number | null;
}

/** See `files.rowOrder`. */
export async function readFileRowOrder(
  file: ReadableFile,
  { seriesIds, range, sort, filter }: FileOrderQuery,
  pace: Pace,
): Promise<Result<FileRowOrder, AppFault>> {
  const filtered = filter === null ? [] : filter.of === null ? seriesIds : [filter.of];
  const needed = [...new Set([...seriesIds.slice(0, 1), ...(sort.by === null ? [] : [sort.by]), ...filtered])];
  if (!shareEpochs(file, needed)) return failure(DIFFERENT_EPOCHS);
  const values = new Map<string, Float64Array>();
  let timesMs: Float64Array = new Float64Array(0);
  for (const id of needed) {
    const rows = rowsOfSeries(file, id);
    if (!rows.ok) return rows;
    values.set(id, rows.value.values);
    timesMs = rows.value.timesMs;
    await pace.yieldIfDue();
  }
  const from = lowerBound(timesMs, range.startMs);
  const to = lowerBound(timesMs, range.endMs);
  const kept = filterRows(
    filter,
    filtered.map((id) => values.get(id) ?? timesMs),
    from,
    to,
  );
  const rows = await sortRows(kept, sort.by === null ? null : (values.get(sort.by) ?? null), sort.isDescending, pace);
  return success({ rows, timesMs: Float64Array.from(rows, (row) => timesMs[row] ?? Number.NaN) });
}

function filterRows(
  filter: FileFilter | null,
  columns: readonly Float64Array[],
  from: number,
  to: number,
): Uint32Array<ArrayBuffer> {
  const min = filter?.atLeast ?? Number.NEGATIVE_INFINITY;
  const max = filter?.atMost ?? Number.POSITIVE_INFINITY;
  const rows = new Uint32Array(to - from);
  let count = 0;
  for (let row = from; row < to; row++) {
    const isWithin = columns.every((column) => {
      // NaN fails every comparison.
      const value = column[row]!;
      return value >= min && value <= max;
    });
    if (isWithin) rows[count++] = row;
  }
  return rows.slice(0, count);
}

async function sortRows(
  rows: Uint32Array<ArrayBuffer>,
  by: Float64Array | null,
  isDescending: boolean,
  pace: Pace,
): Promise<Uint32Array> {
  if (by === null) return isDescending ? rows.toReversed() : rows;
  const keys = Float64Array.from(rows, (row) => by[row] ?? Number.NaN);
  const places = await sortedIndices(keys, isDescending, () => pace.yieldIfDue());
  return Uint32Array.from(places, (place) => rows[place]!);
}

export interface FileRowsQuery {
  readonly seriesIds: readonly string[];
  readonly rows: readonly number[];
}

export type RowsOfFile = Pick<FilePage, "timesMs" | "columns">;

/** See `files.rowsAt`. */
export function readFileRowsAt(file: ReadableFile, { seriesIds, rows }: FileRowsQuery): Result<RowsOfFile, AppFault> {
  if (!shareEpochs(file, seriesIds)) return failure(DIFFERENT_EPOCHS);
  const columns: Float64Array[] = [];
  let timesMs = new Float64Array(0);
  for (const id of seriesIds) {
    const found = rowsOfSeries(file, id);
    if (!found.ok) return found;
    const { values, timesMs: all } = found.value;
    columns.push(Float64Array.from(rows, (row) => values[row] ?? Number.NaN));
    timesMs = Float64Array.from(rows, (row) => all[row] ?? Number.NaN);
  }
  return success({ timesMs, columns });
}
