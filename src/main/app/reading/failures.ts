import type { Verdict } from "#shared/job/verdict.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { type RangeSet, rangeSet } from "#shared/time/rangeset.ts";
import type { JobRecord, UserStore } from "../../store/index.ts";

/** Failures of stored jobs, which explain missing data. */
export interface KnownFailures {
  /** Ranges that were requested without success. */
  failed(stationId: string, variable: Variable): RangeSet;
  /** Whether the service refused the station to the last job that requested it. */
  isForbidden(stationId: string): boolean;
  /** Why the newest job failed for a part of the range; null if unknown. */
  reason(stationId: string, variable: Variable, range: TimeRange): string | null;
}

/** Reads the failures of the jobs of one connection and mode. */
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
  return failuresOf(ofMode.map((job) => (hasFailures(job) ? (users.verdicts(job.id) ?? []) : successOf(job))));
}

/** @param jobs verdicts of each job, newest first; each station needs at least one, other successful ones may be omitted */
function failuresOf(jobs: readonly (readonly KnownVerdict[])[]): KnownFailures {
  const failed = new Map<string, Failure[]>();
  const forbidden = new Map<string, boolean>();
  for (const verdicts of jobs) {
    const known = Map.groupBy(verdicts, (v) => v.stationId);
    for (const [stationId, verdictsOfStation] of known) {
      if (!forbidden.has(stationId))
        forbidden.set(
          stationId,
          verdictsOfStation.some((v) => v.state === "forbidden"),
        );
      for (const { variable, range, state, reason = null } of verdictsOfStation) {
        if (state !== "failed") continue;
        const key = `${stationId} ${variable}`;
        failed.set(key, [...(failed.get(key) ?? []), { range, reason }]);
      }
    }
  }
  return {
    failed: (stationId, variable) => rangeSet((failed.get(`${stationId} ${variable}`) ?? []).map((f) => f.range)),
    reason(stationId, variable, { startMs, endMs }) {
      const known = failed.get(`${stationId} ${variable}`) ?? [];
      return known.find(({ range }) => range.startMs < endMs && range.endMs > startMs)?.reason ?? null;
    },
    isForbidden: (stationId) => forbidden.get(stationId) ?? false,
  };
}

type KnownVerdict = Pick<Verdict, "stationId" | "variable" | "range" | "state"> & Partial<Pick<Verdict, "reason">>;
type Failure = Pick<Verdict, "range" | "reason">;

function hasFailures({ verdictCounts }: JobRecord): boolean {
  return (verdictCounts?.failed ?? 0) + (verdictCounts?.forbidden ?? 0) > 0;
}

/** Stands for the verdicts of a job without failures, which may be many and need not be read. */
function successOf({ spec: { stationIds, variables, range } }: JobRecord): KnownVerdict[] {
  const [variable] = variables;
  return variable ? stationIds.map((stationId) => ({ stationId, variable, range, state: "ok" })) : [];
}
