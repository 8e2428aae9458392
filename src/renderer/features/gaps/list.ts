import type { SeriesGaps } from "#shared/bridge/methods/series.ts";
import { csvTable } from "#shared/file/csv.ts";
import type { Convergence, GapCause } from "#shared/series/gap.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { readSort, type Sort } from "../../ui/SortHeading.tsx";
import { decimal, duration, utc, utcMinutes } from "../../ui/text.ts";

/** A gap of one station and variable. */
export interface GapLine {
  readonly stationId: string;
  readonly name: string;
  readonly variable: Variable;
  readonly cause: GapCause;
  readonly range: TimeRange;
  /** Why the download failed, if known. */
  readonly reason?: string;
}

export const GAP_COLUMNS = ["name", "variable", "cause", "start", "end", "duration"] as const;
export type GapColumn = (typeof GAP_COLUMNS)[number];
export type GapSort = Sort<GapColumn>;

export function readGapSort(kept: unknown): GapSort {
  return readSort(kept, GAP_COLUMNS, { column: "duration", isDescending: true });
}

export function gapLines(found: readonly SeriesGaps[], nameOf: (stationId: string) => string): GapLine[] {
  return found.flatMap(({ stationId, variable, gaps }) => {
    const name = nameOf(stationId);
    return gaps.map((gap) => ({ stationId, name, variable, ...gap }));
  });
}

export function lengthMs({ range }: Pick<GapLine, "range">): number {
  return range.endMs - range.startMs;
}

const compareText = new Intl.Collator("en", { numeric: true }).compare;
const ORDER: Readonly<Record<GapColumn, (a: GapLine, b: GapLine) => number>> = {
  name: (a, b) => compareText(a.name, b.name),
  variable: (a, b) => compareText(a.variable, b.variable),
  cause: (a, b) => compareText(a.cause, b.cause),
  start: (a, b) => a.range.startMs - b.range.startMs,
  end: (a, b) => a.range.endMs - b.range.endMs,
  duration: (a, b) => lengthMs(a) - lengthMs(b),
};

/** Sorts gaps by a column, then by time and name. */
export function sortGaps(lines: readonly GapLine[], { column, isDescending }: GapSort): GapLine[] {
  const sign = isDescending ? -1 : 1;
  return lines.toSorted((a, b) => sign * ORDER[column](a, b) || ORDER.start(a, b) || ORDER.name(a, b));
}

/** Returns a range around a gap, with enough margin to show the data before and after. */
export function aroundGap(range: TimeRange, stepSeconds: number): TimeRange {
  const marginMs = Math.max((range.endMs - range.startMs) / 2, stepSeconds * 20_000);
  return { startMs: Math.floor(range.startMs - marginMs), endMs: Math.ceil(range.endMs + marginMs) };
}

/** Returns what a download can provide for a gap of this cause: its data, rejected data, or nothing. */
export function remedyOf(cause: GapCause): "fetch" | "raw" | null {
  if (cause === "notRequested" || cause === "failed" || cause === "notFinal") return "fetch";
  return cause === "nothingOrFiltered" ? "raw" : null;
}

/** Describes a possible convergence; only the service knows what its solution did. */
export function convergenceWords({ range, fromMm, toMm }: Convergence): string {
  const seconds = (range.endMs - range.startMs) / 1_000;
  return (
    `Possible convergence after a restart: from ${utcMinutes(range.startMs)} the uncertainty of ZTD decays ` +
    `from ${decimal(fromMm, 1)} to ${decimal(toMm, 1)} mm within ${duration(seconds)}.`
  );
}

/** Label of a minimum duration: "From 5 min". */
export function minimumWords(seconds: number): string {
  return seconds === 0 ? "All gaps" : `From ${duration(seconds)}`;
}

/** Formats a time to the second; fractions do not matter for gaps. */
export function secondText(ms: number): string {
  return utc(Math.floor(ms / 1_000) * 1_000);
}

const HEAD = ["station_id", "display_name", "variable", "cause", "start", "end", "duration_s"];

/** Returns the sorted list as CSV, with the columns of `zenith gaps --csv`. */
export function gapsCsv(lines: readonly GapLine[]): string {
  const rows = lines.map((line) => {
    const [start, end] = [formatUtcShort(line.range.startMs), formatUtcShort(line.range.endMs)];
    return [line.stationId, line.name, line.variable, line.cause, start, end, lengthMs(line) / 1_000];
  });
  return csvTable(HEAD, rows);
}
