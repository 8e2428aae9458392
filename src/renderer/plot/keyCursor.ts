import { lowerBound } from "#shared/arrays.ts";
import { GAP_STEPS } from "#shared/plot/bins.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { SNAP_PX } from "./readout.ts";
import type { Track } from "#shared/plot/track.ts";

/** Step as a share of the view if there are no rows. */
const EMPTY_STEP = 0.02;

/**
 * Returns the next moment of the keyboard cursor: the nearest row with a value, at least one pixel away. At a gap, the
 * cursor stops once inside, so that the user notices the gap, and then moves to the first row after it.
 *
 * @param pixelMs milliseconds per pixel
 */
export function stepCursor(
  tracks: readonly Track[],
  momentMs: number,
  direction: 1 | -1,
  { view, pixelMs }: { readonly view: TimeRange; readonly pixelMs: number },
): number {
  const nearest = nearestStep(tracks, momentMs, direction, Math.max(1, pixelMs));
  if (nearest === null) return momentMs + direction * (view.endMs - view.startMs) * EMPTY_STEP;
  const { timeMs, stepMs } = nearest;
  // Beyond the distance within which the readout would still show the row before the gap.
  const gapStepMs = Math.max(stepMs * GAP_STEPS, pixelMs * (SNAP_PX + 1));
  const isOnRow = tracks.some((track) => hasRowAt(track, momentMs, Math.max(stepMs / 2, pixelMs)));
  const isFar = Math.abs(timeMs - momentMs) > gapStepMs;
  return isFar && isOnRow ? momentMs + direction * gapStepMs : timeMs;
}

function nearestStep(tracks: readonly Track[], momentMs: number, direction: 1 | -1, minStepMs: number) {
  let best: { readonly timeMs: number; readonly stepMs: number } | null = null;
  for (const track of tracks) {
    const timeMs = nextTime(track, momentMs, direction, minStepMs);
    if (timeMs === null || (best && Math.abs(best.timeMs - momentMs) <= Math.abs(timeMs - momentMs))) continue;
    best = { timeMs, stepMs: track.stepMs };
  }
  return best;
}

function nextTime(track: Track, momentMs: number, direction: 1 | -1, minStepMs: number): number | null {
  if (track.kind === "rows") {
    const { timesMs, values } = track;
    const first =
      direction > 0 ? lowerBound(timesMs, momentMs + minStepMs) : lowerBound(timesMs, momentMs - minStepMs + 1) - 1;
    for (let i = first; i >= 0 && i < timesMs.length; i += direction)
      if (!Number.isNaN(values[i] ?? Number.NaN)) return timesMs[i] ?? null;
    return null;
  }
  const { range, data } = track;
  const columnMs = (range.endMs - range.startMs) / data.count.length;
  const at = (momentMs + direction * minStepMs - range.startMs) / columnMs - 0.5;
  const first = direction > 0 ? Math.max(0, Math.ceil(at)) : Math.min(data.count.length - 1, Math.floor(at));
  for (let c = first; c >= 0 && c < data.count.length; c += direction)
    if ((data.count[c] ?? 0) > 0) return range.startMs + (c + 0.5) * columnMs;
  return null;
}

function hasRowAt(track: Track, momentMs: number, withinMs: number): boolean {
  return ([1, -1] as const).some((direction) => {
    const timeMs = nextTime(track, momentMs - direction * withinMs, direction, 0);
    return timeMs !== null && Math.abs(timeMs - momentMs) <= withinMs;
  });
}
