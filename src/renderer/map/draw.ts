import { shortCount } from "#shared/text.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import type { Shift, Size } from "./camera.ts";
import type { Cluster, Points } from "./points.ts";
import { LABEL_PX, placeLabels } from "./labels.ts";
import { commonGroup, type Painting } from "./painting.ts";
import type { BaseMap } from "./world.ts";

/** One circle of a station's symbol. */
interface Disc {
  readonly radius: number;
  readonly fill: string | undefined;
  readonly line: string | undefined;
  readonly width: number;
}

const sprites = new Map<string, HTMLCanvasElement>();
/** More than all combinations in two themes: 8 series colours around 33 colours of a scale. */
const MAX_SPRITES = 800;

function outerRadius(discs: readonly Disc[]): number {
  return discs.reduce((outer, { radius, width }) => Math.max(outer, radius + width), 0);
}

/**
 * Returns a cached image of concentric circles, the first at the bottom. Copying images is faster than filling thousands
 * of circles, singly or as one path, which takes several frames.
 *
 * @param ratio canvas pixels per screen pixel
 */
function spriteOf(discs: readonly Disc[], ratio: number): HTMLCanvasElement {
  let key = `${ratio}`;
  for (const { radius, fill, line, width } of discs) key += ` ${radius} ${fill} ${line} ${width}`;
  const known = sprites.get(key);
  if (known) return known;
  if (sprites.size >= MAX_SPRITES) sprites.clear();
  const sprite = document.createElement("canvas");
  const outer = outerRadius(discs);
  sprite.width = sprite.height = Math.ceil(2 * outer * ratio);
  const ctx = sprite.getContext("2d");
  if (ctx) {
    ctx.scale(sprite.width / (2 * outer), sprite.width / (2 * outer));
    for (const { radius, fill, line, width } of discs) {
      ctx.beginPath();
      ctx.arc(outer, outer, radius, 0, 2 * Math.PI);
      ctx.fillStyle = fill ?? "transparent";
      ctx.fill();
      ctx.lineWidth = width;
      ctx.strokeStyle = line ?? "transparent";
      ctx.stroke();
    }
  }
  sprites.set(key, sprite);
  return sprite;
}

/** Symbols of the stations, in pixels of the projected map. */
interface StationSymbols {
  readonly points: Points;
  readonly singles: readonly number[];
  readonly clusters: readonly Cluster[];
  readonly painting: Painting;
  /** Colour token of each selected station; drawn on top, in this order. */
  readonly selected: ReadonlyMap<number, string>;
  readonly hovered: number | null;
}

const POINT_PX = 4.5;
const SELECTED_PX = 8;
/** Radius of the hole that marks a value from another source. */
const HOLE_PX = 2;
const HALO_PX = 11;

/** A canvas, and where the projected map is on it. */
interface MapCanvas {
  readonly ctx: CanvasRenderingContext2D;
  readonly theme: PlotTheme;
  readonly shift: Shift;
  readonly size: Size;
}

export function drawBase({ ctx, theme, shift: { k, x, y }, size }: MapCanvas, base: BaseMap): void {
  ctx.fillStyle = theme.colour("--surface");
  ctx.fillRect(0, 0, size.widthPx, size.heightPx);
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(k, k);
  ctx.fillStyle = theme.colour("--map-water");
  ctx.fill(base.globe);
  ctx.lineWidth = 0.5 / k;
  ctx.strokeStyle = theme.colour("--map-grid");
  ctx.stroke(base.graticule);
  ctx.fillStyle = theme.colour("--map-land");
  ctx.fill(base.land);
  ctx.strokeStyle = theme.colour("--map-border");
  ctx.stroke(base.borders);
  ctx.lineWidth = 0.75 / k;
  ctx.strokeStyle = theme.colour("--map-coast");
  ctx.stroke(base.coasts);
  ctx.restore();
}

export function drawStations(canvas: MapCanvas, symbols: StationSymbols): void {
  const { ctx, theme, shift, size } = canvas;
  const { points, painting, selected } = symbols;
  const ratio = ctx.getTransform().a;
  const [land, edge, surface] = ["--map-land", "--map-edge", "--surface"].map((token) => theme.colour(token));
  // A station without a value is a ring, so that it differs in shape, not only in colour.
  const fillOf = (i: number): string | undefined => (painting.groups[i] ? painting.colours[painting.groups[i]] : land);
  const hole = { radius: HOLE_PX, fill: surface, line: undefined, width: 0 };
  const drawSymbol = (i: number, ownDiscs: readonly Disc[]): void => {
    const discs = painting.isOtherSource?.[i] ? [...ownDiscs, hole] : ownDiscs;
    const [x, y] = toScreen(points, i, shift);
    const outer = outerRadius(discs);
    // False for a station without a position, because comparisons with NaN are false.
    const isShown = x > -outer && y > -outer && x < size.widthPx + outer && y < size.heightPx + outer;
    if (isShown) ctx.drawImage(spriteOf(discs, ratio), x - outer, y - outer, 2 * outer, 2 * outer);
  };
  for (const i of symbols.singles) {
    if (selected.has(i)) continue;
    const line = painting.groups[i] === 0 ? painting.colours[0] : edge;
    drawSymbol(i, [{ radius: POINT_PX, fill: fillOf(i), line, width: 1 }]);
  }
  for (const cluster of symbols.clusters) drawCluster(canvas, cluster, painting);
  // The station's colour in all views, around the colour of its value.
  for (const [i, token] of selected) {
    drawSymbol(i, [
      { radius: SELECTED_PX, fill: theme.colour(token), line: surface, width: 1.5 },
      { radius: POINT_PX, fill: fillOf(i), line: surface, width: 1.5 },
    ]);
  }
  if (symbols.hovered !== null) drawHalo(ctx, toScreen(points, symbols.hovered, shift), theme);
}

/** Draws names beside stations where there is space, selected stations first. */
export function drawLabels(
  { ctx, theme, shift, size }: MapCanvas,
  { points, singles, selected }: StationSymbols,
  names: readonly string[],
): void {
  const anchors = [...selected.keys(), ...singles.filter((i) => !selected.has(i))].flatMap((i) => {
    const [x, y] = toScreen(points, i, shift);
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
  for (const { text, x, y } of placeLabels(anchors, (words) => ctx.measureText(words).width)) {
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

function drawCluster({ ctx, theme, shift: { k, x, y } }: MapCanvas, cluster: Cluster, painting: Painting): void {
  const [atX, atY] = [cluster.x * k + x, cluster.y * k + y];
  circle(ctx, atX, atY, cluster.radiusPx);
  ctx.fillStyle = theme.colour("--surface");
  ctx.fill();
  ctx.lineWidth = 1;
  ctx.strokeStyle = theme.colour("--map-edge");
  ctx.stroke();
  circle(ctx, atX, atY, cluster.radiusPx - 2.5);
  ctx.lineWidth = 4;
  ctx.strokeStyle = painting.colours[commonGroup(painting, cluster.members)] ?? "transparent";
  ctx.stroke();
  ctx.fillStyle = theme.colour("--text");
  ctx.font = `500 10px ${theme.fontFamily}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillText(shortCount(cluster.members.length), atX, atY + 0.5);
}

/** Returns the screen position of a point; NaN if it has none. */
export function toScreen({ x, y }: Points, i: number, shift: Shift): [number, number] {
  return [(x[i] ?? Number.NaN) * shift.k + shift.x, (y[i] ?? Number.NaN) * shift.k + shift.y];
}

function circle(ctx: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
}
