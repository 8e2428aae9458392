import type { SeriesMode } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";

/** The cells of an active request. */
export interface Claim extends SeriesMode {
  readonly stationIds: readonly string[];
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
}

/** A claim that was taken. */
export interface HeldClaim {
  release(): void;
  /** Whether it still keeps others away: a process that was suspended for long may have lost it. */
  isHeld(): boolean;
}

/**
 * The cells that each job of a connection is fetching, so that two jobs with overlapping ranges never download the same
 * data. If a cell is claimed by another job, the job waits for that claim to end, then determines again what is missing:
 * the other job may have fetched it, or may have been cancelled.
 */
export interface Claims {
  /** Claims cells; null if an active claim overlaps with them. */
  claim(cells: Claim): HeldClaim | null;
  /** Claims a stored job, so that it runs only once at a time, and returns its release; null if it is running. */
  claimJob(jobId: string): (() => void) | null;
  /** Resolves when a claim was released, or may have been. */
  released(): Promise<void>;
  /** A number that changes whenever another process may have fetched something: earlier plans are then stale. */
  foreignVersion(): number;
}

export function createClaims(): Claims {
  const active = new Set<Claim>();
  const jobs = new Set<string>();
  let wakeCallbacks: (() => void)[] = [];
  return {
    claim(cells) {
      for (const other of active) if (overlap(cells, other)) return null;
      active.add(cells);
      return {
        release() {
          active.delete(cells);
          const callbacks = wakeCallbacks;
          wakeCallbacks = [];
          for (const wake of callbacks) wake();
        },
        isHeld: () => active.has(cells),
      };
    },
    claimJob(jobId) {
      if (jobs.has(jobId)) return null;
      jobs.add(jobId);
      return () => void jobs.delete(jobId);
    },
    foreignVersion: () => 0,
    released: () => new Promise((resolve) => wakeCallbacks.push(resolve)),
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
