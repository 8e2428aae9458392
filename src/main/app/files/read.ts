import { type FormatError, type FormatErrorKind, FormatFailure } from "#formats/error.ts";
import type { FileRows, SeriesFile } from "#formats/open/index.ts";
import type { FilePage, FileWindow } from "#shared/bridge/methods/files.ts";
import { type AppFault, type FaultKind, usageFailure, usageFault } from "#shared/fault.ts";
import type { FileSeries, GridPoint } from "#shared/file/opened.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { lowerBound } from "#shared/arrays.ts";
import { decimate } from "../../analysis/decimate.ts";
import type { Pace } from "../pace.ts";

const KINDS: Partial<Record<FormatErrorKind, FaultKind>> = {
  cancelled: "cancelled",
  noPermission: "disk",
  noFolder: "disk",
  noSpace: "disk",
  io: "disk",
};

/** The fault of a file that cannot be read. Replaces the path of a temporary copy by the name that the user knows. */
export function fileFault(
  { kind, message, cause }: FormatError,
  { path, name }: { readonly path: string; readonly name: string },
): AppFault {
  const said = message.replaceAll(path, name);
  return { kind: KINDS[kind] ?? "usage", message: said.includes(name) ? said : `${name}: ${said}`, cause };
}

export interface ReadableFile {
  /** As the user knows it. */
  readonly name: string;
  readonly series: readonly FileSeries[];
  readonly content: SeriesFile;
}

export interface FileWindowQuery {
  readonly seriesIds: readonly string[];
  readonly range: TimeRange;
  readonly columns: number;
  readonly mostRows: number;
}

/** Reads the data that a plot draws of some series of a file; see `files.window`. */
export async function readFileWindows(
  file: ReadableFile,
  query: FileWindowQuery,
  pace: Pace,
): Promise<Result<FileWindow[], AppFault>> {
  const windows: FileWindow[] = [];
  for (const seriesId of query.seriesIds) {
    const rows = rowsOfSeries(file, seriesId);
    if (!rows.ok) return rows;
    windows.push(fileWindow(rows.value, seriesId, query));
    await pace.yieldIfDue();
  }
  return success(windows);
}

function fileWindow({ timesMs, values }: FileRows, seriesId: string, query: FileWindowQuery): FileWindow {
  const { range, columns, mostRows } = query;
  const from = lowerBound(timesMs, range.startMs);
  const to = lowerBound(timesMs, range.endMs);
  // Copies, because buffers sent to a window are transferred.
  if (to - from <= mostRows)
    return { kind: "rows", seriesId, range, timesMs: timesMs.slice(from, to), values: values.slice(from, to) };
  return { kind: "columns", seriesId, range, columns, values: decimate(timesMs, values, range, columns) };
}

export interface FilePageQuery {
  readonly seriesIds: readonly string[];
  readonly range: TimeRange | null;
  readonly offset: number;
  readonly limit: number;
}

export const DIFFERENT_EPOCHS = usageFault("These series have different epochs. Show one of them at a time.");

export function shareEpochs({ series }: ReadableFile, seriesIds: readonly string[]): boolean {
  return new Set(seriesIds.map((id) => series.find((s) => s.id === id)?.timesId)).size <= 1;
}

/** Reads a page of rows of series that share their epochs. */
export function readFilePage(file: ReadableFile, query: FilePageQuery): Result<FilePage, AppFault> {
  const { seriesIds, range, offset, limit } = query;
  if (!shareEpochs(file, seriesIds)) return failure(DIFFERENT_EPOCHS);
  const columns: Float64Array[] = [];
  let page: { total: number; timesMs: Float64Array } = { total: 0, timesMs: new Float64Array(0) };
  for (const seriesId of seriesIds) {
    const rows = rowsOfSeries(file, seriesId);
    if (!rows.ok) return rows;
    const { timesMs, values } = rows.value;
    const from = range ? lowerBound(timesMs, range.startMs) : 0;
    const to = range ? lowerBound(timesMs, range.endMs) : timesMs.length;
    const start = Math.min(from + offset, to);
    const end = Math.min(start + limit, to);
    page = { total: to - from, timesMs: timesMs.slice(start, end) };
    columns.push(values.slice(start, end));
  }
  return success({ ...page, offset, columns });
}

export function rowsOfSeries({ name, series, content }: ReadableFile, seriesId: string): Result<FileRows, AppFault> {
  const index = series.findIndex((s) => s.id === seriesId);
  if (index < 0) return usageFailure(`${name} has no such series: open the file again.`);
  return orFault(name, () => content.rows(index));
}

export interface GridPointsQuery {
  readonly gridId: string;
  readonly points: readonly GridPoint[];
}

/** Reads rows at points of a grid, in the order of the points. */
export function readGridPoints(
  { name, content }: Pick<ReadableFile, "name" | "content">,
  { gridId, points }: GridPointsQuery,
): Result<FileRows[], AppFault> {
  const grid = content.grids?.find(({ about }) => about.id === gridId);
  if (!grid) return usageFailure(`${name} has no such grid: open the file again.`);
  // Copies, because buffers sent by the thread are transferred.
  return orFault(name, () =>
    points.map((point) => {
      const { timesMs, values } = grid.rows(point);
      return { timesMs: timesMs.slice(), values: values.slice() };
    }),
  );
}

/** Converts format errors to faults. @throws all other errors */
function orFault<T>(name: string, read: () => T): Result<T, AppFault> {
  try {
    return success(read());
  } catch (thrown) {
    if (!(thrown instanceof FormatFailure)) throw thrown;
    return failure(fileFault(thrown.error, { path: name, name }));
  }
}
