import { upperBound } from "#shared/time/search.ts";
import type { Sky } from "../data/sky.ts";
import type { Disc, SkyScene } from "./skyScene.ts";
import type { FigureTheme } from "./theme.ts";
import type { TrackPainter } from "./tracks.ts";

/** Whole time steps, counted from 1970, from `first` to before `end`. */
interface Steps {
  readonly stepMs: number;
  readonly first: number;
  readonly end: number;
}

/** Paints the tracks of whole steps, with each step cached as an image. */
interface TrackLayers {
  paint(ctx: CanvasRenderingContext2D, theme: FigureTheme, disc: Disc, scene: SkyScene, steps: Steps): void;
}

/** A track may skip two epochs: see `createSkyBuilder`. */
export const MAX_LINK_STEPS = 3;
/** More than half the line width. */
const MARGIN_PX = 2;

/**
 * Creates track layers: drawing a stroke takes hundreds of times as long as copying its image, so when the moment advances
 * by a step, only one step is drawn and the others are copied.
 */
export function createTrackLayers(tracks: TrackPainter): TrackLayers {
  const drawn = new Map<number, HTMLCanvasElement>();
  let spare: HTMLCanvasElement[] = [];
  let drawnInputs: readonly unknown[] = [];

  return {
    paint(ctx, theme, disc, scene, { stepMs, first, end }) {
      // The scale of the canvas, which is 2 in saved figures.
      const { a: ratio, e, f } = ctx.getTransform();
      const size = Math.ceil(2 * (disc.radius + MARGIN_PX) * ratio) + 1;
      const left = Math.floor((disc.x - disc.radius - MARGIN_PX) * ratio);
      const top = Math.floor((disc.y - disc.radius - MARGIN_PX) * ratio);
      const inputs = [scene, theme, stepMs, ratio, disc.x, disc.y, disc.radius];
      const isChanged = inputs.some((input, i) => input !== drawnInputs[i]);
      drawnInputs = inputs;
      for (const [step, layer] of drawn) {
        if (!isChanged && step >= first && step < end) continue;
        drawn.delete(step);
        spare.push(layer);
      }
      const drawStep = (step: number): HTMLCanvasElement => {
        const layer = spare.pop() ?? document.createElement("canvas");
        // Setting the size also clears the canvas.
        layer.width = layer.height = size;
        const layerCtx = layer.getContext("2d");
        layerCtx?.setTransform(ratio, 0, 0, ratio, -left, -top);
        const startMs = step * stepMs;
        // Includes the lines that lead to the step, which begin up to this many epochs before.
        const reach = entriesUpTo(scene.sky, startMs - MAX_LINK_STEPS * scene.sky.stepMs);
        const section = { from: entriesUpTo(scene.sky, startMs), to: entriesUpTo(scene.sky, startMs + stepMs), reach };
        if (layerCtx) tracks.paint(layerCtx, theme, disc, scene, section);
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
      // One spare canvas is enough for the next step.
      spare = spare.slice(0, 1);
    },
  };
}

/** Returns the number of entries up to a moment. */
export function entriesUpTo(sky: Sky, momentMs: number): number {
  return sky.offsets[upperBound(sky.timesMs, momentMs)] ?? 0;
}
