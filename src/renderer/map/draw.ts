import { shortCount } from "#shared/text.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import type { Shift, Size } from "./camera.ts";
import type { Crowd } from "./clusters.ts";
import { LABEL_PX, placedLabels } from "./labels.ts";
import { groupOfAll, type Painting } from "./painting.ts";
import type { Points } from "./points.ts";
import type { BaseLines } from "./world.ts";

/** A circle of a station's mark. */
interface Disc {
  readonly radius: number;
  readonly fill: string | undefined;
  readonly line: string | undefined;
  readonly width: number;
}

const pictures = new Map<string, HTMLCanvasElement>();
/** More than all looks of two themes: 8 series colours around 33 of a scale each. */
const MOST_PICTURES = 800;

/** How far a mark reaches from its middle. */
function reachOf(discs: readonly Disc[]): number {
  return discs.reduce((reach, { radius, width }) => Math.max(reach, radius + width), 0);
}

/**
 * Circles around one middle, the first one below, as a small picture to be copied: thousands of circles that are filled
 * one by one, or as one path, take several frames.
 *
 * @param ratio pixels of the canvas for one of the screen
 */
function pictureOf(discs: readonly Disc[], ratio: number): HTMLCanvasElement {
  let key = `${ratio}`;
  for (const { radius, fill, line, width } of discs) key += ` ${radius} ${fill} ${line} ${width}`;
  const known = pictures.get(key);
  if (known) return known;
  if (pictures.size >= MOST_PICTURES) pictures.clear();
  const picture = document.createElement("canvas");
  const reach = reachOf(discs);
  picture.width = picture.height = Math.ceil(2 * reach * ratio);
  const ctx = picture.getContext("2d");
  if (ctx) {
    ctx.scale(picture.width / (2 * reach), picture.width / (2 * reach));
    for (const { radius, fill, line, width } of discs) {
      ctx.beginPath();
      ctx.arc(reach, reach, radius, 0, 2 * Math.PI);
      ctx.fillStyle = fill ?? "transparent";
      ctx.fill();
      ctx.lineWidth = width;
      ctx.strokeStyle = line ?? "transparent";
      ctx.stroke();
    }
  }
  pictures.set(key, picture);
  return picture;
}

/** What is drawn of the stations: everything in the pixels in which the map was projected. */
export interface StationMarks {
  readonly points: Points;
  readonly singles: readonly number[];
  readonly crowds: readonly Crowd[];
  readonly painting: Painting;
  /** Token of the colour of each chosen station; they lie on top, in this order. */
  readonly chosen: ReadonlyMap<number, string>;
  readonly hovered: number | null;
}

export const POINT_PX = 4.5;
const CHOSEN_PX = 8;
/** The hole in the mark of a station whose value is of another source. */
const HOLE_PX = 2;
const HALO_PX = 11;

export function drawBase(
  ctx: CanvasRenderingContext2D,
  lines: BaseLines,
  { k, x, y }: Shift,
  size: Size,
  theme: PlotTheme,
): void {
  ctx.fillStyle = theme.colour("--surface");
  ctx.fillRect(0, 0, size.widthPx, size.heightPx);
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(k, k);
  ctx.fillStyle = theme.colour("--map-water");
  ctx.fill(lines.globe);
  ctx.lineWidth = 0.5 / k;
  ctx.strokeStyle = theme.colour("--map-grid");
  ctx.stroke(lines.graticule);
  ctx.fillStyle = theme.colour("--map-land");
  ctx.fill(lines.land);
  ctx.strokeStyle = theme.colour("--map-border");
  ctx.stroke(lines.borders);
  ctx.lineWidth = 0.75 / k;
  ctx.strokeStyle = theme.colour("--map-coast");
  ctx.stroke(lines.coasts);
  ctx.restore();
}

