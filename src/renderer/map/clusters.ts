import type { Points } from "./points.ts";

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

/** Identifies the grid of cells: points are grouped anew when it changes. */
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
