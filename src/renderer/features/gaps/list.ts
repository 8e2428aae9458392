import type { SeriesGaps } from "#shared/bridge/methods/series.ts";
import { gapMark } from "#shared/plot/gapMarks.ts";
import { csvTable } from "#shared/file/csv.ts";
import type { Convergence, GapCause } from "#shared/series/gap.ts";
import { shortName, type Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { type Column, type Sort, sortSchema, sortRows } from "../../ui/grid/columns.ts";
import { decimal, duration, utc, utcMinutes } from "../../ui/text.ts";
import { pane } from "../../stores/pane.ts";

/** An outage: gaps of one station with one cause at the same time, of one or several variables. */
export interface GapLine {
  readonly stationId: string;
  readonly name: string;
  readonly variables: readonly Variable[];
  readonly cause: GapCause;
  readonly range: TimeRange;
  /** The gap of each variable, which ends by its own cadence. */
  readonly parts: readonly { readonly variable: Variable; readonly range: TimeRange }[];
  /** Why the download failed, if known. */
  readonly reason?: string;
}

/** All columns in display order. */
export const GAP_COLUMNS: readonly Column<GapLine>[] = [
  { id: "name", title: "Station", width: 112, share: 2, isName: true, key: (l) => l.name, text: (l) => l.name },
  {
    id: "variable",
    title: "Variable",
    width: 80,
    share: 0.5,
    key: (l) => l.variables.join(" "),
    text: (l) => l.variables.map(shortName).join(", "),
  },
  { id: "cause", title: "Cause", width: 200, share: 1.5, key: (l) => l.cause, text: (l) => gapMark(l.cause).word },
  {
    id: "start",
    title: "Start, UTC",
    width: 160,
    key: (l) => l.range.startMs,
    text: (l) => secondText(l.range.startMs),
  },
  // Start and duration say the end too.
  {
    id: "end",
    title: "End, UTC",
    width: 160,
    hideRank: 0,
    key: (l) => l.range.endMs,
    text: (l) => secondText(l.range.endMs),
  },
  {
    id: "duration",
    title: "Duration",
    width: 84,
    align: "end",
    key: lengthMs,
    text: (l) => duration(lengthMs(l) / 1_000),
  },
];

export const GAP_SORT = pane("gaps.sort", sortSchema(GAP_COLUMNS, { column: "duration", isDescending: true }));

/**
 * Returns the outages of the gaps. Gaps of several variables are one outage if each begins and ends within a step of the
 * other. Its time is that of the variable with the shortest step: the others begin and end at their own epochs.
 */
export function outages(found: readonly SeriesGaps[], nameOf: (stationId: string) => string): GapLine[] {
  return [...Map.groupBy(found, (series) => series.stationId)].flatMap(([stationId, series]) => {
    const name = nameOf(stationId);
    const lines: (GapLine & { readonly variables: Variable[]; readonly parts: GapLine["parts"][number][] })[] = [];
    for (const { variable, stepSeconds, gaps } of series.toSorted((a, b) => a.stepSeconds - b.stepSeconds)) {
      const earlier = [...lines];
      for (const gap of gaps) {
        const part = { variable, range: gap.range };
        const line = earlier.find(
          ({ cause, range, variables }) =>
            cause === gap.cause && !variables.includes(variable) && isSame(range, gap.range, stepSeconds * 1_000),
        );
        if (line === undefined) lines.push({ stationId, name, variables: [variable], parts: [part], ...gap });
        else {
          line.variables.push(variable);
          line.parts.push(part);
        }
      }
    }
    return lines;
  });
}

function isSame(a: TimeRange, b: TimeRange, stepMs: number): boolean {
  return Math.abs(a.startMs - b.startMs) < stepMs && Math.abs(a.endMs - b.endMs) < stepMs;
}

/** Sums the durations of outages by cause, in seconds, longest first. */
export function sumsOf(lines: readonly GapLine[]): (readonly [GapCause, number])[] {
  const sums = new Map<GapCause, number>();
  for (const line of lines) sums.set(line.cause, (sums.get(line.cause) ?? 0) + lengthMs(line) / 1_000);
  return [...sums].toSorted(([, a], [, b]) => b - a);
}

export function lengthMs({ range }: Pick<GapLine, "range">): number {
  return range.endMs - range.startMs;
}

/** Sorts gaps by a column, then by time and name. */
export function sortGaps(lines: readonly GapLine[], sort: Sort): GapLine[] {
  return sortRows(lines, GAP_COLUMNS, sort, ["start", "name"]);
}

/** Returns a range around a gap, with enough margin to show the data before and after. */
export function aroundGap(range: TimeRange, stepSeconds: number): TimeRange {
  const marginMs = Math.max((range.endMs - range.startMs) / 2, stepSeconds * 20_000);
  return { startMs: Math.floor(range.startMs - marginMs), endMs: Math.ceil(range.endMs + marginMs) };
}

/** Returns what a download can provide for a gap of this cause: its data, rejected data, or nothing. */
export function remedyOf(cause: GapCause): "fetch" | "raw" | null {
  if (cause === "notRequested" || cause === "failed" || cause === "mayStillArrive") return "fetch";
  return cause === "nothingOrFiltered" ? "raw" : null;
}

/** Returns what is known of a gap: the meaning of its cause, and its reason or what would tell more. */
export function explained({ cause, reason }: Pick<GapLine, "cause" | "reason">): string {
  const { meaning, advice } = gapMark(cause);
  return [meaning, reason ?? advice ?? []].flat().join(" ");
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
  const rows = lines.flatMap((line) =>
    line.parts.map(({ variable, range }) => {
      const [start, end] = [formatUtcShort(range.startMs), formatUtcShort(range.endMs)];
      return [line.stationId, line.name, variable, line.cause, start, end, lengthMs({ range }) / 1_000];
    }),
  );
  return csvTable(HEAD, rows);
}
