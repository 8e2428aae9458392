import type { TimeRange } from "../time/range.ts";

/**
 * Why there are no rows. In the order in which they are checked:
 * - beforeHistory: before the station's first observation
 * - noAccess: not requested, because the key has no access to the station
 * - failed: requested without a response
 * - notRequested: never requested
 * - mayStillArrive: requested, but data may still arrive
 * - filteredOut: observations exist, but the quality filter excludes them
 * - nothingSent: the station sent no observations
 * - nothingOrFiltered: one of the last two; the raw series is needed to distinguish them
 */
export const GAP_CAUSES = [
  "beforeHistory",
  "noAccess",
  "failed",
  "notRequested",
  "mayStillArrive",
  "filteredOut",
  "nothingSent",
  "nothingOrFiltered",
] as const;
export type GapCause = (typeof GAP_CAUSES)[number];

/** Why there is no value at a moment. */
export interface Absence {
  readonly cause: GapCause;
  /** For a failure: why, as a sentence; null if unknown. */
  readonly reason: string | null;
}

export interface Gap {
  readonly range: TimeRange;
  readonly cause: GapCause;
  /** For a failure: why, as a sentence, if known. For possibly filtered data: the present knowledge. */
  readonly reason?: string;
}

/** A range in which a solution probably converged again, by its uncertainty. */
export interface Convergence {
  /** From the first uncertain row to the first settled one. */
  readonly range: TimeRange;
  /** Uncertainty (standard deviation) of ZTD at the start and after convergence, mm. */
  readonly fromMm: number;
  readonly toMm: number;
}

/** Sums the gaps of several series by cause, in seconds, longest first. */
export function sumsByCause(
  found: readonly { readonly secondsByCause: Readonly<Partial<Record<GapCause, number>>> }[],
): (readonly [GapCause, number])[] {
  const sums = new Map<GapCause, number>();
  for (const { secondsByCause } of found) {
    for (const [cause, seconds] of Object.entries(secondsByCause) as [GapCause, number][])
      sums.set(cause, (sums.get(cause) ?? 0) + seconds);
  }
  return [...sums].toSorted(([, a], [, b]) => b - a);
}
