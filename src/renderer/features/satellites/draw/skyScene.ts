import { entriesAt, type Sky, type SkyFilter } from "../data/sky.ts";
import type { FigurePoint, FigureSize } from "./theme.ts";

export interface SkyScene {
  readonly sky: Sky;
  readonly filter: SkyFilter;
  /** Index into `sky.bands`. */
  readonly band: number;
  readonly scaleTitle: string;
  /** Length of the tracks. */
  readonly windowMs: number;
}

/** The disc of the sky in a figure, in pixels. */
export interface Disc {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

const LEGEND_PX = 84;
const RIM_PX = 18;

export function discIn({ width, height }: FigureSize): Disc {
  const availablePx = Math.max(0, width - LEGEND_PX);
  const radius = Math.max(10, Math.min(availablePx, height) / 2 - RIM_PX);
  return { x: LEGEND_PX + availablePx / 2, y: height / 2, radius };
}

/** Returns the position of an entry in a figure; NaN if its direction is unknown. */
export function positionIn(sky: Sky, entry: number, disc: Disc): FigurePoint {
  const [x = Number.NaN, y = Number.NaN] = [sky.x[entry], sky.y[entry]];
  return { x: disc.x + x * disc.radius, y: disc.y + y * disc.radius };
}

/** Maximum distance between pointer and satellite. */
const HIT_PX = 14;

/** Returns the entry of an epoch nearest to a point of the figure, within `HIT_PX`; -1: none. */
export function entryNear({ sky, filter }: SkyScene, epoch: number, disc: Disc, point: FigurePoint): number {
  let nearest = -1;
  let minDistance = HIT_PX;
  for (const entry of entriesAt(sky, filter, epoch)) {
    const { x, y } = positionIn(sky, entry, disc);
    const distance = Math.hypot(x - point.x, y - point.y);
    if (distance < minDistance) {
      minDistance = distance;
      nearest = entry;
    }
  }
  return nearest;
}
