import type { ValueLimits } from "#shared/plot/panels.ts";
import { type AxisLimits, isScalar, variableInfo } from "#shared/service/variables.ts";
import { count } from "#shared/text.ts";
import type { PanelQuantity } from "#shared/plot/panel.ts";

// Limits to which a value axis can be fixed: wide enough for any outlier, so that anything beyond is a typing error.

/** For series of files, which may contain anything: pascals, seconds since 1970, a mixing ratio. */
const UNRESTRICTED: AxisLimits = { min: -1e12, max: 1e12, minSpan: 1e-9 };
/** Smallest distance between limits, as a share of their size, at which doubles can represent ticks. */
const MIN_SHARE = 1e-9;

function allowedLimits(key: string): AxisLimits {
  return isScalar(key) ? variableInfo(key).axis : UNRESTRICTED;
}

/** Returns why the axis of a quantity cannot be fixed from `low` to `high`, as a sentence; null if it can. */
export function limitsProblem(
  { key, short, unit }: Pick<PanelQuantity, "key" | "short" | "unit">,
  low: number | null,
  high: number | null,
): string | null {
  const allowed = allowedLimits(key);
  const { min, max, minSpan } = allowed;
  const withUnit = (text: string): string => (unit ? `${text} ${unit}` : text);
  if (low === null || high === null) return "Both limits must be numbers.";
  if (!isWithin(allowed, low) || !isWithin(allowed, high))
    return `${short} can be shown from ${withUnit(`${signed(min)} to ${signed(max)}`)}.`;
  if (high <= low) return "The upper limit must be greater than the lower limit.";
  if (high - low < Math.max(minSpan, MIN_SHARE * Math.max(Math.abs(low), Math.abs(high))))
    return allowed !== UNRESTRICTED
      ? `The limits must be at least ${withUnit(String(minSpan))} apart.`
      : "The limits are too close together for an axis.";
  return null;
}

/** Whether a value is an allowed end of a quantity's axis. */
export function isPossibleLimit({ key }: Pick<PanelQuantity, "key">, value: number | null): boolean {
  return value !== null && isWithin(allowedLimits(key), value);
}

function isWithin({ min, max }: AxisLimits, value: number): boolean {
  return value >= min && value <= max;
}

function signed(value: number): string {
  return count(value).replace("-", "−");
}

/** Reads stored limits; invalid ones are dropped. */
export function readLimits(kept: unknown): ValueLimits {
  if (typeof kept !== "object" || kept === null) return {};
  return Object.fromEntries(
    Object.entries(kept).filter(([key, pair]) => {
      if (!Array.isArray(pair) || pair.length !== 2) return false;
      const [low, high] = pair as readonly unknown[];
      if (typeof low !== "number" || typeof high !== "number") return false;
      return limitsProblem({ key, short: "", unit: "" }, low, high) === null;
    }),
  );
}
