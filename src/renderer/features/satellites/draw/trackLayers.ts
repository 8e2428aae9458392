import { upperBound } from "#shared/time/search.ts";
import type { Sky } from "../data/sky.ts";
import type { Disc, SkyScene } from "./skyScene.ts";
import type { FigureTheme } from "./theme.ts";
import type { TrackPainter } from "./tracks.ts";

/** Whole steps of time, counted from 1970: from `first` up to before `end`. */
export interface Steps {
  readonly stepMs: number;
  readonly first: number;
  readonly end: number;
}

/** Paints the tracks of whole steps, keeping each step as a picture of its own. */
export interface TrackLayers {
  paint(ctx: CanvasRenderingContext2D, theme: FigureTheme, disc: Disc, scene: SkyScene, steps: Steps): void;
}

/** A track may leave out two epochs: see `createSkyBuilder`. */
export const LONGEST_LINK_STEPS = 3;
/** Half a line, and some. */
const MARGIN_PX = 2;

/**
 * A stroke costs hundreds of times what a copy of its picture costs: where the moment moves on by a step, one step is
 * drawn and the others are copied.
 */
export function createTrackLayers(tracks: TrackPainter): TrackLayers {
  const drawn = new Map<number, HTMLCanvasElement>();
  let spare: HTMLCanvasElement[] = [];
  let isOf: readonly unknown[] = [];

  return {
    paint(ctx, theme, disc, scene, { stepMs, first, end }) {
      // The scale of the canvas: 2 in a picture that is saved.
      const { a: ratio, e, f } = ctx.getTransform();
      const size = Math.ceil(2 * (disc.radius + MARGIN_PX) * ratio) + 1;
      const left = Math.floor((disc.x - disc.radius - MARGIN_PX) * ratio);
      const top = Math.floor((disc.y - disc.radius - MARGIN_PX) * ratio);
      const wanted = [scene, theme, stepMs, ratio, disc.x, disc.y, disc.radius];
      const isOther = wanted.some((part, i) => part !== isOf[i]);
      isOf = wanted;
      for (const [step, layer] of drawn) {
        if (!isOther && step >= first && step < end) continue;
        drawn.delete(step);
        spare.push(layer);
      }
      const drawStep = (step: number): HTMLCanvasElement => {
        const layer = spare.pop() ?? document.createElement("canvas");
        // Also wipes what was on it.
        layer.width = layer.height = size;
        const on = layer.getContext("2d");
        on?.setTransform(ratio, 0, 0, ratio, -left, -top);
        const startMs = step * stepMs;
        // The lines that lead to it belong to it: they begin up to so many epochs before.
        const reach = entriesUpTo(scene.sky, startMs - LONGEST_LINK_STEPS * scene.sky.stepMs);
        const stretch = { from: entriesUpTo(scene.sky, startMs), to: entriesUpTo(scene.sky, startMs + stepMs), reach };
        if (on) tracks.paint(on, theme, disc, scene, stretch);
        return layer;
      };
      ctx.save();
      ctx.setTransform(1, 0, 0, 1, e, f);
      for (let step = first; step < end; step++) {
        const layer = drawn.get(step) ?? drawStep(step);
        drawn.set(step, layer);
        ctx.drawImage(layer, left, top);
      }
      ctx.restore();
      // One is enough for the next step; the others would only hold memory.
      spare = spare.slice(0, 1);
    },
  };
}

/** Entries of the epochs up to the moment. */
export function entriesUpTo(sky: Sky, momentMs: number): number {
  return sky.offsets[upperBound(sky.timesMs, momentMs)]!;
}
