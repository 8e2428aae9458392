import type { TimeRange } from "../time/range.ts";

/**
 * Why there are no rows. In the order in which they are tried:
 * - beforeHistory: before the station's first observation
 * - noEntitlement: not asked, because the key may not see the station
 * - failed: asked, and no answer came
 * - notAsked: never asked
 * - notFinal: asked, but data may still arrive
 * - filteredOut: observations exist, but the quality filter excludes them
 * - nothingSent: the station sent no observations
 * - nothingOrFiltered: one of these two; the raw series would tell
 */
export type GapCause =
  | "beforeHistory"
  | "noEntitlement"
  | "failed"
  | "notAsked"
  | "notFinal"
  | "filteredOut"
  | "nothingSent"
  | "nothingOrFiltered";

/** Why there is no value at a moment. */
export interface Absence {
  readonly cause: GapCause;
  /** Of what failed: why, as a sentence; null where it is not known. */
  readonly reason: string | null;
}

export interface Gap {
  readonly range: TimeRange;
  readonly cause: GapCause;
  /** Of what failed: why, as a sentence, where it is known; of what may be filtered out: what is known by now. */
  readonly reason?: string;
}

/** A stretch in which a solution may have converged anew: suggested by its uncertainty, never asserted. */
export interface Convergence {
  /** From the first uncertain row to the first settled one. */
  readonly range: TimeRange;
  /** Uncertainty (standard deviation) of ZTD at the beginning and settled, mm. */
  readonly fromMm: number;
  readonly toMm: number;
}

/** Seconds of all gaps of some series, however short, by cause; the longest first. */
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
