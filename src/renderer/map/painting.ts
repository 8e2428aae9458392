/** Colours of the stations on a map. Group 0 has no value. */
export interface Painting {
  /** Index into `colours` for each station. */
  readonly groups: Uint8Array;
  readonly colours: readonly string[];
  /** Whether the colours are steps of a scale, so that groups can be averaged. */
  readonly isScale: boolean;
  /** 1 for each station whose value is from another source than the others; absent if all are from one source. */
  readonly isOtherSource?: Uint8Array;
}

export const SCALE_STEPS = 32;

/** Colours stations by value on a scale; values beyond an end get the colour of that end, NaN gets none. */
export function paintScale(
  values: Float64Array,
  [low, high]: readonly [number, number],
  steps: readonly string[],
  noValue: string,
): Painting {
  const last = steps.length - 1;
  const groups = Uint8Array.from(values, (value) => {
    const share = (value - low) / (high - low);
    return Number.isNaN(share) ? 0 : 1 + Math.round(Math.min(1, Math.max(0, share)) * last);
  });
  return { groups, colours: [noValue, ...steps], isScale: true };
}

/** Colours stations by class; class -1 has no colour. */
export function paintClasses(classes: readonly number[], colours: readonly string[], noValue: string): Painting {
  return { groups: Uint8Array.from(classes, (c) => c + 1), colours: [noValue, ...colours], isScale: false };
}

/** Returns the group that represents several stations: their mean on a scale, else the one they share, or 0. */
export function commonGroup({ groups, isScale }: Painting, members: readonly number[]): number {
  const valued = members.map((i) => groups[i] ?? 0).filter((group) => group > 0);
  const [first] = valued;
  if (first === undefined) return 0;
  if (isScale) return Math.round(valued.reduce((sum, group) => sum + group, 0) / valued.length);
  return valued.length === members.length && valued.every((group) => group === first) ? first : 0;
}

/** Share of the values beyond each end of a scale, so that an outlier does not compress the colours of all others. */
const OUTSIDE_SHARE = 0.02;

/**
 * Returns round ends of a scale for the values, at least as wide as `before`, so that colours keep their meaning while
 * snapshots play. null if there is no value.
 */
export function scaleDomain(
  values: Float64Array,
  stepSize: number,
  before: readonly [number, number] | null,
): readonly [number, number] | null {
  const sorted = values.filter((v) => Number.isFinite(v)).toSorted();
  if (sorted.length === 0) return before;
  const quantile = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN;
  const low = Math.min(Math.floor(quantile(OUTSIDE_SHARE) / stepSize) * stepSize, before?.[0] ?? Infinity);
  const high = Math.max(Math.ceil(quantile(1 - OUTSIDE_SHARE) / stepSize) * stepSize, before?.[1] ?? -Infinity);
  return high > low ? [low, high] : [low, low + stepSize];
}

/** Widens the ends of a scale of anomalies, so that zero has the middle colour. */
export function aroundZero([low, high]: readonly [number, number]): readonly [number, number] {
  const largest = Math.max(Math.abs(low), Math.abs(high));
  return [-largest, largest];
}
