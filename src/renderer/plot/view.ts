import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time/utc.ts";

// Moves of the visible range. While a hand moves it, its ends may be fractions of a millisecond; `settled` ends that.

export const SHORTEST_VIEW_MS = 5 * SECOND_MS;
export const LONGEST_VIEW_MS = 36_600 * DAY_MS;
/** 1950 to 2150: before and after, no receiver ever measured. */
const FIRST_MS = Date.UTC(1950, 0, 1);
const LAST_MS = Date.UTC(2150, 0, 1);

/** Longer (`factor` > 1) or shorter, the moment staying where it is on the screen. */
export function zoomAt(view: TimeRange, factor: number, momentMs: number): TimeRange {
  const span = view.endMs - view.startMs;
  const wanted = Math.min(LONGEST_VIEW_MS, Math.max(SHORTEST_VIEW_MS, span * factor));
  const startMs = momentMs - ((momentMs - view.startMs) / span) * wanted;
  return kept({ startMs, endMs: startMs + wanted });
}

export function zoomAtMiddle(view: TimeRange, factor: number): TimeRange {
  return zoomAt(view, factor, (view.startMs + view.endMs) / 2);
}

export function panBy(view: TimeRange, ms: number): TimeRange {
  return kept({ startMs: view.startMs + ms, endMs: view.endMs + ms });
}

/** From one moment to another in whatever order; never shorter than a view may be. */
export function between(aMs: number, bMs: number): TimeRange {
  const startMs = Math.min(aMs, bMs);
  const endMs = Math.max(aMs, bMs);
  const short = SHORTEST_VIEW_MS - (endMs - startMs);
  return kept(short > 0 ? { startMs: startMs - short / 2, endMs: endMs + short / 2 } : { startMs, endMs });
}

/** Units that a range ends on, as a person would write it: the largest that moves an end by less than a pixel, or seconds. */
const UNITS_MS = [HOUR_MS, 10 * MINUTE_MS, MINUTE_MS, 10 * SECOND_MS];
const UNITS_IN_VIEW = 2_000;

/** On whole units, as a range is kept, sent and read. */
export function settled(view: TimeRange): TimeRange {
  const span = view.endMs - view.startMs;
  const unit = UNITS_MS.find((ms) => span / ms >= UNITS_IN_VIEW) ?? SECOND_MS;
  const startMs = Math.round(view.startMs / unit) * unit;
  return { startMs, endMs: Math.max(startMs + SHORTEST_VIEW_MS, Math.round(view.endMs / unit) * unit) };
}

/** `times` the span, with the view in the middle, in whole milliseconds. */
export function around(view: TimeRange, times: number): TimeRange {
  const more = ((view.endMs - view.startMs) * (times - 1)) / 2;
  return { startMs: Math.floor(view.startMs - more), endMs: Math.ceil(view.endMs + more) };
}

/** Inside of what can be shown, its span kept where it fits. */
function kept(view: TimeRange): TimeRange {
  const span = Math.min(view.endMs - view.startMs, LAST_MS - FIRST_MS);
  const startMs = Math.min(LAST_MS - span, Math.max(FIRST_MS, view.startMs));
  return { startMs, endMs: startMs + span };
}
