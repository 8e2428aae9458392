import { floorToInterval } from "#shared/time/interval.ts";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";

const STEPS_SECONDS = [30, 60, 300, 600, 900, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 604_800] as const;
/** As many moments as a slider is worth having. */
const MOST_MOMENTS = 400;

/** Seconds between the moments of a slider over the range: round, never shorter than the interval. */
export function stepOf(range: TimeRange, intervalSeconds: number | null): number {
  const least = Math.max(intervalSeconds ?? 0, durationMs(range) / 1_000 / MOST_MOMENTS);
  return STEPS_SECONDS.find((s) => s >= least) ?? Math.ceil(least / 604_800) * 604_800;
}

/** The moments of a slider: first, last and step, on the grid of UTC. */
export function momentsOf(range: TimeRange, stepSeconds: number): { readonly firstMs: UtcMs; readonly lastMs: UtcMs } {
  const lastMs = floorToInterval(range.endMs - 1, stepSeconds);
  const firstMs = Math.min(lastMs, floorToInterval(range.startMs + 1_000 * stepSeconds - 1, stepSeconds));
  return { firstMs, lastMs };
}

/** The moment of the slider nearest to one that may be anywhere. */
export function snapped(momentMs: UtcMs, range: TimeRange, stepSeconds: number): UtcMs {
  const { firstMs, lastMs } = momentsOf(range, stepSeconds);
  const stepMs = stepSeconds * 1_000;
  return Math.min(lastMs, Math.max(firstMs, Math.round(momentMs / stepMs) * stepMs));
}
