import type { ComparedSeries } from "./series.ts";

export interface Unmarked {
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
  readonly sigma: Float64Array | null;
  /** Values that are omitted. */
  readonly rejected: number;
}

/** Returns a series without its marked values, if they are to be omitted. */
export function unmarked(
  series: ComparedSeries & { readonly sigma: Float64Array | null },
  omitsMarked: boolean,
): Unmarked {
  const { timesMs, values, sigma, flags } = series;
  if (!omitsMarked || flags === null) return { timesMs, values, sigma, rejected: 0 };
  const keeps = (_: number, i: number): boolean => flags[i] === 0;
  const kept = values.filter(keeps);
  return {
    timesMs: timesMs.filter(keeps),
    values: kept,
    sigma: sigma?.filter(keeps) ?? null,
    rejected: values.length - kept.length,
  };
}

/** NaN where there are none. In two passes, so that a large offset costs no digits. */
export function meanOf(values: Float64Array): number {
  const first = values[0] ?? 0;
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! - first;
  return values.length === 0 ? Number.NaN : first + sum / values.length;
}
