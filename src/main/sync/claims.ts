import type { SeriesMode } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";

/** Cells that a request is bringing right now. */
export interface Claim extends SeriesMode {
  readonly stationIds: readonly string[];
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
}

/**
 * Who is fetching what over one connection, so that two jobs that want overlapping ranges never download them twice.
 * A job that meets a foreign claim waits for its end and then looks again at what is still missing: the other one may
 * have brought it, or may have been cancelled.
 */
export interface Claims {
  /** Takes the cells, or answers null where a claim under way overlaps with them. */
  take(claim: Claim): (() => void) | null;
  /** Takes a kept job, so that it runs once at a time; null where it runs already. */
  takeJob(jobId: string): (() => void) | null;
  /** Resolves when any claim has ended, or may have. */
  changed(): Promise<void>;
  /** Another number after another process may have brought something: a plan made before that is stale. */
  foreign(): number;
}

export function createClaims(): Claims {
  const underWay = new Set<Claim>();
  const jobs = new Set<string>();
  let waiters: (() => void)[] = [];
  return {
    take(claim) {
      for (const other of underWay) if (overlap(claim, other)) return null;
      underWay.add(claim);
      return () => {
        underWay.delete(claim);
        const woken = waiters;
        waiters = [];
        for (const wake of woken) wake();
      };
    },
    takeJob(jobId) {
      if (jobs.has(jobId)) return null;
      jobs.add(jobId);
      return () => void jobs.delete(jobId);
    },
    foreign: () => 0,
    changed: () => new Promise((resolve) => waiters.push(resolve)),
  };
}

/** Whether two claims have a cell in common. */
export function overlap(a: Claim, b: Claim): boolean {
  return (
    a.raw === b.raw &&
    a.intervalSeconds === b.intervalSeconds &&
    a.range.startMs < b.range.endMs &&
    b.range.startMs < a.range.endMs &&
    a.variables.some((v) => b.variables.includes(v)) &&
    a.stationIds.some((s) => b.stationIds.includes(s))
  );
}
