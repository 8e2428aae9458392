import type { Verdict } from "#shared/job/verdict.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { type RangeSet, rangeSet } from "#shared/time/rangeset.ts";
import type { JobRecord, UserStore } from "../../store/types.ts";

/** What kept jobs tell of which parts of the cache are missing for a reason. */
export interface KnownAbsence {
  /** What was asked in vain. */
  failed(stationId: string, variable: Variable): RangeSet;
  /** Whether the service refused the station to the last job that asked for it. */
  isForbidden(stationId: string): boolean;
}

/** The same with the reasons. */
export interface KnownFailures extends KnownAbsence {
  /** Why the service was asked in vain for any part of the range, as the newest job tells it; null where nobody knows. */
  reason(stationId: string, variable: Variable, range: TimeRange): string | null;
}

/** Verdicts of the jobs of one connection and mode. */
export function knownFailures(
  users: Pick<UserStore, "jobs" | "verdicts">,
  connectionId: string,
  mode: SeriesMode,
): KnownFailures {
  const jobs = users.jobs().filter((job) => job.connectionId === connectionId && job.verdictCounts !== null);
  const newestFirst = jobs.toSorted((a, b) => b.updatedAtMs - a.updatedAtMs);
  const ofMode = newestFirst.filter(
    ({ spec }) => spec.intervalSeconds === mode.intervalSeconds && spec.raw === mode.raw,
  );
  return failuresOf(ofMode.map((job) => (hasFailures(job) ? (users.verdicts(job.id) ?? []) : forgiving(job))));
}

/** @param jobs verdicts of each job, the newest first; what is neither failed nor forbidden may be left out but one */
export function failuresOf(jobs: readonly (readonly ToldVerdict[])[]): KnownFailures {
  const failed = new Map<string, Failure[]>();
  const forbidden = new Map<string, boolean>();
  for (const verdicts of jobs) {
    const told = Map.groupBy(verdicts, (v) => v.stationId);
    for (const [stationId, own] of told) {
      if (!forbidden.has(stationId))
        forbidden.set(
          stationId,
          own.some((v) => v.state === "forbidden"),
        );
      for (const { variable, range, state, reason = null } of own) {
        if (state !== "failed") continue;
        const key = `${stationId} ${variable}`;
        failed.set(key, [...(failed.get(key) ?? []), { range, reason }]);
      }
    }
  }
  return {
    failed: (stationId, variable) => rangeSet((failed.get(`${stationId} ${variable}`) ?? []).map((f) => f.range)),
    reason(stationId, variable, { startMs, endMs }) {
      const told = failed.get(`${stationId} ${variable}`) ?? [];
      return told.find(({ range }) => range.startMs < endMs && range.endMs > startMs)?.reason ?? null;
    },
    isForbidden: (stationId) => forbidden.get(stationId) ?? false,
  };
}

type ToldVerdict = Pick<Verdict, "stationId" | "variable" | "range" | "state"> & Partial<Pick<Verdict, "reason">>;
type Failure = Pick<Verdict, "range" | "reason">;

function hasFailures({ verdictCounts }: JobRecord): boolean {
  return (verdictCounts?.failed ?? 0) + (verdictCounts?.forbidden ?? 0) > 0;
}

/** A job without failures: its stations were not refused. Its verdicts, which may be many, need not be read for that. */
function forgiving({ spec: { stationIds, variables, range } }: JobRecord): ToldVerdict[] {
  return stationIds.map((stationId) => ({ stationId, variable: variables[0]!, range, state: "ok" }));
}
