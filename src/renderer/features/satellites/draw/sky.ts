import { constellationIndex, entriesAt, epochAt, prnAt } from "../data/sky.ts";
import { type Disc, discIn, positionIn, type SkyScene } from "./skyScene.ts";
import { type Paper, type Pen, scaleColour } from "./theme.ts";
import { createTrackLayers, createTrackPainter, entriesUpTo, MAX_LINK_STEPS } from "./tracks.ts";
import { constellationAt, CONSTELLATIONS } from "../constellations.ts";
import { drawScale } from "./axes.ts";
import { markPath } from "./marks.ts";

const CARDINALS: readonly (readonly [string, number, number])[] = [
  ["N", 0, -1],
  ["E", 1, 0],
  ["S", 0, 1],
  ["W", -1, 0],
];
const LABELLED_ELEVATIONS = [0, 30, 60];

/** Draws lines of azimuth and elevation, and shades the area below the cut-off. */
function drawRings({ ctx, theme }: Pen, disc: Disc, cutOffDeg: number): void {
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
  for (const [name, east, south] of CARDINALS) {
    ctx.fillText(name, x + east * (radius + 10), y + south * (radius + 10));
  }
  ctx.font = theme.font;
  ctx.fillStyle = theme.quiet;
  ctx.textAlign = "left";
  for (const elevation of LABELLED_ELEVATIONS)
    ctx.fillText(`${elevation}°`, x + 3, y - (radius * (90 - elevation)) / 90 + 8);
  ctx.textBaseline = "alphabetic";
}

const SOLID: number[] = [];

