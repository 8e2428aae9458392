import type { Points } from "./points.ts";

export interface Clusters {
  /** Places of the points of each crowded cell. */
  readonly crowds: readonly (readonly number[])[];
  /** All other points that have a place. */
  readonly singles: readonly number[];
}

/** Pixels of a cell. */
const CELL_PX = 44;
/** As many points as can be told apart in a cell. */
const MOST_APART = 6;

/**
 * Gathers the points of crowded cells. The cells lie fixed on the world and change only when the scale has doubled, so
 * that moving the map moves its clusters and makes no others.
 *
 * @param world where the points are on the whole world, in radians
 * @param scale pixels of a radian
 * @param isApart points that stay by themselves
 */
export function clustered(world: Points, scale: number, isApart: (index: number) => boolean): Clusters {
  const cell = CELL_PX / 2 ** clusterLevel(scale);
  const cells = new Map<string, number[]>();
  const singles: number[] = [];
  for (let i = 0; i < world.x.length; i++) {
    if (Number.isNaN(world.x[i]!)) continue;
    if (isApart(i)) {
      singles.push(i);
      continue;
    }
    const key = `${Math.floor(world.x[i]! / cell)} ${Math.floor(world.y[i]! / cell)}`;
    const own = cells.get(key);
    if (own) own.push(i);
    else cells.set(key, [i]);
  }
  const crowds: number[][] = [];
  for (const own of cells.values()) {
    if (own.length > MOST_APART) crowds.push(own);
    else singles.push(...own);
  }
  return { crowds, singles };
}

/** Changes when the clusters do. */
export function clusterLevel(scale: number): number {
  return Math.round(Math.log2(scale));
}

/** Several stations as one mark. */
export interface Crowd {
  readonly members: readonly number[];
  readonly x: number;
  readonly y: number;
  readonly radiusPx: number;
}

export function crowdOf(members: readonly number[], points: Points): Crowd {
  let [x, y] = [0, 0];
  for (const i of members) {
    x += points.x[i]!;
    y += points.y[i]!;
  }
  const n = members.length;
  return { members, x: x / n, y: y / n, radiusPx: 9 + 3 * Math.log10(n) };
}
