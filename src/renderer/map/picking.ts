import type { PlotTheme } from "#shared/plot/theme.ts";
import type { Shift, Size } from "./camera.ts";
import { type Corners, type Cluster, nearestPoint, type Points, pointsInBox, pointsInLasso } from "./points.ts";

/** An area that the user is drawing on the map to select stations, in screen pixels. */
export type SelectionArea =
  | { readonly kind: "box"; readonly box: Corners }
  | { readonly kind: "lasso"; readonly line: readonly (readonly [number, number])[] };

export function drawSelectionArea(ctx: CanvasRenderingContext2D, area: SelectionArea, theme: PlotTheme): void {
  ctx.beginPath();
  if (area.kind === "box") {
    const { x0, y0, x1, y1 } = area.box;
    ctx.rect(Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0));
  } else {
    area.line.forEach(([x, y], i) => (i === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y)));
    ctx.closePath();
  }
  ctx.fillStyle = theme.colour("--accent");
  ctx.globalAlpha = 0.12;
  ctx.fill("evenodd");
  ctx.globalAlpha = 1;
  ctx.strokeStyle = theme.colour("--accent");
  ctx.lineWidth = 1.5;
  ctx.stroke();
}

/** Draws a cross at the centre of the map: Enter picks the nearest station. */
export function drawCrosshair(ctx: CanvasRenderingContext2D, { widthPx, heightPx }: Size, theme: PlotTheme): void {
  const [x, y] = [widthPx / 2, heightPx / 2];
  for (const [colour, width] of [
    [theme.colour("--surface"), 4],
    [theme.colour("--accent"), 2],
  ] as const) {
    ctx.beginPath();
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      ctx.moveTo(x + 4 * dx, y + 4 * dy);
      ctx.lineTo(x + 12 * dx, y + 12 * dy);
    }
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.stroke();
  }
}

export type Hit =
  | { readonly kind: "station"; readonly index: number }
  | { readonly kind: "cluster"; readonly members: readonly number[] };

/** The stations of a map as it was drawn and then moved. */
export interface DrawnStations {
  readonly points: Points;
  readonly singles: readonly number[];
  readonly clusters: readonly Cluster[];
  /** Drawn on top. */
  readonly selected: readonly number[];
  readonly shift: Shift;
  readonly size: Size;
}

const HIT_PX = 9;

/** Returns the station or cluster at a screen position. */
export function hitAt({ points, singles, clusters, selected, shift }: DrawnStations, x: number, y: number): Hit | null {
  const at = toDrawn(shift, x, y);
  const [atX, atY] = at;
  const within = HIT_PX / shift.k;
  const top = nearestPoint(points, selected, at, within);
  if (top >= 0) return { kind: "station", index: top };
  const cluster = clusters.findLast((c) => Math.hypot(c.x - atX, c.y - atY) * shift.k <= c.radiusPx);
  if (cluster) return { kind: "cluster", members: cluster.members };
  const index = nearestPoint(points, singles, at, within);
  return index < 0 ? null : { kind: "station", index };
}

/** Returns the visible station nearest to the centre of the map. */
export function centralStation({ points, shift, size }: DrawnStations): number | null {
  const visible = pointsInBox(points, boxOf(size));
  const index = nearestPoint(points, visible, toDrawn(shift, size.widthPx / 2, size.heightPx / 2), Infinity);
  return index < 0 ? null : index;
}

/** Returns the stations within an area that the user drew. */
export function stationsWithin({ points, shift }: DrawnStations, area: SelectionArea): number[] {
  if (area.kind === "lasso")
    return pointsInLasso(
      points,
      area.line.map(([x, y]) => toDrawn(shift, x, y)),
    );
  const [x0, y0] = toDrawn(shift, area.box.x0, area.box.y0);
  const [x1, y1] = toDrawn(shift, area.box.x1, area.box.y1);
  return pointsInBox(points, { x0, y0, x1, y1 });
}

export function boxOf({ widthPx, heightPx }: Size): Corners {
  return { x0: 0, y0: 0, x1: widthPx, y1: heightPx };
}

/** Converts a screen position to the map as it was drawn, before it was moved. */
function toDrawn({ k, x, y }: Shift, atX: number, atY: number): [number, number] {
  return [(atX - x) / k, (atY - y) / k];
}
