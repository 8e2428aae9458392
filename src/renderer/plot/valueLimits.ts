import type { ValueLimits } from "#shared/plot/panels.ts";
import { type AxisLimits, isScalar, variableInfo } from "#shared/service/variables.ts";
import { count } from "#shared/text.ts";
import type { PanelQuantity } from "#shared/plot/panel.ts";

// Where an axis of values can be fixed. Wide enough to look at any outlier; beyond it there is nothing but slips of the hand.

/** A file may hold anything: pascals, seconds since 1970, a mixing ratio. */
const ANYTHING: AxisLimits = { least: -1e12, most: 1e12, apart: 1e-9 };
/** Closer to each other than this share of their size, ticks are lost in the digits of a double. */
const LEAST_SHARE = 1e-9;

function possibleOf(key: string): AxisLimits {
  return isScalar(key) ? variableInfo(key).axis : ANYTHING;
}

/** Why an axis of a quantity cannot stand from `low` to `high`, in a sentence; null where it can. */
export function limitsProblem(
  { key, short, unit }: Pick<PanelQuantity, "key" | "short" | "unit">,
  low: number | null,
  high: number | null,
): string | null {
  const possible = possibleOf(key);
  const { least, most, apart } = possible;
  const withUnit = (text: string): string => (unit ? `${text} ${unit}` : text);
  if (low === null || high === null) return "Both limits have to be numbers.";
  if (!isWithin(possible, low) || !isWithin(possible, high))
    return `${short} can be shown from ${withUnit(`${signed(least)} to ${signed(most)}`)}.`;
  if (high <= low) return "The upper limit has to be above the lower one.";
  if (high - low < Math.max(apart, LEAST_SHARE * Math.max(Math.abs(low), Math.abs(high))))
    return possible !== ANYTHING
      ? `The limits have to be at least ${withUnit(String(apart))} apart.`
      : "The limits are too close to each other for an axis.";
  return null;
}

/** Whether an axis of a quantity can end at a value. */
export function isPossibleLimit({ key }: Pick<PanelQuantity, "key">, value: number | null): boolean {
  return value !== null && isWithin(possibleOf(key), value);
}

function isWithin({ least, most }: AxisLimits, value: number): boolean {
  return value >= least && value <= most;
}

function signed(value: number): string {
  return count(value).replace("-", "−");
}

const THOUSANDS = /^[-+]?\d{1,3}(,\d{3})+(\.\d*)?$/;

/** Digits with a point or a decimal comma, thousands apart or not, as this window writes them; null for anything else. */
export function typedNumber(text: string): number | null {
  const plain = text.trim().replace("−", "-");
  const tidy = THOUSANDS.test(plain) ? plain.replaceAll(",", "") : plain.replace(",", ".");
  // Number() also reads 0x10, and nothing at all as 0.
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(tidy)) return null;
  const value = Number(tidy);
  return Number.isFinite(value) ? value : null;
}

/** What was kept of fixed limits; whatever an axis could not be fixed to is left out. */
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
