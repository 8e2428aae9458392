import { epochAt } from "../data/sky.ts";
import { drawRings } from "./rings.ts";
import { drawSkyLegend } from "./skyLegend.ts";
import { createMarkPainter } from "./skyMarks.ts";
import { discIn, type SkyScene } from "./skyScene.ts";
import type { FigureTheme } from "./theme.ts";
import { createTrackLayers, entriesUpTo, LONGEST_LINK_STEPS } from "./trackLayers.ts";
import { createTrackPainter } from "./tracks.ts";

/** The moment of a sky, and the satellite that stands out: index into `prns`, -1 for none. */
export interface SkyMoment {
  readonly momentMs: number;
  readonly chosen: number;
}

/** Paints skies, keeping its working memory from frame to frame. */
export interface SkyPainter {
  paint(
    ctx: CanvasRenderingContext2D,
    width: number,
    height: number,
    theme: FigureTheme,
    scene: SkyScene,
    moment: SkyMoment,
  ): void;
}

/** A window of tracks is so many steps, each with a layer of its own. */
const LAYER_STEPS = 12;

/**
 * What does not change from moment to moment lies in layers: rings and legend, and the tracks of whole steps of time. In
 * each frame only the ends of the tracks are drawn, and the satellites.
 */
export function createSkyPainter(): SkyPainter {
  const tracks = createTrackPainter();
  const steps = createTrackLayers(tracks);
  const marks = createMarkPainter();
  let layer: HTMLCanvasElement | null = null;
  let inLayer: readonly unknown[] = [];

  return {
    paint(ctx, width, height, theme, scene, { momentMs, chosen }) {
      const { sky, windowMs } = scene;
      const disc = discIn(width, height);
      const stepMs = Math.max(sky.stepMs, windowMs / LAYER_STEPS);
      const endStep = Math.floor(momentMs / stepMs);
      const firstStep = Math.min(endStep, Math.ceil((momentMs - windowMs) / stepMs));
      const fromMs = firstStep * stepMs;
      const body = { from: entriesUpTo(sky, fromMs), to: entriesUpTo(sky, endStep * stepMs) };

      // The scale of the canvas: 2 in a picture that is saved.
      const { a: ratio, e: left, f: top } = ctx.getTransform();
      const wanted = [scene, theme, width, height, ratio];
      layer ??= document.createElement("canvas");
      if (wanted.some((part, i) => part !== inLayer[i])) {
        inLayer = wanted;
        layer.width = Math.ceil(width * ratio);
        layer.height = Math.ceil(height * ratio);
        const behind = layer.getContext("2d");
        if (!behind) return;
        behind.scale(ratio, ratio);
        drawRings(behind, theme, disc, scene.filter.cutOffDeg);
        drawSkyLegend(behind, theme, height, scene);
      }
      ctx.save();
      ctx.setTransform(1, 0, 0, 1, left, top);
      ctx.drawImage(layer, 0, 0);
      ctx.restore();

      if (windowMs > 0) {
        steps.paint(ctx, theme, disc, scene, { stepMs, first: firstStep, end: endStep });
        const first = entriesUpTo(sky, momentMs - windowMs);
        const tailTo = Math.min(body.to, entriesUpTo(sky, fromMs + LONGEST_LINK_STEPS * sky.stepMs));
        if (first < body.from) tracks.paint(ctx, theme, disc, scene, { from: first, to: tailTo, reach: first });
        const head = { from: Math.max(first, body.to), to: entriesUpTo(sky, momentMs), reach: first };
        tracks.paint(ctx, theme, disc, scene, head);
      }
      marks.paint(ctx, theme, disc, scene, epochAt(sky, momentMs), chosen);
    },
  };
}
