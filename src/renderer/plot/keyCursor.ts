import { lowerBound } from "#shared/time/search.ts";
import { GAP_STEPS } from "#shared/plot/bins.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { Track } from "#shared/plot/track.ts";

/** Where there is nothing to step to, a step is this share of the view. */
const EMPTY_STEP = 0.02;

/**
 * Where a cursor of the keyboard goes next: to the nearest row with a value, at least a pixel away. In front of a gap it
 * stops once inside, so that the gap is noticed, and then goes to the first row behind it.
 *
 * @param pixelMs milliseconds that a pixel stands for
 */
export function steppedMoment(
  tracks: readonly Track[],
  momentMs: number,
  direction: 1 | -1,
  { view, pixelMs }: { readonly view: TimeRange; readonly pixelMs: number },
): number {
  const nearest = nearestOf(tracks, momentMs, direction, Math.max(1, pixelMs));
  if (nearest === null) return momentMs + direction * (view.endMs - view.startMs) * EMPTY_STEP;
  const { timeMs, stepMs } = nearest;
  const gapStepMs = Math.max(stepMs, pixelMs) * GAP_STEPS;
  const isOnRow = tracks.some((track) => hasRowAt(track, momentMs, Math.max(stepMs / 2, pixelMs)));
  const isFar = Math.abs(timeMs - momentMs) > gapStepMs;
  return isFar && isOnRow ? momentMs + direction * gapStepMs : timeMs;
}

function nearestOf(tracks: readonly Track[], momentMs: number, direction: 1 | -1, leastMs: number) {
  let best: { readonly timeMs: number; readonly stepMs: number } | null = null;
  for (const track of tracks) {
    const timeMs = nextOf(track, momentMs, direction, leastMs);
    if (timeMs === null || (best && Math.abs(best.timeMs - momentMs) <= Math.abs(timeMs - momentMs))) continue;
    best = { timeMs, stepMs: track.stepMs };
  }
  return best;
}

function nextOf(track: Track, momentMs: number, direction: 1 | -1, leastMs: number): number | null {
  if (track.kind === "rows") {
    const { timesMs, values } = track;
    const first =
      direction > 0 ? lowerBound(timesMs, momentMs + leastMs) : lowerBound(timesMs, momentMs - leastMs + 1) - 1;
    for (let i = first; i >= 0 && i < timesMs.length; i += direction) if (!Number.isNaN(values[i]!)) return timesMs[i]!;
    return null;
  }
  const { range, data } = track;
  const columnMs = (range.endMs - range.startMs) / data.count.length;
  const at = (momentMs + direction * leastMs - range.startMs) / columnMs - 0.5;
  const first = direction > 0 ? Math.max(0, Math.ceil(at)) : Math.min(data.count.length - 1, Math.floor(at));
  for (let c = first; c >= 0 && c < data.count.length; c += direction)
    if (data.count[c]! > 0) return range.startMs + (c + 0.5) * columnMs;
  return null;
}

function hasRowAt(track: Track, momentMs: number, withinMs: number): boolean {
  return [1, -1].some((direction) => {
    const timeMs = nextOf(track, momentMs - direction * withinMs, direction as 1 | -1, 0);
    return timeMs !== null && Math.abs(timeMs - momentMs) <= withinMs;
  });
}
