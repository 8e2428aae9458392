import type { Shift, Size } from "./camera.ts";
import type { Draft } from "./drafts.ts";
import type { Crowd } from "./clusters.ts";
import { type Box, nearestPoint, type Points, pointsInBox, pointsInLasso } from "./points.ts";

export type Hit =
  | { readonly kind: "station"; readonly index: number }
  | { readonly kind: "crowd"; readonly members: readonly number[] };

/** Stations as they lie on a map that was drawn and then moved. */
export interface Scene {
  readonly points: Points;
  readonly singles: readonly number[];
  readonly crowds: readonly Crowd[];
  /** They lie on top. */
  readonly chosen: readonly number[];
  readonly shift: Shift;
  readonly size: Size;
}

const HIT_PX = 9;

/** What lies under a place of the screen. */
export function hitAt({ points, singles, crowds, chosen, shift }: Scene, x: number, y: number): Hit | null {
  const [atX, atY] = drawnAt(shift, x, y);
  const near = HIT_PX / shift.k;
  const top = nearestPoint(points, chosen, atX, atY, near);
  if (top >= 0) return { kind: "station", index: top };
  const crowd = crowds.findLast((c) => Math.hypot(c.x - atX, c.y - atY) * shift.k <= c.radiusPx);
  if (crowd) return { kind: "crowd", members: crowd.members };
  const index = nearestPoint(points, singles, atX, atY, near);
  return index < 0 ? null : { kind: "station", index };
}

/** The station nearest to the middle, however far within what is in sight. */
export function middleStation({ points, shift, size }: Scene): number | null {
  const inSight = pointsInBox(points, wholeOf(size));
  const index = nearestPoint(points, inSight, ...drawnAt(shift, size.widthPx / 2, size.heightPx / 2), Infinity);
  return index < 0 ? null : index;
}

/** Stations within what was drawn around them. */
export function stationsWithin({ points, shift }: Scene, draft: Draft): number[] {
  if (draft.kind === "lasso")
    return pointsInLasso(
      points,
      draft.line.map(([x, y]) => drawnAt(shift, x, y)),
    );
  const [x0, y0] = drawnAt(shift, draft.box.x0, draft.box.y0);
  const [x1, y1] = drawnAt(shift, draft.box.x1, draft.box.y1);
  return pointsInBox(points, { x0, y0, x1, y1 });
}

export function wholeOf({ widthPx, heightPx }: Size): Box {
  return { x0: 0, y0: 0, x1: widthPx, y1: heightPx };
}

/** Where a place of the screen was when the map was drawn. */
function drawnAt({ k, x, y }: Shift, atX: number, atY: number): [number, number] {
  return [(atX - x) / k, (atY - y) / k];
}
