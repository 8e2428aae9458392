import type { Verdict, VerdictState } from "#shared/job/verdict.ts";
import { MAX_CAUSES, MAX_STATIONS_PER_CAUSE, type ScheduleRun } from "#shared/schedule/run.ts";

/** States without data, worst first. */
const ABSENT_STATES: readonly VerdictState[] = ["failed", "forbidden", "missing", "empty", "stale"];

/** Causes of missing data with the number of their stations, worst first. */
export function missingOf(verdicts: readonly Verdict[]): ScheduleRun["missing"] {
  const absent = verdicts.filter((v) => ABSENT_STATES.includes(v.state) && (v.state !== "stale" || v.rows === 0));
  const causes = Map.groupBy(absent, ({ state, reason }) => `${state} ${reason ?? ""}`);
  return [...causes.values()]
    .flatMap((cells) => {
      const [first] = cells;
      if (!first) return [];
      const stationIds = [...new Set(cells.map((v) => v.stationId))];
      const { state, reason } = first;
      return { state, reason, stations: stationIds.length, stationIds: stationIds.slice(0, MAX_STATIONS_PER_CAUSE) };
    })
    .toSorted((a, b) => ABSENT_STATES.indexOf(a.state) - ABSENT_STATES.indexOf(b.state) || b.stations - a.stations)
    .slice(0, MAX_CAUSES);
}
