import type { Shift, Size } from "./camera.ts";
import type { Cluster } from "./clusters.ts";
import { type Box, nearestPoint, type Points, pointsInBox, pointsInLasso } from "./points.ts";

import type { SelectionArea } from "./selectionArea.ts";

export type Hit =
  | { readonly kind: "station"; readonly index: number }
  | { readonly kind: "cluster"; readonly members: readonly number[] };

/** The stations of a map as it was drawn and then moved. */
export interface Scene {
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
export function hitAt({ points, singles, clusters, selected, shift }: Scene, x: number, y: number): Hit | null {
  const [atX, atY] = toDrawn(shift, x, y);
  const within = HIT_PX / shift.k;
  const top = nearestPoint(points, selected, atX, atY, within);
  if (top >= 0) return { kind: "station", index: top };
  const cluster = clusters.findLast((c) => Math.hypot(c.x - atX, c.y - atY) * shift.k <= c.radiusPx);
  if (cluster) return { kind: "cluster", members: cluster.members };
  const index = nearestPoint(points, singles, atX, atY, within);
  return index < 0 ? null : { kind: "station", index };
}

/** Returns the visible station nearest to the centre of the map. */
export function centralStation({ points, shift, size }: Scene): number | null {
  const visible = pointsInBox(points, boxOf(size));
  const index = nearestPoint(points, visible, ...toDrawn(shift, size.widthPx / 2, size.heightPx / 2), Infinity);
  return index < 0 ? null : index;
}

/** Returns the stations within an area that the user drew. */
export function stationsWithin({ points, shift }: Scene, area: SelectionArea): number[] {
  if (area.kind === "lasso")
    return pointsInLasso(
      points,
      area.line.map(([x, y]) => toDrawn(shift, x, y)),
    );
  const [x0, y0] = toDrawn(shift, area.box.x0, area.box.y0);
  const [x1, y1] = toDrawn(shift, area.box.x1, area.box.y1);
  return pointsInBox(points, { x0, y0, x1, y1 });
}

export function boxOf({ widthPx, heightPx }: Size): Box {
  return { x0: 0, y0: 0, x1: widthPx, y1: heightPx };
}

/** Converts a screen position to the map as it was drawn, before it was moved. */
function toDrawn({ k, x, y }: Shift, atX: number, atY: number): [number, number] {
  return [(atX - x) / k, (atY - y) / k];
}
