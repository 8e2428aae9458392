import { epochAt, lastEpochUpTo, type Sky } from "../sky.ts";
import { drawRings } from "./rings.ts";
import { drawSkyLegend } from "./skyLegend.ts";
import { createMarkPainter } from "./skyMarks.ts";
import { discIn, type SkyScene } from "./skyScene.ts";
import type { FigureTheme } from "./theme.ts";
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

/** A window of tracks is so many steps of the layer behind: it is drawn anew when the moment leaves one. */
const LAYER_STEPS = 12;
/** A track may leave out two epochs: see `createSkyBuilder`. */
const LONGEST_LINK_STEPS = 3;

/**
 * What changes little from moment to moment lies in a layer: rings, legend, and the tracks up to the last whole step. In
 * each frame only the ends of the tracks are drawn, and the satellites.
 */
export function createSkyPainter(): SkyPainter {
  const tracks = createTrackPainter();
  const marks = createMarkPainter();
  let layer: HTMLCanvasElement | null = null;
  let inLayer: readonly unknown[] = [];

  return {
    paint(ctx, width, height, theme, scene, { momentMs, chosen }) {
      const { sky, windowMs } = scene;
      const disc = discIn(width, height);
      const stepMs = Math.max(sky.stepMs, windowMs / LAYER_STEPS);
      const untilMs = Math.floor(momentMs / stepMs) * stepMs;
      const fromMs = Math.min(untilMs, Math.ceil((momentMs - windowMs) / stepMs) * stepMs);
      const body = { from: entriesUpTo(sky, fromMs), to: entriesUpTo(sky, untilMs) };

      // The scale of the canvas: 2 in a picture that is saved.
      const { a: ratio, e: left, f: top } = ctx.getTransform();
      const wanted = [scene, theme, width, height, ratio, body.from, body.to];
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
        tracks.paint(behind, theme, disc, scene, { ...body, reach: body.from });
      }
      ctx.save();
      ctx.setTransform(1, 0, 0, 1, left, top);
      ctx.drawImage(layer, 0, 0);
      ctx.restore();

      if (windowMs > 0) {
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

/** Entries of the epochs up to the moment. */
function entriesUpTo(sky: Sky, momentMs: number): number {
  return sky.offsets[lastEpochUpTo(sky, momentMs) + 1]!;
}
