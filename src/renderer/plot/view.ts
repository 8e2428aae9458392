import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time/utc.ts";

// Movements of the visible range. During a movement, its ends may be fractions of a millisecond; `snapToUnits` rounds them.

export const MIN_VIEW_MS = 5 * SECOND_MS;
const MAX_VIEW_MS = 36_600 * DAY_MS;
/** 1950 to 2150: no receiver measures before or after. */
const FIRST_MS = Date.UTC(1950, 0, 1);
const LAST_MS = Date.UTC(2150, 0, 1);

/** Zooms out (`factor` > 1) or in; `momentMs` keeps its position on the screen. */
export function zoomAt(view: TimeRange, factor: number, momentMs: number): TimeRange {
  const span = view.endMs - view.startMs;
  const wanted = Math.min(MAX_VIEW_MS, Math.max(MIN_VIEW_MS, span * factor));
  const startMs = momentMs - ((momentMs - view.startMs) / span) * wanted;
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

/** Returns a range of `times` the span around the view, in whole milliseconds. */
export function widen(view: TimeRange, times: number): TimeRange {
  const margin = ((view.endMs - view.startMs) * (times - 1)) / 2;
  return { startMs: Math.floor(view.startMs - margin), endMs: Math.ceil(view.endMs + margin) };
}

/** Moves a range into the displayable years, keeping its span if possible. */
function clampView(view: TimeRange): TimeRange {
  const span = Math.min(view.endMs - view.startMs, LAST_MS - FIRST_MS);
  const startMs = Math.min(LAST_MS - span, Math.max(FIRST_MS, view.startMs));
  return { startMs, endMs: startMs + span };
}
