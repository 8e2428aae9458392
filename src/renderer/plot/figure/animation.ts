import type { FigureSource } from "#shared/plot/figure/page.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** A figure over time, for the dialog "Save animation". */
export interface AnimationSource {
  /** Without the extension. */
  readonly fileName: string;
  /** Available moments, as in the slider of the view. */
  readonly firstMs: UtcMs;
  readonly lastMs: UtcMs;
  readonly stepMs: number;
  /** Returns the figures of moments, in order, loaded on demand. @throws with a sentence if one cannot be loaded */
  figures(momentsMs: readonly UtcMs[], signal: AbortSignal): AsyncIterable<FigureSource>;
}

/** More frames take minutes to draw. */
const MAX_FRAMES = 500;
const EVERY = [1, 2, 3, 6, 12, 24, 48, 96, 192] as const;

/** Returns the moments of an animation, which ends at the last moment of the view. @param every steps of the source per frame */
export function frameMoments({ firstMs, lastMs, stepMs }: AnimationSource, every: number): UtcMs[] {
  const n = Math.ceil((lastMs - firstMs) / (every * stepMs)) + 1;
  return Array.from({ length: Math.max(1, n) }, (_, i) => Math.min(lastMs, firstMs + i * every * stepMs));
}

/** Returns the possible numbers of steps per frame, which give 2 to `MAX_FRAMES` frames. */
export function strides(source: AnimationSource): readonly number[] {
  const fitting = EVERY.filter((every) => {
    const n = frameMoments(source, every).length;
    return n >= 2 && n <= MAX_FRAMES;
  });
  // For very short or very long ranges, there is still one choice.
  return fitting.length > 0 ? fitting : [Math.ceil((source.lastMs - source.firstMs) / source.stepMs / MAX_FRAMES) || 1];
}
