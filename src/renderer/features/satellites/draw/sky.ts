import { epochAt } from "../data/sky.ts";
import { createMarkPainter } from "./skyMarks.ts";
import { discIn, type SkyScene, type Disc } from "./skyScene.ts";
import type { FigureTheme } from "./theme.ts";
import { createTrackLayers, entriesUpTo, LONGEST_LINK_STEPS } from "./trackLayers.ts";
import { createTrackPainter } from "./tracks.ts";
import { CONSTELLATIONS, constellationAt } from "../constellations.ts";
import { drawScale } from "./legend.ts";
import { markPath } from "./marks.ts";

const CARDINALS: readonly (readonly [string, number, number])[] = [
  ["N", 0, -1],
  ["E", 1, 0],
  ["S", 0, 1],
  ["W", -1, 0],
];
const RING_LABELS = ["0°", "30°", "60°"];

/** Lines of azimuth and elevation, shaded below the cut-off. */
function drawRings(ctx: CanvasRenderingContext2D, theme: FigureTheme, disc: Disc, cutOffDeg: number): void {
  const { x, y, radius } = disc;
  if (cutOffDeg > 0) {
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
    ctx.arc(x, y, (radius * (90 - cutOffDeg)) / 90, 0, 2 * Math.PI, true);
    ctx.fillStyle = theme.shade;
    ctx.fill();
  }
  ctx.lineWidth = 1;
  ctx.strokeStyle = theme.line;
  ctx.beginPath();
  for (let azimuth = 0; azimuth < 180; azimuth += 30) {
    const dx = Math.sin((azimuth * Math.PI) / 180) * radius;
    const dy = Math.cos((azimuth * Math.PI) / 180) * radius;
    ctx.moveTo(x - dx, y + dy);
    ctx.lineTo(x + dx, y - dy);
  }
  for (let elevation = 15; elevation < 90; elevation += 15) {
    const r = (radius * (90 - elevation)) / 90;
    ctx.moveTo(x + r, y);
    ctx.arc(x, y, r, 0, 2 * Math.PI);
  }
  ctx.stroke();
  ctx.strokeStyle = theme.strong;
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.stroke();
  ctx.font = theme.bold;
  ctx.fillStyle = theme.text;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  for (let i = 0; i < CARDINALS.length; i++) {
    const [name, east, south] = CARDINALS[i]!;
    ctx.fillText(name, x + east * (radius + 10), y + south * (radius + 10));
  }
  ctx.font = theme.font;
  ctx.fillStyle = theme.quiet;
  ctx.textAlign = "left";
  for (let elevation = 0; elevation < 90; elevation += 30)
    ctx.fillText(RING_LABELS[elevation / 30]!, x + 3, y - (radius * (90 - elevation)) / 90 + 8);
  ctx.textBaseline = "alphabetic";
}

const SOLID: number[] = [];

/** Lines and marks of the constellations that are there, and the scale of C/N0. */
function drawSkyLegend(ctx: CanvasRenderingContext2D, theme: FigureTheme, height: number, scene: SkyScene): void {
  const { sky, filter } = scene;
  ctx.font = theme.font;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  let y = 12;
  for (let kind = 0; kind < CONSTELLATIONS.length; kind++) {
    if (filter.shown[kind] !== 1 || !sky.constellation.includes(kind)) continue;
    const { name, shape, dash } = constellationAt(kind);
    ctx.strokeStyle = theme.constellations[kind]!;
    ctx.lineWidth = 1.5;
    ctx.setLineDash(dash as number[]);
    ctx.beginPath();
    ctx.moveTo(2, y);
    ctx.lineTo(26, y);
    ctx.stroke();
    ctx.setLineDash(SOLID);
    markPath(ctx, shape, 14, y, 4);
    ctx.fillStyle = theme.surface;
    ctx.fill();
    ctx.strokeStyle = theme.text;
    ctx.lineWidth = 1;
    ctx.stroke();
    ctx.fillStyle = theme.text;
    ctx.fillText(name, 32, y + 0.5);
    y += 17;
  }
  ctx.textBaseline = "alphabetic";
  const barHeight = Math.min(120, height - y - 60);
  if (barHeight < 40) return;
  const top = height - barHeight - 12;
  drawScale(ctx, theme, 4, top, barHeight);
  ctx.fillStyle = theme.text;
  ctx.fillText(scene.scaleTitle, 4, top - 25);
}

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
