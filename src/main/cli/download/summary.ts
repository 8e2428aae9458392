import type { Verdict, VerdictState } from "#shared/job/verdict.ts";
import type { GapCause } from "#shared/series/gap.ts";
import { formatRange, type TimeRange } from "#shared/time/range.ts";
import { MISSING_WORDS } from "#shared/schedule/schedule.ts";
import { covers, hull, type RangeSet, rangeSet } from "#shared/time/rangeset.ts";

/** Gap causes, worded as in the window. */
export const CAUSE_WORDS: Readonly<Record<GapCause, string>> = {
  beforeHistory: "before history",
  noAccess: "no access",
  failed: "failed",
  notRequested: "not downloaded",
  mayStillArrive: "missing, may still arrive",
  filteredOut: "filtered out",
  nothingSent: "nothing sent",
  nothingOrFiltered: "missing (cause unknown)",
};

/** The result of a job for one station, over all its variables and parts. */
export interface StationSummary {
  readonly stationId: string;
  /** Rows in the cache, of the variable with most rows. */
  readonly rows: number;
  readonly states: readonly VerdictState[];
  /** A sentence or two for people. */
  readonly verdict: string;
}

/** Most important first. */
const BY_SEVERITY: readonly VerdictState[] = ["failed", "forbidden", "notRequested", "stale", "empty", "partial", "ok"];

/** Summarizes the verdicts of each station, in their order. */
export function summarise(verdicts: readonly Verdict[], range: TimeRange): StationSummary[] {
  const byStation = Map.groupBy(verdicts, (v) => v.stationId);
  return [...byStation].map(([stationId, own]) => {
    const rowCounts = [...Map.groupBy(own, (v) => v.variable).values()].map((cells) =>
      cells.reduce((sum, v) => sum + v.rows, 0),
    );
    const states = BY_SEVERITY.filter((state) => own.some((v) => v.state === state));
    const groups = Map.groupBy(own, (v) => `${BY_SEVERITY.indexOf(v.state)} ${v.reason ?? ""}`);
    const sentences = [...groups]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([, cells]) => sentence(cells, range, own));
    return { stationId, rows: Math.max(0, ...rowCounts), states, verdict: sentences.join("; ") };
  });
}

function sentence(cells: readonly Verdict[], range: TimeRange, ofStation: readonly Verdict[]): string {
  const [{ state, reason }] = cells as [Verdict];
  if (state === "ok") return "ok";
  const variables = [...new Set(cells.map((v) => v.variable))];
  const isOfAll = ofStation.every((v) => variables.includes(v.variable));
  const which = isOfAll ? "" : ` (${variables.join(", ")})`;
  const what = reason ?? MISSING_WORDS[state];
  return `${state}${which}${whereWords(rangeSet(cells.map((v) => v.range)), range)}: ${what.replace(/\.$/, "")}`;
}

/** More ranges are counted. */
const MAX_RANGES = 3;

function whereWords(ranges: RangeSet, whole: TimeRange): string {
  const between = hull(ranges);
  if (between === null || covers(ranges, whole)) return "";
  if (ranges.length > MAX_RANGES) return ` in ${ranges.length} ranges of ${formatRange(between)}`;
  return ` ${ranges.map(formatRange).join(", ")}`;
}

/** Whether requested data was refused or failed. */
export function isIncomplete(verdicts: readonly Verdict[]): boolean {
  return verdicts.some((v) => v.state === "failed" || v.state === "forbidden");
}
