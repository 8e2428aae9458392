import type { FileSeries, OpenedFile } from "#shared/file/opened.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";

/** Returns the id of a file's series among the lines of a plot. */
export function lineIdOf(fileId: string, seriesId: string): string {
  return JSON.stringify([fileId, seriesId]);
}

/** Splits a line id made by `lineIdOf`. */
export function parseLineId(lineId: string): { readonly fileId: string; readonly seriesId: string } {
  const [fileId, seriesId] = JSON.parse(lineId) as [string, string];
  return { fileId, seriesId };
}

/** A series of a file has one quantity of any kind. In structures keyed by variables of the service it has this key. */
export const FILE_VARIABLE = "ztd" satisfies Variable;

/** A series of a file that is drawn. */
export interface ShownSeries {
  readonly lineId: string;
  readonly file: OpenedFile;
  readonly series: FileSeries;
}

/** Maximum number of lines that can be distinguished in addition to those of stations. */
export const MAX_FILE_LINES = 12;
const MAX_FIRST_LINES = 4;

/** Returns the ticked series of open files; ids of closed files are ignored. */
export function shownOf(files: readonly OpenedFile[], ticked: readonly string[]): readonly ShownSeries[] {
  const wanted = new Set(ticked);
  return files
    .flatMap((file) => file.series.map((series) => ({ lineId: lineIdOf(file.id, series.id), file, series })))
    .filter(({ lineId }) => wanted.has(lineId))
    .slice(0, MAX_FILE_LINES);
}

/** Adds series to the drawn ones, which all stay: those beyond the maximum are left out, and counted. */
export function withShown(
  drawn: readonly string[],
  added: readonly string[],
): { readonly shown: readonly string[]; readonly leftOut: number } {
  const all = [...new Set([...drawn, ...added])];
  return { shown: all.slice(0, MAX_FILE_LINES), leftOut: Math.max(0, all.length - MAX_FILE_LINES) };
}

/** Returns the series to draw when a file is opened: ZTD and PWV if it contains them, else the first series. */
export function firstSeries(file: OpenedFile): readonly FileSeries[] {
  const filled = file.series.filter((series) => series.range !== null);
  const ours = filled.filter(({ quantity }) => quantity.variable === "ztd" || quantity.variable === "pwv");
  return (ours.length > 0 ? ours : filled.slice(0, 1)).slice(0, MAX_FIRST_LINES);
}

/** Returns the range from the first to the last epoch of the series, in whole seconds; null without epochs. */
export function rangeOf(series: readonly FileSeries[]): TimeRange | null {
  const ranges = series.flatMap(({ range }) => range ?? []);
  if (ranges.length === 0) return null;
  return {
    startMs: Math.floor(Math.min(...ranges.map((r) => r.startMs)) / 1_000) * 1_000,
    endMs: Math.ceil(Math.max(...ranges.map((r) => r.endMs)) / 1_000) * 1_000,
  };
}
