import { constellationAt } from "../constellations.ts";
import { scaleIndex, type FigureTheme } from "./theme.ts";
import { passes, constellationPlace } from "../data/sky.ts";
import { markPath } from "./marks.ts";
import type { Disc, SkyScene } from "./skyScene.ts";

const MARK_PX = 5;
const CHOSEN_PX = 10;
const MOST_BOXES = 256;
/** Directions from a mark to its label, in the order of trial: x and y in turn. */
const SIDES = [1, 0, -1, 0, 0, -1, 0, 1, 1, -0.8, -1, -0.8, 1, 0.8, -1, 0.8];

/** Draws the satellites of an epoch with their names beside them, keeping its working memory from frame to frame. */
export interface MarkPainter {
  /** @param chosen index of the satellite that stands out; -1: none */
  paint(
    ctx: CanvasRenderingContext2D,
    theme: FigureTheme,
    disc: Disc,
    scene: SkyScene,
    epoch: number,
    chosen: number,
  ): void;
}

export function createMarkPainter(): MarkPainter {
  // Where something is drawn already, so that names keep clear of it.
  const boxes = new Float32Array(4 * MOST_BOXES);
  let taken = 0;

  function keepClear(left: number, top: number, width: number, height: number): void {
    if (taken === MOST_BOXES) return;
    boxes[4 * taken] = left;
    boxes[4 * taken + 1] = top;
    boxes[4 * taken + 2] = left + width;
    boxes[4 * taken + 3] = top + height;
    taken++;
  }

  function isFree(left: number, top: number, width: number, height: number): boolean {
    for (let n = 0; n < 4 * taken; n += 4) {
      const apart =
        boxes[n]! >= left + width || boxes[n + 2]! <= left || boxes[n + 1]! >= top + height || boxes[n + 3]! <= top;
      if (!apart) return false;
    }
    return true;
  }

  function drawName(ctx: CanvasRenderingContext2D, name: string, x: number, y: number): void {
    const width = 7 * name.length;
    // The first place around the mark that is free, else the first.
    for (let side = 0; side <= SIDES.length; side += 2) {
      const isLast = side === SIDES.length;
      const left = x - width / 2 + SIDES[isLast ? 0 : side]! * (width / 2 + 8);
      const top = y - 6 + SIDES[isLast ? 1 : side + 1]! * 14;
      if (!isLast && !isFree(left, top, width, 12)) continue;
      keepClear(left, top, width, 12);
      ctx.strokeText(name, left, top + 6.5);
      ctx.fillText(name, left, top + 6.5);
      return;
    }
  }

  return {
    paint(ctx, theme, disc, { sky, filter, band }, epoch, chosen) {
      taken = 0;
      if (epoch < 0) return;
      const cn0DbHz = sky.bands[band]?.cn0DbHz;
      const from = sky.offsets[epoch]!;
      const to = sky.offsets[epoch + 1]!;
      ctx.strokeStyle = theme.text;
      for (let entry = from; entry < to; entry++) {
        const x = disc.x + sky.x[entry]! * disc.radius;
        const y = disc.y + sky.y[entry]! * disc.radius;
        if (Number.isNaN(x) || !passes(sky, filter, entry)) continue;
        if (sky.prn[entry] === chosen) {
          ctx.lineWidth = 2;
          ctx.beginPath();
          ctx.arc(x, y, CHOSEN_PX, 0, 2 * Math.PI);
          ctx.stroke();
        }
        const colour = scaleIndex(cn0DbHz ? cn0DbHz[entry]! : Number.NaN, theme.scale.length);
        markPath(ctx, constellationAt(constellationPlace(sky, entry)).shape, x, y, MARK_PX);
        ctx.fillStyle = colour < 0 ? theme.surface : theme.scale[colour]!;
        ctx.fill();
        ctx.lineWidth = 1.25;
        ctx.stroke();
        keepClear(x - MARK_PX, y - MARK_PX, 2 * MARK_PX, 2 * MARK_PX);
      }
      ctx.font = theme.font;
      ctx.textBaseline = "middle";
      ctx.textAlign = "left";
      ctx.lineWidth = 3;
      ctx.strokeStyle = theme.surface;
      ctx.fillStyle = theme.text;
      ctx.lineJoin = "round";
      for (let entry = from; entry < to; entry++) {
        const x = disc.x + sky.x[entry]! * disc.radius;
        const y = disc.y + sky.y[entry]! * disc.radius;
        if (!Number.isNaN(x) && passes(sky, filter, entry)) drawName(ctx, sky.prns[sky.prn[entry]!]!, x, y);
      }
      ctx.textBaseline = "alphabetic";
    },
  };
}
