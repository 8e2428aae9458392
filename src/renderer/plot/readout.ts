import { lowerBound } from "#shared/time/search.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { GAP_STEPS } from "#shared/plot/bins.ts";
import type { Track } from "#shared/plot/track.ts";

/** Distance within which the cursor snaps to a row. */
export const SNAP_PX = 4;

/** The content of a track at a moment: a row, or the statistics of a column of time. */
export type ReadValue =
  | { readonly kind: "row"; readonly timeMs: number; readonly value: number; readonly sigma: number }
  | {
      readonly kind: "column";
      readonly range: TimeRange;
      readonly count: number;
      readonly min: number;
      readonly max: number;
      readonly mean: number;
    };

/** Returns the nearest row with a value, at most `withinMs` away; the earlier of two equally near rows. */
export function nearestRow(
  track: Extract<Track, { kind: "rows" }>,
  momentMs: number,
  withinMs: number,
): Extract<ReadValue, { kind: "row" }> | null {
  const { timesMs, values, sigma } = track;
  const start = lowerBound(timesMs, momentMs);
  const rowAt = (i: number): Extract<ReadValue, { kind: "row" }> | null => {
    const [timeMs, value] = [timesMs[i], values[i]];
    if (timeMs === undefined || value === undefined || Math.abs(timeMs - momentMs) > withinMs) return null;
    return { kind: "row", timeMs, value, sigma: sigma?.[i] ?? Number.NaN };
  };
  const search = (from: number, step: 1 | -1): Extract<ReadValue, { kind: "row" }> | null => {
    for (let i = from; ; i += step) {
      const row = rowAt(i);
      if (row === null || !Number.isNaN(row.value)) return row;
    }
  };
  const [before, after] = [search(start - 1, -1), search(start, 1)];
  return before && after ? (after.timeMs - momentMs < momentMs - before.timeMs ? after : before) : (before ?? after);
}

/** Returns what a track shows at a moment, or null. */
export function readTrack(track: Track, momentMs: number): ReadValue | null {
  if (track.kind === "rows") return nearestRow(track, momentMs, track.stepMs * (GAP_STEPS / 2));
  const { data, range } = track;
  const columns = data.count.length;
  const columnMs = (range.endMs - range.startMs) / columns;
  // Columns may be narrower than the step of the values, so the nearest column with a value is used.
  const reachMs = track.stepMs * (GAP_STEPS / 2);
  const reach = Math.ceil(reachMs / columnMs);
  const here = Math.floor((momentMs - range.startMs) / columnMs);
  for (let away = 0; away <= reach; away++) {
    for (const c of away === 0 ? [here] : [here - away, here + away]) {
      if (c < 0 || c >= columns || data.count[c] === 0) continue;
      const startMs = range.startMs + c * columnMs;
      if (startMs - momentMs > reachMs || momentMs - startMs - columnMs > reachMs) continue;
      return {
        kind: "column",
        range: { startMs, endMs: startMs + columnMs },
        count: data.count[c] ?? 0,
        min: data.min[c] ?? Number.NaN,
        max: data.max[c] ?? Number.NaN,
        mean: data.mean[c] ?? Number.NaN,
      };
    }
  }
  return null;
}

/** Snaps a moment to the nearest row of the tracks within `withinMs`. */
export function snapToRow(tracks: readonly Track[], momentMs: number, withinMs: number): number {
  let best = Number.NaN;
  for (const track of tracks) {
    if (track.kind !== "rows") continue;
    const row = nearestRow(track, momentMs, Math.max(withinMs, (track.stepMs * GAP_STEPS) / 2));
    if (row && !(Math.abs(best - momentMs) <= Math.abs(row.timeMs - momentMs))) best = row.timeMs;
  }
  return Number.isNaN(best) ? momentMs : best;
}
