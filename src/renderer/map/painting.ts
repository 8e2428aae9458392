/** The colours of the stations of a map. Group 0 has no value. */
export interface Painting {
  /** Of each station, its place among the colours. */
  readonly groups: Uint8Array;
  readonly colours: readonly string[];
  /** Whether the colours are steps of one scale, so that the mean of several means something. */
  readonly isScale: boolean;
  /** Of each station, 1 where its value is of another source than those of the others; absent where all are of one. */
  readonly apart?: Uint8Array;
}

const STEPS = 32;

/** Colours by where values lie between the ends of a scale; those beyond get the colour of the end. NaN has none. */
export function paintScale(
  values: Float64Array,
  [low, high]: readonly [number, number],
  steps: readonly string[],
  nothing: string,
): Painting {
  const groups = new Uint8Array(values.length);
  const last = steps.length - 1;
  for (let i = 0; i < values.length; i++) {
    const share = (values[i]! - low) / (high - low);
    if (!Number.isNaN(share)) groups[i] = 1 + Math.round(Math.min(1, Math.max(0, share)) * last);
  }
  return { groups, colours: [nothing, ...steps], isScale: true };
}

/** Colours by class; -1 has none. */
export function paintClasses(classes: readonly number[], colours: readonly string[], nothing: string): Painting {
  return { groups: Uint8Array.from(classes, (c) => c + 1), colours: [nothing, ...colours], isScale: false };
}

export const SCALE_STEPS = STEPS;

/** The group that stands for several stations: their mean on a scale, else the one they share; 0 where there is none. */
export function groupOfAll({ groups, isScale }: Painting, members: readonly number[]): number {
  const own = members.map((i) => groups[i]!).filter((g) => g > 0);
  if (own.length === 0) return 0;
  if (isScale) return Math.round(own.reduce((sum, g) => sum + g, 0) / own.length);
  return own.length === members.length && own.every((g) => g === own[0]) ? own[0]! : 0;
}

/** Shares of the values that lie outside the ends of a scale, on both sides: one bad value must not grey all others. */
const OUTSIDE = 0.02;

/**
 * Round ends of a scale around the values, at least as wide as before: while a snapshot plays, its colours keep their
 * meaning. null where there is no value at all.
 */
export function domainOf(
  values: Float64Array,
  stepSize: number,
  before: readonly [number, number] | null,
): readonly [number, number] | null {
  const sorted = values.filter((v) => Number.isFinite(v)).toSorted();
  if (sorted.length === 0) return before;
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))]!;
  const low = Math.min(Math.floor(at(OUTSIDE) / stepSize) * stepSize, before?.[0] ?? Infinity);
  const high = Math.max(Math.ceil(at(1 - OUTSIDE) / stepSize) * stepSize, before?.[1] ?? -Infinity);
  return high > low ? [low, high] : [low, low + stepSize];
}
