import { z } from "zod";
import type { PanelQuantity } from "#shared/plot/panel.ts";
import type { ValueBounds } from "#shared/plot/panels.ts";
import { type AxisBounds, isScalar, variableInfo } from "#shared/service/variables.ts";
import { count } from "#shared/text.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS, FIRST_MOMENT_MS, HOUR_MS, LAST_MOMENT_MS, MINUTE_MS, SECOND_MS } from "#shared/time/utc.ts";

// Movements of the visible range. During a movement, its ends may be fractions of a millisecond; `snapToUnits` rounds them.

export const MIN_VIEW_MS = 5 * SECOND_MS;
const MAX_VIEW_MS = 36_600 * DAY_MS;
/** 1950 to 2150: no receiver measures before or after. */
const FIRST_MS = Date.UTC(1950, 0, 1);
const LAST_MS = Date.UTC(2150, 0, 1);

/**
 * Zooms out (`factor` > 1) or in; `momentMs` keeps its position on the screen. A view that ends by now is not extended
 * beyond now, where there are no data, but further into the past.
 */
export function zoomAt(view: TimeRange, factor: number, momentMs: number, nowMs: number): TimeRange {
  const span = view.endMs - view.startMs;
  const wanted = Math.min(MAX_VIEW_MS, Math.max(MIN_VIEW_MS, span * factor));
  const around = momentMs - ((momentMs - view.startMs) / span) * wanted;
  const startMs = Math.min(around, Math.max(nowMs, view.endMs) - wanted);
  return clampView({ startMs, endMs: startMs + wanted });
}

export function panBy(view: TimeRange, ms: number): TimeRange {
  return clampView({ startMs: view.startMs + ms, endMs: view.endMs + ms });
}

/** Returns the range between two moments in any order, at least `MIN_VIEW_MS` long. */
export function rangeBetween(aMs: number, bMs: number): TimeRange {
  const startMs = Math.min(aMs, bMs);
  const endMs = Math.max(aMs, bMs);
  const missing = Math.max(0, MIN_VIEW_MS - (endMs - startMs));
  return clampView({ startMs: startMs - missing / 2, endMs: endMs + missing / 2 });
}

const UNITS_MS = [HOUR_MS, 10 * MINUTE_MS, MINUTE_MS, 10 * SECOND_MS];
const MIN_UNITS_IN_VIEW = 2_000;

/** Rounds the ends of a range to the largest readable unit that moves them by less than a pixel, at least to seconds. */
export function snapToUnits(view: TimeRange): TimeRange {
  const span = view.endMs - view.startMs;
  const unit = UNITS_MS.find((ms) => span / ms >= MIN_UNITS_IN_VIEW) ?? SECOND_MS;
  const startMs = Math.round(view.startMs / unit) * unit;
  return { startMs, endMs: Math.max(startMs + MIN_VIEW_MS, Math.round(view.endMs / unit) * unit) };
}

/** Returns a range of `times` the span around the view, in whole milliseconds, within the years that the core accepts. */
export function widen(view: TimeRange, times: number): TimeRange {
  const margin = ((view.endMs - view.startMs) * (times - 1)) / 2;
  return {
    startMs: Math.max(FIRST_MOMENT_MS, Math.floor(view.startMs - margin)),
    endMs: Math.min(LAST_MOMENT_MS, Math.ceil(view.endMs + margin)),
  };
}

/** Moves a range into the displayable years, keeping its span if possible. */
function clampView(view: TimeRange): TimeRange {
  const span = Math.min(view.endMs - view.startMs, LAST_MS - FIRST_MS);
  const startMs = Math.min(LAST_MS - span, Math.max(FIRST_MS, view.startMs));
  return { startMs, endMs: startMs + span };
}

// Bounds to which a value axis can be fixed: wide enough for any outlier, so that anything beyond is a typing error.

/** For series of files, which may contain anything: pascals, seconds since 1970, a mixing ratio. */
const UNRESTRICTED: AxisBounds = { min: -1e12, max: 1e12, minSpan: 1e-9 };
/** Smallest distance between bounds, as a share of their size, at which doubles can represent ticks. */
const MIN_SHARE = 1e-9;

function allowedBounds(key: string): AxisBounds {
  return isScalar(key) ? variableInfo(key).axis : UNRESTRICTED;
}

/** Returns why the axis of a quantity cannot be fixed from `low` to `high`, as a sentence; null if it can. */
export function boundsProblem(
  { key, short, unit }: Pick<PanelQuantity, "key" | "short" | "unit">,
  low: number | null,
  high: number | null,
): string | null {
  const allowed = allowedBounds(key);
  const { min, max, minSpan } = allowed;
  const withUnit = (text: string): string => (unit ? `${text} ${unit}` : text);
  if (low === null || high === null) return "Both bounds must be numbers.";
  if (!isWithin(allowed, low) || !isWithin(allowed, high))
    return `${short} can be shown from ${withUnit(`${signed(min)} to ${signed(max)}`)}.`;
  if (high <= low) return "The upper bound must be greater than the lower bound.";
  if (high - low < Math.max(minSpan, MIN_SHARE * Math.max(Math.abs(low), Math.abs(high))))
    return allowed !== UNRESTRICTED
      ? `The bounds must be at least ${withUnit(String(minSpan))} apart.`
      : "The bounds are too close together for an axis.";
  return null;
}

/** Whether a value is an allowed end of a quantity's axis. */
export function isPossibleBound({ key }: Pick<PanelQuantity, "key">, value: number | null): boolean {
  return value !== null && isWithin(allowedBounds(key), value);
}

function isWithin({ min, max }: AxisBounds, value: number): boolean {
  return value >= min && value <= max;
}

function signed(value: number): string {
  return count(value).replace("-", "−");
}

/** Stored bounds; impossible ones are dropped. */
export const boundsSchema: z.ZodType<ValueBounds> = z
  .record(z.string(), z.unknown())
  .catch({})
  .transform((kept) =>
    Object.fromEntries(
      Object.entries(kept).flatMap(([key, value]) => {
        const pair = z.tuple([z.number(), z.number()]).safeParse(value).data;
        return pair && boundsProblem({ key, short: "", unit: "" }, ...pair) === null ? [[key, pair]] : [];
      }),
    ),
  );
