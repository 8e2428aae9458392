import { geoEqualEarth, type GeoProjection } from "d3-geo";
import type { Position } from "./camera.ts";

/** Points of a map by their places in arrays; NaN where one has no place. */
export interface Points {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** Where a projection puts the positions; null among them has none. */
export function projected(positions: readonly (Position | null)[], projection: GeoProjection): Points {
  const x = new Float64Array(positions.length).fill(Number.NaN);
  const y = new Float64Array(positions.length).fill(Number.NaN);
  positions.forEach((position, i) => {
    const place = position && projection([position.longitudeDeg, position.latitudeDeg]);
    if (!place) return;
    x[i] = place[0];
    y[i] = place[1];
  });
  return { x, y };
}

/** The positions on one map of the whole world in radians, the same whatever is in sight. */
export function onWorld(positions: readonly (Position | null)[]): Points {
  return projected(positions, geoEqualEarth().scale(1).translate([0, 0]));
}

/** The point nearest to a place, no further than `withinPx`; of equally near ones the last, which is drawn on top. -1: none. */
export function nearestPoint(
  { x, y }: Points,
  among: ArrayLike<number>,
  atX: number,
  atY: number,
  withinPx: number,
): number {
  let found = -1;
  let leastSquare = withinPx * withinPx;
  for (let i = 0; i < among.length; i++) {
    const index = among[i]!;
    const square = (x[index]! - atX) ** 2 + (y[index]! - atY) ** 2;
    if (square > leastSquare || Number.isNaN(square)) continue;
    leastSquare = square;
    found = index;
  }
  return found;
}

export interface Box {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** The points in a box, whichever of its corners come first; its edges belong to it. */
export function pointsInBox({ x, y }: Points, { x0, y0, x1, y1 }: Box): number[] {
  const [left, right] = [Math.min(x0, x1), Math.max(x0, x1)];
  const [top, bottom] = [Math.min(y0, y1), Math.max(y0, y1)];
  const found: number[] = [];
  for (let i = 0; i < x.length; i++) {
    if (x[i]! >= left && x[i]! <= right && y[i]! >= top && y[i]! <= bottom) found.push(i);
  }
  return found;
}

/** Whether a place is inside a closed line, which may cross itself: where a ray from it crosses the line an odd number of times. */
export function isInside(polygon: readonly (readonly [number, number])[], atX: number, atY: number): boolean {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [ax, ay] = polygon[i]!;
    const [bx, by] = polygon[j]!;
    if (ay > atY !== by > atY && atX < ax + ((bx - ax) * (atY - ay)) / (by - ay)) inside = !inside;
  }
  return inside;
}

export function pointsInLasso(points: Points, polygon: readonly (readonly [number, number])[]): number[] {
  const [xs, ys] = [polygon.map(([x]) => x), polygon.map(([, y]) => y)];
  const around = { x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys) };
  return pointsInBox(points, around).filter((i) => isInside(polygon, points.x[i]!, points.y[i]!));
}
