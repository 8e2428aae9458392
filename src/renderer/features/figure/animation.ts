import { create } from "zustand";
import type { FigureSource } from "#shared/plot/figure/page.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** A figure that changes with time: what the dialog "Save animation" shows and writes. */
export interface AnimationSource {
  /** Without the extension. */
  readonly fileName: string;
  /** The moments that can be shown, as the slider has them. */
  readonly firstMs: UtcMs;
  readonly lastMs: UtcMs;
  readonly stepMs: number;
  /** The figure at each moment, in order, read as they are wanted. @throws with a sentence where one cannot be read */
  figures(momentsMs: readonly UtcMs[], signal: AbortSignal): AsyncIterable<FigureSource>;
}

export const useAnimation = create<{ readonly source: AnimationSource | null }>(() => ({ source: null }));

/** Opens the dialog with which an animation is saved. */
export function saveAnimation(source: AnimationSource): void {
  useAnimation.setState({ source });
}

export function closeAnimation(): void {
  useAnimation.setState({ source: null });
}

/** More take minutes to draw, and no one watches them to the end. */
export const MOST_FRAMES = 500;
const EVERY = [1, 2, 3, 6, 12, 24, 48, 96, 192] as const;

/** The moments of an animation, every so many steps of its source. */
export function momentsOf({ firstMs, lastMs, stepMs }: AnimationSource, every: number): UtcMs[] {
  const n = Math.floor((lastMs - firstMs) / (every * stepMs)) + 1;
  return Array.from({ length: Math.max(1, n) }, (_, i) => firstMs + i * every * stepMs);
}

/** Numbers of steps from frame to frame that make two frames at least, and not too many. */
export function strides(source: AnimationSource): readonly number[] {
  const fitting = EVERY.filter((every) => {
    const n = momentsOf(source, every).length;
    return n >= 2 && n <= MOST_FRAMES;
  });
  // Shorter than two steps, or longer than anything: one choice all the same.
  return fitting.length > 0
    ? fitting
    : [Math.ceil((source.lastMs - source.firstMs) / source.stepMs / MOST_FRAMES) || 1];
}
