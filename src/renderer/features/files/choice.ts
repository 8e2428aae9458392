import type { FileSeries, OpenedFile } from "#shared/file/opened.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { lineIdOf } from "./lineId.ts";

/** Series of files have one quantity each, of whatever kind: it stands where this variable would. */
export const STAND_IN = "ztd" satisfies Variable;

/** A series of a file that is drawn. */
export interface ShownSeries {
  readonly lineId: string;
  readonly file: OpenedFile;
  readonly series: FileSeries;
}

/** Lines that can be told apart beside those of stations. */
export const MOST_FILE_LINES = 12;
const FIRST_LINES = 4;

/** The series of open files that are ticked: what was ticked of a file that is closed counts for nothing. */
export function shownOf(files: readonly OpenedFile[], ticked: readonly string[]): readonly ShownSeries[] {
  const wanted = new Set(ticked);
  return files
    .flatMap((file) => file.series.map((series) => ({ lineId: lineIdOf(file.id, series.id), file, series })))
    .filter(({ lineId }) => wanted.has(lineId))
    .slice(0, MOST_FILE_LINES);
}

/** What of a file is drawn first: ZTD and PWV where it has them, else whatever comes first. */
export function firstSeries(file: OpenedFile): readonly FileSeries[] {
  const filled = file.series.filter((series) => series.range !== null);
  const ours = filled.filter(({ quantity }) => quantity.variable === "ztd" || quantity.variable === "pwv");
  return (ours.length > 0 ? ours : filled.slice(0, 1)).slice(0, FIRST_LINES);
}

/** From the first epoch of the series to the last, in whole seconds; null where they have none. */
export function rangeOf(series: readonly FileSeries[]): TimeRange | null {
  const ranges = series.flatMap(({ range }) => range ?? []);
  if (ranges.length === 0) return null;
  return {
    startMs: Math.floor(Math.min(...ranges.map((r) => r.startMs)) / 1_000) * 1_000,
    endMs: Math.ceil(Math.max(...ranges.map((r) => r.endMs)) / 1_000) * 1_000,
  };
}
