import { decimal, exponential } from "../text.ts";

/** The rectangle of a plot in pixels of the canvas, and the values at its lower (`low`) and upper edge (`high`). */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly low: number;
  readonly high: number;
}

/** Margin above and below the values, as a share of their span. */
const PADDING = 0.08;

/** Returns bounds of an axis for values from `low` to `high`; NaN without values. */
export function paddedBounds(low: number, high: number): [number, number] {
  if (!(low <= high)) return [Number.NaN, Number.NaN];
  // Equal values would cause a division by zero.
  const padding = Math.max((high - low) * PADDING, Math.abs(high) * 1e-6, 1e-3);
  return high === low ? [low - Math.max(1, padding), high + Math.max(1, padding)] : [low - padding, high + padding];
}

export function yOf(box: Box, value: number): number {
  return box.top + box.height - ((value - box.low) / (box.high - box.low)) * box.height;
}

/** Rounds a positive amount up to 1, 2 or 5 times a power of ten. */
export function roundUp(amount: number): number {
  const power = 10 ** Math.floor(Math.log10(amount));
  const factor = [1, 2, 5].find((f) => f * power >= amount * (1 - 1e-9)) ?? 10;
  return factor * power;
}

interface ValueTicks {
  /** Strictly ascending, inside the bounds. */
  readonly values: readonly number[];
  /** Decimals that distinguish the values. */
  readonly decimals: number;
}

/** Returns at most about `maxParts` ticks of a value axis; none if the bounds are not finite. */
export function valueTicks(min: number, max: number, maxParts: number): ValueTicks {
  if (!(max > min) || !Number.isFinite(max - min)) return { values: [], decimals: 0 };
  const step = roundUp((max - min) / Math.max(1, maxParts));
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const values: number[] = [];
  for (let n = Math.ceil(min / step - 1e-9); n * step <= max + step * 1e-9; n++) {
    const value = n * step;
    // A step below the precision of the values would never end.
    if (value <= (values.at(-1) ?? -Infinity)) break;
    if (value >= min && value <= max) values.push(value);
  }
  return { values, decimals };
}

/** From here on, and with more decimals than these, labels would be wider than the axis. */
const LARGEST_LABEL = 1e7;
const MAX_DECIMALS = 5;

/** Formats a tick, so that the labels of all ticks differ and fit beside the axis. */
export function valueTickText(value: number, { values, decimals }: ValueTicks): string {
  const [first = value, second = first] = values;
  const largest = Math.max(Math.abs(first), Math.abs(values.at(-1) ?? value));
  if (largest < LARGEST_LABEL && decimals <= MAX_DECIMALS) return decimal(value, decimals);
  const digits = Math.floor(Math.log10(largest)) - Math.floor(Math.log10(second - first) + 1e-9);
  return exponential(value, Number.isFinite(digits) ? Math.min(15, Math.max(0, digits)) : undefined);
}
