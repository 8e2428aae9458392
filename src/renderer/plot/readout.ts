import { lowerBound } from "#shared/time/search.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { GAP_STEPS } from "#shared/plot/bins.ts";
import type { Track } from "#shared/plot/track.ts";

/** What a track has at a moment: the very row, or what is known of the column of time around it. */
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

/** The row nearest to a moment that has a value, at most `withinMs` away; the earlier one of two. */
export function nearestRow(
  track: Extract<Track, { kind: "rows" }>,
  momentMs: number,
  withinMs: number,
): Extract<ReadValue, { kind: "row" }> | null {
  const { timesMs, values, sigma } = track;
  const after = lowerBound(timesMs, momentMs);
  let best = -1;
  for (let i = after - 1; i >= 0 && momentMs - timesMs[i]! <= withinMs; i--) {
    if (Number.isNaN(values[i]!)) continue;
    best = i;
    break;
  }
  for (let i = after; i < timesMs.length && timesMs[i]! - momentMs <= withinMs; i++) {
    if (Number.isNaN(values[i]!)) continue;
    if (best < 0 || timesMs[i]! - momentMs < momentMs - timesMs[best]!) best = i;
    break;
  }
  if (best < 0) return null;
  return { kind: "row", timeMs: timesMs[best]!, value: values[best]!, sigma: sigma?.[best] ?? Number.NaN };
}

/** What a track shows at a moment; null where it has nothing there. */
export function readTrack(track: Track, momentMs: number): ReadValue | null {
  if (track.kind === "rows") return nearestRow(track, momentMs, track.stepMs * (GAP_STEPS / 2));
  const { data, range } = track;
  const columns = data.count.length;
  const columnMs = (range.endMs - range.startMs) / columns;
  // Columns may be narrower than the step of the values: the nearest one that has a value.
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
        count: data.count[c]!,
        min: data.min[c]!,
        max: data.max[c]!,
        mean: data.mean[c]!,
      };
    }
  }
  return null;
}

/** The moment that a cursor means: that of the nearest row of the tracks within `withinMs`, else its own. */
export function snapped(tracks: readonly Track[], momentMs: number, withinMs: number): number {
  let best = Number.NaN;
  for (const track of tracks) {
    if (track.kind !== "rows") continue;
    const row = nearestRow(track, momentMs, Math.max(withinMs, (track.stepMs * GAP_STEPS) / 2));
    if (row && !(Math.abs(best - momentMs) <= Math.abs(row.timeMs - momentMs))) best = row.timeMs;
  }
  return Number.isNaN(best) ? momentMs : best;
}
