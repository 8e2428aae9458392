import { create } from "zustand";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { Sky } from "./sky.ts";

/** The moment of the sky plot; a store of its own, because it changes with every frame while playing. */
export const useMoment = create<{
  /** null: the last observation. */
  readonly momentMs: UtcMs | null;
  readonly isPlaying: boolean;
}>(() => ({ momentMs: null, isPlaying: false }));

/** Returns the selected moment if it is in the range, else the last epoch, else the end of the range. */
export function shownMoment(momentMs: UtcMs | null, sky: Sky, range: TimeRange): UtcMs {
  if (momentMs !== null && momentMs >= range.startMs && momentMs < range.endMs) return momentMs;
  return sky.timesMs.at(-1) ?? range.endMs - sky.stepMs;
}

/** Rounds a moment to the grid of steps, within the range. */
export function snapToStep(momentMs: number, { stepMs }: Pick<Sky, "stepMs">, range: TimeRange): UtcMs {
  const step = Math.round((momentMs - range.startMs) / stepMs);
  const last = Math.max(0, Math.ceil((range.endMs - range.startMs) / stepMs) - 1);
  return range.startMs + Math.min(last, Math.max(0, step)) * stepMs;
}
