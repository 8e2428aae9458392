import { NO_VALUE } from "../text.ts";

/** Statistics of the values of one variable in a range, in its unit; NaN if there are too few values. */
export interface ValueStatistics {
  /** Rows with a value. */
  readonly n: number;
  readonly mean: number;
  /** Sample standard deviation (n - 1). */
  readonly std: number;
  readonly min: number;
  readonly max: number;
  readonly p5: number;
  readonly p50: number;
  readonly p95: number;
}

export interface Statistics extends ValueStatistics {
  /** Epochs, or intervals, in which the station could have observed: none before its first observation or after now. */
  readonly expected: number;
  /** The expected ones in the time that was requested and answered. */
  readonly requested: number;
}

// The one definition of completeness, and the one way to write it, in all views, files and commands.

/**
 * Returns the completeness of a series: received values as a share of the epochs, or intervals, in the time that was
 * requested and answered. Time before the first observation, in the future, never requested or requested without success
 * is not counted. null if no time was requested.
 */
export function completeness(received: number, requested: number): number | null {
  return requested > 0 ? Math.min(1, received / requested) : null;
}

/** Rounds a share to percent with these decimals, as a share; 1 only if complete, 0 only if empty. */
export function roundedShare(share: number, decimals = 1): number {
  if (share <= 0 || share >= 1) return Math.min(1, Math.max(0, share));
  const parts = 100 * 10 ** decimals;
  return Math.min(parts - 1, Math.max(1, Math.round(share * parts))) / parts;
}

/** Formats a share: "98.2 %", "100 %" only if complete, "0 %" only if empty, "–" if unknown. */
export function percent(share: number | null, decimals = 1): string {
  if (share === null) return NO_VALUE;
  const rounded = roundedShare(share, decimals);
  return `${(rounded * 100).toFixed(rounded === 0 || rounded === 1 ? 0 : decimals)} %`;
}
