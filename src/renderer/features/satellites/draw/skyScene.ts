import { passes, type Sky, type SkyFilter } from "../data/sky.ts";

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

export function discIn(width: number, height: number): Disc {
  const room = Math.max(0, width - LEGEND_PX);
  return { x: LEGEND_PX + room / 2, y: height / 2, radius: Math.max(10, Math.min(room, height) / 2 - RIM_PX) };
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