export function drawStations(
  ctx: CanvasRenderingContext2D,
  marks: StationMarks,
  shift: Shift,
  size: Size,
  theme: PlotTheme,
): void {
  const { points, painting, chosen } = marks;
  const ratio = ctx.getTransform().a;
  const [land, edge, surface] = ["--map-land", "--map-edge", "--surface"].map((token) => theme.colour(token));
  // What has nothing to show is a ring: without colour it is told apart by its form.
  const fillOf = (i: number): string | undefined => (painting.groups[i] ? painting.colours[painting.groups[i]] : land);
  const hole = { radius: HOLE_PX, fill: surface, line: undefined, width: 0 };
  const put = (i: number, own: readonly Disc[]): void => {
    const discs = painting.apart?.[i] ? [...own, hole] : own;
    const [x, y] = onScreen(points, i, shift);
    const reach = reachOf(discs);
    // A station without a place is on no side of anything.
    const isShown = x > -reach && y > -reach && x < size.widthPx + reach && y < size.heightPx + reach;
    if (isShown) ctx.drawImage(pictureOf(discs, ratio), x - reach, y - reach, 2 * reach, 2 * reach);
  };
  for (const i of marks.singles) {
    if (chosen.has(i)) continue;
    const line = painting.groups[i] === 0 ? painting.colours[0] : edge;
    put(i, [{ radius: POINT_PX, fill: fillOf(i), line, width: 1 }]);
  }
  for (const crowd of marks.crowds) drawCrowd(ctx, crowd, painting, shift, theme);
  // The colour that the station has in every view around the colour of its value.
  for (const [i, token] of chosen) {
    put(i, [
      { radius: CHOSEN_PX, fill: theme.colour(token), line: surface, width: 1.5 },
      { radius: POINT_PX, fill: fillOf(i), line: surface, width: 1.5 },
    ]);
  }
  if (marks.hovered !== null) drawHalo(ctx, onScreen(points, marks.hovered, shift), theme);
}

/** Names beside stations, the chosen ones first, where there is room. */
export function drawLabels(
  ctx: CanvasRenderingContext2D,
  { points, singles, chosen }: StationMarks,
  names: readonly string[],
  shift: Shift,
  size: Size,
  theme: PlotTheme,
): void {
  const marks = [...chosen.keys(), ...singles.filter((i) => !chosen.has(i))].flatMap((i) => {
    const [x, y] = onScreen(points, i, shift);
    const isShown = x > 0 && y > 0 && x < size.widthPx && y < size.heightPx;
    return isShown ? [{ x, y, text: names[i] ?? "" }] : [];
  });
  ctx.font = `500 ${LABEL_PX}px ${theme.fontFamily}`;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  ctx.lineJoin = "round";
  ctx.lineWidth = 3;
  ctx.strokeStyle = theme.colour("--map-land");
  ctx.fillStyle = theme.colour("--text");
  for (const { text, x, y } of placedLabels(marks, (words) => ctx.measureText(words).width)) {
    ctx.strokeText(text, x, y);
    ctx.fillText(text, x, y);
  }
}

function drawHalo(ctx: CanvasRenderingContext2D, [x, y]: readonly [number, number], theme: PlotTheme): void {
  circle(ctx, x, y, HALO_PX);
  ctx.lineWidth = 1.5;
  ctx.strokeStyle = theme.colour("--text");
  ctx.stroke();
}

function drawCrowd(
  ctx: CanvasRenderingContext2D,
  crowd: Crowd,
  painting: Painting,
  { k, x, y }: Shift,
  theme: PlotTheme,
): void {
  const [atX, atY] = [crowd.x * k + x, crowd.y * k + y];
  circle(ctx, atX, atY, crowd.radiusPx);
  ctx.fillStyle = theme.colour("--surface");
  ctx.fill();
  ctx.lineWidth = 1;
  ctx.strokeStyle = theme.colour("--map-edge");
  ctx.stroke();
  circle(ctx, atX, atY, crowd.radiusPx - 2.5);
  ctx.lineWidth = 4;
  ctx.strokeStyle = painting.colours[groupOfAll(painting, crowd.members)]!;
  ctx.stroke();
  ctx.fillStyle = theme.colour("--text");
  ctx.font = `500 10px ${theme.fontFamily}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillText(shortCount(crowd.members.length), atX, atY + 0.5);
}

function onScreen({ x, y }: Points, i: number, shift: Shift): [number, number] {
  return [x[i]! * shift.k + shift.x, y[i]! * shift.k + shift.y];
}

function circle(ctx: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
}