/** Draws the legend of the shown constellations, and the scale of C/N0. */
function drawSkyLegend(paper: Paper, scene: SkyScene): void {
  const { ctx, theme, height } = paper;
  const { sky, filter } = scene;
  ctx.font = theme.font;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  let y = 12;
  for (let kind = 0; kind < CONSTELLATIONS.length; kind++) {
    if (filter.shown[kind] !== 1 || !sky.constellation.includes(kind)) continue;
    const { name, shape, dash } = constellationAt(kind);
    ctx.strokeStyle = theme.constellations[kind] ?? theme.text;
    ctx.lineWidth = 1.5;
    ctx.setLineDash(dash as number[]);
    ctx.beginPath();
    ctx.moveTo(2, y);
    ctx.lineTo(26, y);
    ctx.stroke();
    ctx.setLineDash(SOLID);
    markPath(ctx, shape, { x: 14, y }, 4);
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
  drawScale(paper, { left: 4, top, height: barHeight });
  ctx.fillStyle = theme.text;
  ctx.fillText(scene.scaleTitle, 4, top - 25);
}

/** The moment of a sky plot, and the highlighted satellite: index into `prns`, -1 for none. */
interface SkyMoment {
  readonly momentMs: number;
  readonly highlighted: number;
}

/** Number of time steps of the tracks, each with a layer of its own. */
const LAYER_STEPS = 12;

/**
 * Creates a painter that keeps static parts in layers: rings and legend, and the tracks of whole time steps. Each frame
 * draws only the ends of the tracks and the satellites.
 */
export function createSkyPainter() {
  const paintTracks = createTrackPainter();
  const paintSteps = createTrackLayers(paintTracks);
  const paintMarks = createMarkPainter();
  let layer: HTMLCanvasElement | null = null;
  let layerInputs: readonly unknown[] = [];

  return (paper: Paper, scene: SkyScene, { momentMs, highlighted }: SkyMoment): void => {
    const { ctx, theme, width, height } = paper;
    const { sky, windowMs } = scene;
    const disc = discIn(paper);
    const stepMs = Math.max(sky.stepMs, windowMs / LAYER_STEPS);
    const endStep = Math.floor(momentMs / stepMs);
    const firstStep = Math.min(endStep, Math.ceil((momentMs - windowMs) / stepMs));
    const fromMs = firstStep * stepMs;
    const body = { from: entriesUpTo(sky, fromMs), to: entriesUpTo(sky, endStep * stepMs) };

    // The scale of the canvas, which is 2 in saved figures.
    const { a: ratio, e: left, f: top } = ctx.getTransform();
    const inputs = [scene, theme, width, height, ratio];
    layer ??= document.createElement("canvas");
    if (inputs.some((input, i) => input !== layerInputs[i])) {
      layerInputs = inputs;
      layer.width = Math.ceil(width * ratio);
      layer.height = Math.ceil(height * ratio);
      const layerCtx = layer.getContext("2d");
      if (!layerCtx) return;
      layerCtx.scale(ratio, ratio);
      const layerPaper = { ...paper, ctx: layerCtx };
      drawRings(layerPaper, disc, scene.filter.cutOffDeg);
      drawSkyLegend(layerPaper, scene);
    }
    ctx.save();
    ctx.setTransform(1, 0, 0, 1, left, top);
    ctx.drawImage(layer, 0, 0);
    ctx.restore();

    if (windowMs > 0) {
      paintSteps(paper, disc, scene, { stepMs, first: firstStep, end: endStep });
      const first = entriesUpTo(sky, momentMs - windowMs);
      const tailTo = Math.min(body.to, entriesUpTo(sky, fromMs + MAX_LINK_STEPS * sky.stepMs));
      if (first < body.from) paintTracks(paper, disc, scene, { from: first, to: tailTo, reach: first });
      const head = { from: Math.max(first, body.to), to: entriesUpTo(sky, momentMs), reach: first };
      paintTracks(paper, disc, scene, head);
    }
    paintMarks(paper, disc, scene, { momentMs, highlighted });
  };
}

const MARK_PX = 5;
const HIGHLIGHT_PX = 10;
/** Directions from a symbol to its label, in the order in which they are tried. */
const LABEL_DIRECTIONS: readonly (readonly [x: number, y: number])[] = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
  [1, -0.8],
  [-1, -0.8],
  [1, 0.8],
  [-1, 0.8],
];

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Returns a function that draws the satellites of an epoch with their names. */
function createMarkPainter() {
  /** Areas that labels must not overlap. */
  let boxes: Box[] = [];

  function isFree({ left, top, right, bottom }: Box): boolean {
    return !boxes.some((box) => box.left < right && box.right > left && box.top < bottom && box.bottom > top);
  }

  function drawName(ctx: CanvasRenderingContext2D, name: string, x: number, y: number): void {
    const width = 7 * name.length;
    const candidates = LABEL_DIRECTIONS.map(([dx, dy]): Box => {
      const left = x - width / 2 + dx * (width / 2 + 8);
      const top = y - 6 + dy * 14;
      return { left, top, right: left + width, bottom: top + 12 };
    });
    const box = candidates.find(isFree) ?? candidates[0];
    if (!box) return;
    boxes.push(box);
    ctx.strokeText(name, box.left, box.top + 6.5);
    ctx.fillText(name, box.left, box.top + 6.5);
  }

  return (
    { ctx, theme }: Pen,
    disc: Disc,
    { sky, filter, band }: SkyScene,
    { momentMs, highlighted }: SkyMoment,
  ): void => {
    const cn0DbHz = sky.bands[band]?.cn0DbHz;
    const satellites = entriesAt(sky, filter, epochAt(sky, momentMs))
      .map((entry) => ({ entry, ...positionIn(sky, entry, disc) }))
      .filter(({ x }) => !Number.isNaN(x));
    boxes = satellites.map(({ x, y }) => ({
      left: x - MARK_PX,
      top: y - MARK_PX,
      right: x + MARK_PX,
      bottom: y + MARK_PX,
    }));
    ctx.strokeStyle = theme.text;
    for (const satellite of satellites) {
      const { entry, x, y } = satellite;
      if (sky.prn[entry] === highlighted) {
        ctx.lineWidth = 2;
        ctx.beginPath();
        ctx.arc(x, y, HIGHLIGHT_PX, 0, 2 * Math.PI);
        ctx.stroke();
      }
      markPath(ctx, constellationAt(constellationIndex(sky, entry)).shape, satellite, MARK_PX);
      ctx.fillStyle = scaleColour(cn0DbHz?.[entry] ?? Number.NaN, theme) ?? theme.surface;
      ctx.fill();
      ctx.lineWidth = 1.25;
      ctx.stroke();
    }
    ctx.font = theme.font;
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    ctx.lineWidth = 3;
    ctx.strokeStyle = theme.surface;
    ctx.fillStyle = theme.text;
    ctx.lineJoin = "round";
    for (const { entry, x, y } of satellites) drawName(ctx, prnAt(sky, entry), x, y);
    ctx.textBaseline = "alphabetic";
  };
}
