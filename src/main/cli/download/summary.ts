import type { Verdict, VerdictState } from "#shared/job/verdict.ts";
import type { GapCause } from "#shared/series/gap.ts";
import { formatRange, type TimeRange } from "#shared/time/range.ts";
import { MISSING_WORDS } from "#shared/schedule/schedule.ts";
import { hull, rangeSet } from "#shared/time/rangeset.ts";

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
const BY_SEVERITY: readonly VerdictState[] = ["failed", "forbidden", "notRequested", "stale", "empty", "ok"];

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
      .map(([, cells]) => sentence(cells, range, states.length > 1));
    return { stationId, rows: Math.max(0, ...rowCounts), states, verdict: sentences.join("; ") };
  });
}

function sentence(cells: readonly Verdict[], range: TimeRange, isMixed: boolean): string {
  const [{ state, reason }] = cells as [Verdict];
  if (state === "ok") return "ok";
  const where = hull(rangeSet(cells.map((v) => v.range)));
  const isWhole = where === null || (where.startMs <= range.startMs && where.endMs >= range.endMs);
  const what = reason ?? MISSING_WORDS[state];
  const variables = [...new Set(cells.map((v) => v.variable))];
  const which = isMixed && variables.length === 1 ? ` (${variables[0]})` : "";
  return `${state}${which}${isWhole ? "" : ` ${formatRange(where)}`}: ${what.replace(/\.$/, "")}`;
}

/** Whether requested data was refused or failed. */
export function isIncomplete(verdicts: readonly Verdict[]): boolean {
  return verdicts.some((v) => v.state === "failed" || v.state === "forbidden");
}
