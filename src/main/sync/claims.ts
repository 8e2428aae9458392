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
  /** Resolves when any claim has ended. */
  changed(): Promise<void>;
}

export function createClaims(): Claims {
  const underWay = new Set<Claim>();
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
    changed: () => new Promise((resolve) => waiters.push(resolve)),
  };
}

function overlap(a: Claim, b: Claim): boolean {
  return (
    a.raw === b.raw &&
    a.intervalSeconds === b.intervalSeconds &&
    a.range.startMs < b.range.endMs &&
    b.range.startMs < a.range.endMs &&
    a.variables.some((v) => b.variables.includes(v)) &&
    a.stationIds.some((s) => b.stationIds.includes(s))
  );
}
