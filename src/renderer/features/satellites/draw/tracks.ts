import { CONSTELLATIONS, constellationAt } from "../constellations.ts";
import type { Sky, SkyFilter } from "../data/sky.ts";
import type { Disc, SkyScene } from "./skyScene.ts";
import type { FigureTheme } from "./theme.ts";

/** Entries whose tracks are drawn, with the lines that lead to each from the entry before. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Lines that begin before `from` are drawn where they begin here or later. */
  readonly reach: number;
}

/** Draws the ways of satellites, keeping its working memory from frame to frame. */
export interface TrackPainter {
  paint(ctx: CanvasRenderingContext2D, theme: FigureTheme, disc: Disc, scene: SkyScene, stretch: Stretch): void;
}

/** A shorter move has no direction yet: at one epoch a second there are hundreds of them in a pixel. */
const LEAST_MOVE_PX = 0.4;
/** What lies nearer to a line is part of it. */
const MOST_OFF_PX = 0.25;
const SOLID: number[] = [];

export function createTrackPainter(): TrackPainter {
  let visited = new Uint8Array(0);
  let heads = new Int32Array(256);

  /** Finds the last entry of each track; returns how many there are. */
  function findHeads(sky: Sky, from: number, to: number): number {
    if (visited.length < to - from) visited = new Uint8Array(2 * (to - from));
    visited.fill(0, 0, to - from);
    let found = 0;
    // From the end, so that what was not met on the way back from a later entry is the end of a track.
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

  return {
    paint(ctx, theme, disc, { sky, filter }, stretch) {
      const found = findHeads(sky, stretch.from, stretch.to);
      ctx.lineWidth = 1.5;
      for (let kind = 0; kind < CONSTELLATIONS.length; kind++) {
        if (filter.shown[kind] !== 1) continue;
        ctx.strokeStyle = theme.constellations[kind]!;
        ctx.setLineDash(constellationAt(kind).dash as number[]);
        for (let h = 0; h < found; h++) {
          if (sky.constellation[sky.prn[heads[h]!]!] !== kind) continue;
          // Each on its own: one path of all of them takes nearly twice the time to fill.
          ctx.beginPath();
          trace(ctx, disc, sky, filter, heads[h]!, stretch);
          ctx.stroke();
        }
      }
      ctx.setLineDash(SOLID);
    },
  };
}

/**
 * The way back from the last entry of a track; what is below the cut-off lifts the pen. Entries on a line are drawn as
 * one: a satellite's way of hours takes some twenty lines.
 */
function trace(
  ctx: CanvasRenderingContext2D,
  disc: Disc,
  sky: Sky,
  filter: SkyFilter,
  head: number,
  { from, reach }: Stretch,
): void {
  let isDown = false;
  // Where the last line ended, which way the next goes, and how far it has come.
  let penX = 0;
  let penY = 0;
  let wayX = 0;
  let wayY = 0;
  let endX = 0;
  let endY = 0;
  let come = 0;
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
      // A track of one entry is a dot.
      ctx.lineTo(x + 0.1, y);
      penX = endX = x;
      penY = endY = y;
      wayX = wayY = come = 0;
    } else {
      const dx = x - penX;
      const dy = y - penY;
      const along = dx * wayX + dy * wayY;
      const isOff = Math.abs(dx * wayY - dy * wayX) > MOST_OFF_PX || along < come - MOST_OFF_PX;
      come = Math.max(come, along);
      if (isOff) {
        ctx.lineTo(endX, endY);
        penX = endX;
        penY = endY;
      }
      if (isOff || (wayX === 0 && wayY === 0)) {
        const length = Math.hypot(x - penX, y - penY);
        const isFar = length >= LEAST_MOVE_PX;
        wayX = isFar ? (x - penX) / length : 0;
        wayY = isFar ? (y - penY) / length : 0;
        come = isFar ? length : 0;
      }
      endX = x;
      endY = y;
    }
    if (isLast) break;
  }
  if (isDown) ctx.lineTo(endX, endY);
}
