import type { SeriesMode } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";

/** Cells that a request is fetching now. */
export interface Claim extends SeriesMode {
  readonly stationIds: readonly string[];
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
}

/**
 * Records which job fetches what over one connection, so that two jobs with overlapping ranges never download them
 * twice. A job that meets another job's claim waits until it ends, then checks again what is missing: the other job may
 * have fetched it, or may have been cancelled.
 */
export interface Claims {
  /** Claims the cells; null if an active claim overlaps with them. */
  take(claim: Claim): (() => void) | null;
  /** Claims a stored job, so that it runs only once at a time; null if it is running. */
  takeJob(jobId: string): (() => void) | null;
  /** Resolves when any claim has ended, or may have ended. */
  changed(): Promise<void>;
  /** Changes whenever another process may have fetched something: earlier plans are then stale. */
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

/** Whether two claims share a cell. */
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
