import { geoEqualEarth, type GeoProjection } from "d3-geo";
import type { Position } from "./camera.ts";

/** Coordinates of points, by index; NaN for a point without a position. */
export interface Points {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** Projects positions; null has no position. */
export function projectPoints(positions: readonly (Position | null)[], projection: GeoProjection): Points {
  const x = new Float64Array(positions.length).fill(Number.NaN);
  const y = new Float64Array(positions.length).fill(Number.NaN);
  positions.forEach((position, i) => {
    const point = position && projection([position.longitudeDeg, position.latitudeDeg]);
    if (point) [x[i], y[i]] = point;
  });
  return { x, y };
}

/** Projects positions onto a map of the whole world in radians, independent of the visible part. */
export function projectOntoWorld(positions: readonly (Position | null)[]): Points {
  return projectPoints(positions, geoEqualEarth().scale(1).translate([0, 0]));
}

/**
 * Returns the index of the point nearest to a position, at most `withinPx` away; of equally near points the last, which is
 * drawn on top. -1: none.
 */
export function nearestPoint(
  { x, y }: Points,
  among: readonly number[],
  [atX, atY]: readonly [x: number, y: number],
  withinPx: number,
): number {
  let found = -1;
  let minSquare = withinPx * withinPx;
  for (const index of among) {
    const square = ((x[index] ?? Number.NaN) - atX) ** 2 + ((y[index] ?? Number.NaN) - atY) ** 2;
    if (square > minSquare || Number.isNaN(square)) continue;
    minSquare = square;
    found = index;
  }
  return found;
}

/** Opposite corners of a box. */
export interface Corners {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** Returns the points in a box, edges included; its corners may be in any order. */
export function pointsInBox({ x, y }: Points, { x0, y0, x1, y1 }: Corners): number[] {
  const [left, right] = [Math.min(x0, x1), Math.max(x0, x1)];
  const [top, bottom] = [Math.min(y0, y1), Math.max(y0, y1)];
  const found: number[] = [];
  for (const [i, px] of x.entries()) {
    const py = y[i] ?? Number.NaN;
    if (px >= left && px <= right && py >= top && py <= bottom) found.push(i);
  }
  return found;
}

type Polygon = readonly (readonly [number, number])[];

/** Whether a position is inside a polygon, which may cross itself: a ray from it crosses the edges an odd number of times. */
function isInside(polygon: Polygon, atX: number, atY: number): boolean {
  let inside = false;
  let [bx, by] = polygon.at(-1) ?? [0, 0];
  for (const [ax, ay] of polygon) {
    if (ay > atY !== by > atY && atX < ax + ((bx - ax) * (atY - ay)) / (by - ay)) inside = !inside;
    [bx, by] = [ax, ay];
  }
  return inside;
}

export function pointsInLasso(points: Points, polygon: Polygon): number[] {
  const [xs, ys] = [polygon.map(([x]) => x), polygon.map(([, y]) => y)];
  const bounds = { x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys) };
  return pointsInBox(points, bounds).filter((i) =>
    isInside(polygon, points.x[i] ?? Number.NaN, points.y[i] ?? Number.NaN),
  );
}

export interface Clustering {
  /** Indices of the points in each crowded cell. */
  readonly groups: readonly (readonly number[])[];
  /** Indices of all other points that have a position. */
  readonly singles: readonly number[];
}

const CELL_PX = 44;
/** Points that can be told apart in a cell. */
const MAX_SINGLES_PER_CELL = 6;

/**
 * Groups the points of crowded cells. The grid of cells is fixed to the world and changes only when the scale doubles,
 * so that panning the map never regroups points.
 *
 * @param world positions on a map of the whole world, in radians
 * @param scale pixels per radian
 * @param isSingle points that are never grouped
 */
export function clusterPoints(world: Points, scale: number, isSingle: (index: number) => boolean): Clustering {
  const cell = CELL_PX / 2 ** clusterLevel(scale);
  const cells = new Map<string, number[]>();
  const singles: number[] = [];
  for (const [i, x] of world.x.entries()) {
    if (Number.isNaN(x)) continue;
    if (isSingle(i)) {
      singles.push(i);
      continue;
    }
    const key = `${Math.floor(x / cell)} ${Math.floor((world.y[i] ?? 0) / cell)}`;
    const own = cells.get(key);
    if (own) own.push(i);
    else cells.set(key, [i]);
  }
  const groups: number[][] = [];
  for (const own of cells.values()) {
    if (own.length > MAX_SINGLES_PER_CELL) groups.push(own);
    else singles.push(...own);
  }
  return { groups, singles };
}

/** Identifies the grid of cells: points are grouped again when it changes. */
export function clusterLevel(scale: number): number {
  return Math.round(Math.log2(scale));
}

/** Several stations drawn as one symbol. */
export interface Cluster {
  readonly members: readonly number[];
  readonly x: number;
  readonly y: number;
  readonly radiusPx: number;
}

export function createCluster(members: readonly number[], points: Points): Cluster {
  let [x, y] = [0, 0];
  for (const i of members) {
    x += points.x[i] ?? Number.NaN;
    y += points.y[i] ?? Number.NaN;
  }
  const count = members.length;
  return { members, x: x / count, y: y / count, radiusPx: 9 + 3 * Math.log10(count) };
}
