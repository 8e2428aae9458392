import { upperBound } from "#shared/arrays.ts";
import { constellationAt, CONSTELLATIONS } from "../constellations.ts";
import { constellationIndex, type Sky } from "../data/sky.ts";
import type { Disc, SkyScene } from "./skyScene.ts";
import type { Pen } from "./theme.ts";

/** Entries whose tracks are drawn, with the line that leads to each from its previous entry. */
export interface TrackSection {
  readonly from: number;
  readonly to: number;
  /** Lines that begin before `from` are drawn only if they begin at this entry or later. */
  readonly reach: number;
}

/** Draws tracks of satellites. */
type PaintTracks = (pen: Pen, disc: Disc, scene: SkyScene, section: TrackSection) => void;

/** Minimum length that gives a line its direction: at one epoch per second, hundreds of entries share a pixel. */
const MIN_LENGTH_PX = 0.4;
/** Maximum distance of an entry from a line of which it is part. */
const MAX_DISTANCE_PX = 0.25;
const SOLID: number[] = [];

/** Returns a painter that reuses its buffers from frame to frame. */
export function createTrackPainter(): PaintTracks {
  let visited = new Uint8Array(0);
  let heads = new Int32Array(256);

  /** Finds the last entry of each track and returns their number. */
  function findHeads(sky: Sky, from: number, to: number): number {
    if (visited.length < to - from) visited = new Uint8Array(2 * (to - from));
    visited.fill(0, 0, to - from);
    let found = 0;
    // Backwards, so that an entry that is not part of a later entry's track is the end of a track.
    for (let entry = to - 1; entry >= from; entry--) {
      if (visited[entry - from] === 1) continue;
      if (found === heads.length) {
        const more = new Int32Array(2 * found);
        more.set(heads);
        heads = more;
      }
      heads[found++] = entry;
      for (let at = entry; at >= from; at = sky.previous[at]!) visited[at - from] = 1;
    }
    return found;
  }

  return ({ ctx, theme }, disc, scene, section) => {
    const { sky, filter } = scene;
    const tracks: Tracks = { ctx, disc, scene, section };
    const found = findHeads(sky, section.from, section.to);
    ctx.lineWidth = 1.5;
    for (let kind = 0; kind < CONSTELLATIONS.length; kind++) {
      if (filter.shown[kind] !== 1) continue;
      ctx.strokeStyle = theme.constellations[kind] ?? theme.text;
      ctx.setLineDash(constellationAt(kind).dash as number[]);
      for (const head of heads.subarray(0, found)) {
        if (constellationIndex(sky, head) !== kind) continue;
        // One path per track, because a single path takes nearly twice as long.
        ctx.beginPath();
        trace(tracks, head);
        ctx.stroke();
      }
    }
    ctx.setLineDash(SOLID);
  };
}

/** What is the same for all tracks of a frame. */
interface Tracks {
  readonly ctx: CanvasRenderingContext2D;
  readonly disc: Disc;
  readonly scene: SkyScene;
  readonly section: TrackSection;
}

/**
 * Traces a track backwards from its last entry, interrupted below the cut-off. Collinear entries are merged, so that a
 * track of hours takes about twenty lines.
 */
function trace({ ctx, disc, scene: { sky, filter }, section: { from, reach } }: Tracks, head: number): void {
  let isDown = false;
  // End of the last line, direction of the current line, its end, and its length.
  let penX = 0;
  let penY = 0;
  let directionX = 0;
  let directionY = 0;
  let endX = 0;
  let endY = 0;
  let reached = 0;
  for (let entry = head; entry >= reach; entry = sky.previous[entry]!) {
    const x = disc.x + sky.x[entry]! * disc.radius;
    const y = disc.y + sky.y[entry]! * disc.radius;
    const isLast = entry < from;
    const isHidden = Number.isNaN(x) || (filter.cutOffDeg > 0 && !(sky.elevationDeg[entry]! >= filter.cutOffDeg));
    if (isHidden) {
      if (isDown) ctx.lineTo(endX, endY);
      isDown = false;
    } else if (!isDown) {
      if (isLast) return;
      isDown = true;
      ctx.moveTo(x, y);
      // Draws a dot for a track of one entry.
      ctx.lineTo(x + 0.1, y);
      penX = endX = x;
      penY = endY = y;
      directionX = directionY = reached = 0;
    } else {
      const dx = x - penX;
      const dy = y - penY;
      const along = dx * directionX + dy * directionY;
      const distance = Math.abs(dx * directionY - dy * directionX);
      const isOff = distance > MAX_DISTANCE_PX || along < reached - MAX_DISTANCE_PX;
      reached = Math.max(reached, along);
      if (isOff) {
        ctx.lineTo(endX, endY);
        penX = endX;
        penY = endY;
      }
      if (isOff || (directionX === 0 && directionY === 0)) {
        const length = Math.hypot(x - penX, y - penY);
        const hasDirection = length >= MIN_LENGTH_PX;
        directionX = hasDirection ? (x - penX) / length : 0;
        directionY = hasDirection ? (y - penY) / length : 0;
        reached = hasDirection ? length : 0;
      }
      endX = x;
      endY = y;
    }
    if (isLast) break;
  }
  if (isDown) ctx.lineTo(endX, endY);
}

/** Whole time steps, counted from 1970, from `first` to before `end`. */
interface Steps {
  readonly stepMs: number;
  readonly first: number;
  readonly end: number;
}

/** A track may skip two epochs: see `SkyBuilder`. */
export const MAX_LINK_STEPS = 3;
/** More than half the line width. */
const MARGIN_PX = 2;

/**
 * Returns a function that paints the tracks of whole steps, with each step cached as an image: drawing a stroke takes hundreds of times as long as copying its image, so when the moment advances
 * by a step, only one step is drawn and the others are copied.
 */
export function createTrackLayers(paintTracks: PaintTracks) {
  const drawn = new Map<number, HTMLCanvasElement>();
  let spare: HTMLCanvasElement[] = [];
  let drawnInputs: readonly unknown[] = [];

  return ({ ctx, theme }: Pen, disc: Disc, scene: SkyScene, { stepMs, first, end }: Steps): void => {
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
      if (layerCtx) paintTracks({ ctx: layerCtx, theme }, disc, scene, section);
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
  };
}

/** Returns the number of entries up to a moment. */
export function entriesUpTo(sky: Sky, momentMs: number): number {
  return sky.offsets[upperBound(sky.timesMs, momentMs)] ?? 0;
}
