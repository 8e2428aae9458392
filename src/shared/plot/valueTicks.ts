/** A step of 1, 2 or 5 times a power of ten that divides the span into at most `most` parts, which is no whole number where it says how much room there is. */
export function niceStep(span: number, most: number): number {
  const rough = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5].find((f) => f * power >= rough * (1 - 1e-9)) ?? 10;
  return factor * power;
}

export interface ValueTicks {
  /** Strictly ascending, inside the limits. */
  readonly values: readonly number[];
  /** Digits after the point that tell them apart. */
  readonly decimals: number;
}

/** Ticks of an axis of values; none where the limits are no numbers. */
export function valueTicks(min: number, max: number, most: number): ValueTicks {
  if (!(max > min) || !Number.isFinite(max - min)) return { values: [], decimals: 0 };
  const step = niceStep(max - min, most);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const values: number[] = [];
  for (let n = Math.ceil(min / step - 1e-9); n * step <= max + step * 1e-9; n++) {
    const value = n * step;
    // A step that is lost in the digits of the values would never end.
    if (value <= (values.at(-1) ?? -Infinity)) break;
    if (value >= min && value <= max) values.push(value);
  }
  return { values, decimals };
}
