import { CONSTELLATIONS } from "../constellations.ts";
import { scaleIndex } from "../scale.ts";
import { epochAt, lastEpochUpTo, passes, type Sky, type SkyFilter } from "../sky.ts";
import { drawScale } from "./legend.ts";
import { markPath } from "./marks.ts";
import type { FigureTheme } from "./theme.ts";

export interface SkyScene {
  readonly sky: Sky;
  readonly filter: SkyFilter;
  /** Index into `sky.bands`. */
  readonly band: number;
  readonly scaleTitle: string;
  /** How long the tracks reach back. */
  readonly windowMs: number;
}

/** Where the disc lies in a figure of this size. */
export interface Disc {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

const LEGEND_PX = 84;
const RIM_PX = 18;
const MARK_PX = 5;
const CARDINALS: readonly (readonly [string, number, number])[] = [
  ["N", 0, -1],
  ["E", 1, 0],
  ["S", 0, 1],
  ["W", -1, 0],
];

export function discIn(width: number, height: number): Disc {
  const room = Math.max(0, width - LEGEND_PX);
  return { x: LEGEND_PX + room / 2, y: height / 2, radius: Math.max(10, Math.min(room, height) / 2 - RIM_PX) };
}

/** Paints skies, keeping its working memory from frame to frame. */
export interface SkyPainter {
  paint(
    ctx: CanvasRenderingContext2D,
    width: number,
    height: number,
    theme: FigureTheme,
    scene: SkyScene,
    momentMs: number,
  ): void;
}

export function createSkyPainter(): SkyPainter {
  let visited = new Uint8Array(0);
  let heads = new Int32Array(256);
  const boxes = new Float32Array(4 * 256);
  let room = { width: 0, height: 0, disc: discIn(0, 0) };

  function tracks(
    ctx: CanvasRenderingContext2D,
    theme: FigureTheme,
    disc: Disc,
    scene: SkyScene,
    momentMs: number,
  ): void {
    const { sky, filter, windowMs } = scene;
    const lastEpoch = lastEpochUpTo(sky, momentMs);
    if (lastEpoch < 0 || windowMs <= 0) return;
    const from = sky.offsets[lastEpochUpTo(sky, momentMs - windowMs) + 1]!;
    const to = sky.offsets[lastEpoch + 1]!;
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
    ctx.lineWidth = 1.5;
    for (let kind = 0; kind < CONSTELLATIONS.length; kind++) {
      if (filter.shown[kind] !== 1) continue;
      ctx.beginPath();
      for (let h = 0; h < found; h++) {
        if (sky.constellation[sky.prn[heads[h]!]!] === kind) trace(ctx, disc, sky, filter, heads[h]!, from);
      }
      ctx.strokeStyle = theme.constellations[kind]!;
      ctx.setLineDash(CONSTELLATIONS[kind]!.dash as number[]);
      ctx.stroke();
    }
    ctx.setLineDash(SOLID);
  }

  function marks(
    ctx: CanvasRenderingContext2D,
    theme: FigureTheme,
    disc: Disc,
    scene: SkyScene,
    momentMs: number,
  ): void {
    const { sky, filter, band } = scene;
    const epoch = epochAt(sky, momentMs);
    if (epoch < 0) return;
    const cn0DbHz = sky.bands[band]?.cn0DbHz;
    const from = sky.offsets[epoch]!;
    const to = sky.offsets[epoch + 1]!;
    let taken = 0;
    for (let entry = from; entry < to; entry++) {
      const x = disc.x + sky.x[entry]! * disc.radius;
      const y = disc.y + sky.y[entry]! * disc.radius;
      if (Number.isNaN(x) || !passes(sky, filter, entry)) continue;
      const colour = scaleIndex(cn0DbHz ? cn0DbHz[entry]! : Number.NaN, theme.scale.length);
      markPath(ctx, CONSTELLATIONS[sky.constellation[sky.prn[entry]!]!]!.shape, x, y, MARK_PX);
      ctx.fillStyle = colour < 0 ? theme.surface : theme.scale[colour]!;
      ctx.fill();
      ctx.lineWidth = 1.25;
      ctx.strokeStyle = theme.text;
      ctx.stroke();
      if (taken < 256) box(taken++, x - MARK_PX, y - MARK_PX, 2 * MARK_PX, 2 * MARK_PX);
    }
    ctx.font = theme.font;
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    ctx.lineWidth = 3;
    ctx.strokeStyle = theme.surface;
    ctx.lineJoin = "round";
    for (let entry = from; entry < to; entry++) {
      const x = disc.x + sky.x[entry]! * disc.radius;
      const y = disc.y + sky.y[entry]! * disc.radius;
      if (Number.isNaN(x) || !passes(sky, filter, entry)) continue;
      const name = sky.prns[sky.prn[entry]!]!;
      const width = 7 * name.length;
      // The first place around the mark that is free, else the first.
      for (let side = 0; side <= SIDES.length; side += 2) {
        const isLast = side === SIDES.length;
        const left = x - width / 2 + SIDES[isLast ? 0 : side]! * (width / 2 + 8);
        const top = y - 6 + SIDES[isLast ? 1 : side + 1]! * 14;
        if (!isLast && !isFree(taken, left, top, width, 12)) continue;
        if (taken < 256) box(taken++, left, top, width, 12);
        ctx.strokeText(name, left, top + 6.5);
        ctx.fillStyle = theme.text;
        ctx.fillText(name, left, top + 6.5);
        break;
      }
    }
    ctx.textBaseline = "alphabetic";
  }

  function box(n: number, left: number, top: number, width: number, height: number): void {
    boxes[4 * n] = left;
    boxes[4 * n + 1] = top;
    boxes[4 * n + 2] = left + width;
    boxes[4 * n + 3] = top + height;
  }

  function isFree(taken: number, left: number, top: number, width: number, height: number): boolean {
    for (let n = 0; n < 4 * taken; n += 4) {
      const apart =
        boxes[n]! >= left + width || boxes[n + 2]! <= left || boxes[n + 1]! >= top + height || boxes[n + 3]! <= top;
      if (!apart) return false;
    }
    return true;
  }

  return {
    paint(ctx, width, height, theme, scene, momentMs) {
      if (width !== room.width || height !== room.height) room = { width, height, disc: discIn(width, height) };
      const { disc } = room;
      drawRings(ctx, theme, disc, scene.filter.cutOffDeg);
      tracks(ctx, theme, disc, scene, momentMs);
      marks(ctx, theme, disc, scene, momentMs);
      drawLegend(ctx, theme, height, scene);
    },
  };
}

const SOLID: number[] = [];
/** Directions from a mark to its label, in the order of trial: x and y in turn. */
const SIDES = [1, 0, -1, 0, 0, -1, 0, 1, 1, -0.8, -1, -0.8, 1, 0.8, -1, 0.8];
/** Shorter moves than this are not drawn: at one epoch a second there are hundreds of them in a pixel. */
const LEAST_MOVE_PX = 0.7;

/** The way back from the last entry of a track; what is below the cut-off lifts the pen. */
function trace(
  ctx: CanvasRenderingContext2D,
  disc: Disc,
  sky: Sky,
  filter: SkyFilter,
  head: number,
  from: number,
): void {
  let penX = Number.NaN;
  let penY = Number.NaN;
  for (let entry = head; entry >= from; entry = sky.previous[entry]!) {
    const x = disc.x + sky.x[entry]! * disc.radius;
    const y = disc.y + sky.y[entry]! * disc.radius;
    if (Number.isNaN(x) || (filter.cutOffDeg > 0 && !(sky.elevationDeg[entry]! >= filter.cutOffDeg))) {
      penX = Number.NaN;
    } else if (Number.isNaN(penX)) {
      ctx.moveTo(x, y);
      // A track of one entry is a dot.
      ctx.lineTo(x + 0.1, y);
      penX = x;
      penY = y;
    } else if (Math.abs(x - penX) + Math.abs(y - penY) >= LEAST_MOVE_PX) {
      ctx.lineTo(x, y);
      penX = x;
      penY = y;
    }
  }
}

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

const RING_LABELS = ["0°", "30°", "60°"];

function drawLegend(ctx: CanvasRenderingContext2D, theme: FigureTheme, height: number, scene: SkyScene): void {
  const { sky, filter } = scene;
  ctx.font = theme.font;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  let y = 12;
  for (let kind = 0; kind < CONSTELLATIONS.length; kind++) {
    if (filter.shown[kind] !== 1 || !sky.constellation.includes(kind)) continue;
    const { name, shape, dash } = CONSTELLATIONS[kind]!;
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

/** The entry of the epoch that is drawn nearest to a point of the figure, within a finger's width; -1 where none is. */
export function entryNear(
  { sky, filter }: SkyScene,
  epoch: number,
  disc: Disc,
  pointX: number,
  pointY: number,
): number {
  if (epoch < 0) return -1;
  let nearest = -1;
  let least = 14;
  for (let entry = sky.offsets[epoch]!; entry < sky.offsets[epoch + 1]!; entry++) {
    if (!passes(sky, filter, entry)) continue;
    const distance = Math.hypot(
      disc.x + sky.x[entry]! * disc.radius - pointX,
      disc.y + sky.y[entry]! * disc.radius - pointY,
    );
    if (distance < least) {
      least = distance;
      nearest = entry;
    }
  }
  return nearest;
}
