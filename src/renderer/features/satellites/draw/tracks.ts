import type { VectorShape } from "#shared/plot/figure/scene.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { constellationAt } from "../constellations.ts";
import { constellationIndex, entriesUpTo, type Sky, type SkyFilter } from "../data/sky.ts";
import type { Disc } from "./polar.ts";

/** Entries whose tracks are drawn, with the line that leads to each from its previous entry. */
interface TrackSection {
  readonly from: number;
  readonly to: number;
  /** Lines that begin before `from` are drawn only if they begin at this entry or later. */
  readonly reach: number;
}

/** Lines of the tracks of each constellation, alternating x and y, separated by NaN. */
type Tracks = ReadonlyMap<number, readonly number[]>;

/** Minimum length that gives a line its direction: at one epoch per second, hundreds of entries share a pixel. */
const MIN_LENGTH_PX = 0.4;
/** Maximum distance of an entry from a line of which it is part. */
const MAX_DISTANCE_PX = 0.25;

export function tracksOf(sky: Sky, filter: SkyFilter, disc: Disc, section: TrackSection): Tracks {
  const { from, to } = section;
  const tracks = new Map<number, number[]>();
  const isVisited = new Uint8Array(Math.max(0, to - from));
  // Backwards, so that an entry that is not part of a later entry's track is the end of a track.
  for (let entry = to - 1; entry >= from; entry--) {
    if (isVisited[entry - from] === 1) continue;
    for (let at = entry; at >= from; at = sky.previous[at]!) isVisited[at - from] = 1;
    const kind = constellationIndex(sky, entry);
    if (filter.shown[kind] !== 1) continue;
    const points = tracks.get(kind) ?? [];
    tracks.set(kind, points);
    trace(points, entry, { sky, filter, disc, section });
  }
  return tracks;
}

interface Tracing {
  readonly sky: Sky;
  readonly filter: SkyFilter;
  readonly disc: Disc;
  readonly section: TrackSection;
}

/**
 * Traces a track backwards from its last entry, interrupted below the cut-off. Collinear entries are merged, so that a
 * track of hours takes about twenty lines.
 */
function trace(points: number[], head: number, { sky, filter, disc, section: { from, reach } }: Tracing): void {
  let isDown = false;
  // End of the last line, direction of the current line, its end, and its length.
  let penX = 0;
  let penY = 0;
  let directionX = 0;
  let directionY = 0;
  let endX = 0;
  let endY = 0;
  let reached = 0;
  const lift = (): void => {
    if (isDown) points.push(endX, endY, Number.NaN, Number.NaN);
    isDown = false;
  };
  for (let entry = head; entry >= reach; entry = sky.previous[entry]!) {
    const x = disc.x + sky.x[entry]! * disc.radius;
    const y = disc.y + sky.y[entry]! * disc.radius;
    const isLast = entry < from;
    const isHidden = Number.isNaN(x) || (filter.cutOffDeg > 0 && !(sky.elevationDeg[entry]! >= filter.cutOffDeg));
    if (isHidden) {
      lift();
    } else if (!isDown) {
      if (isLast) return;
      isDown = true;
      // Draws a dot for a track of one entry.
      points.push(x, y, x + 0.1, y);
      penX = endX = x;
      penY = endY = y;
      directionX = directionY = reached = 0;
    } else {
      const dx = x - penX;
      const dy = y - penY;
      const along = dx * directionX + dy * directionY;
      const distance = Math.abs(dx * directionY - dy * directionX);
      const isOff = distance > MAX_DISTANCE_PX || along < reached - MAX_DISTANCE_PX;
      reached = Math.max(reached, along);
      if (isOff) {
        points.push(endX, endY);
        penX = endX;
        penY = endY;
      }
      if (isOff || (directionX === 0 && directionY === 0)) {
        const length = Math.hypot(x - penX, y - penY);
        const hasDirection = length >= MIN_LENGTH_PX;
        directionX = hasDirection ? (x - penX) / length : 0;
        directionY = hasDirection ? (y - penY) / length : 0;
        reached = hasDirection ? length : 0;
      }
      endX = x;
      endY = y;
    }
    if (isLast) break;
  }
  lift();
}

/** A track may skip two epochs: see `SkyBuilder`. */
const MAX_LINK_STEPS = 3;
/** Parts of the tracks that are kept. */
const PARTS = 12;
/** More than half the width of a line. */
const MARGIN_PX = 2;

/**
 * Returns a function that draws the tracks up to a moment. Their whole time steps are traced and painted once, so a frame
 * of a playing sky draws only both ends.
 *
 * @param windowMs length of the tracks
 */
export function createTracks(sky: Sky, filter: SkyFilter, windowMs: number) {
  const traced = new Map<number, VectorShape>();
  let tracedOn: { readonly disc: Disc; readonly theme: PlotTheme } | null = null;
  const stepMs = Math.max(sky.stepMs, windowMs / PARTS);

  function stepShape(step: number, disc: Disc, theme: PlotTheme): VectorShape {
    const startMs = step * stepMs;
    // Includes the lines that lead to the step, which begin up to this many epochs before.
    const reach = entriesUpTo(sky, startMs - MAX_LINK_STEPS * sky.stepMs);
    const section = { from: entriesUpTo(sky, startMs), to: entriesUpTo(sky, startMs + stepMs), reach };
    const [radius, size] = [disc.radius + MARGIN_PX, 2 * (disc.radius + MARGIN_PX)];
    const place = { x: disc.x - radius, y: disc.y - radius, width: size, height: size };
    const shape: VectorShape = traced.get(step) ?? {
      kind: "clip",
      ...place,
      shapes: trackShapes(tracksOf(sky, filter, disc, section), theme),
      isStill: true,
    };
    traced.set(step, shape);
    return shape;
  }

  return (momentMs: number, disc: Disc, theme: PlotTheme): VectorShape[] => {
    if (windowMs === 0) return [];
    const endStep = Math.floor(momentMs / stepMs);
    const firstStep = Math.min(endStep, Math.ceil((momentMs - windowMs) / stepMs));
    const { disc: before } = tracedOn ?? {};
    const isSameDisc = before?.x === disc.x && before.y === disc.y && before.radius === disc.radius;
    const isMoved = !isSameDisc || tracedOn?.theme !== theme;
    for (const step of traced.keys()) if (isMoved || step < firstStep || step >= endStep) traced.delete(step);
    tracedOn = { disc, theme };
    const fromMs = firstStep * stepMs;
    const body = { from: entriesUpTo(sky, fromMs), to: entriesUpTo(sky, endStep * stepMs) };
    const first = entriesUpTo(sky, momentMs - windowMs);
    const tailTo = Math.min(body.to, entriesUpTo(sky, fromMs + MAX_LINK_STEPS * sky.stepMs));
    const tail = { from: first, to: tailTo, reach: first };
    const head = { from: Math.max(first, body.to), to: entriesUpTo(sky, momentMs), reach: first };
    return [
      ...Array.from({ length: endStep - firstStep }, (_, i) => stepShape(firstStep + i, disc, theme)),
      ...(first < body.from ? trackShapes(tracksOf(sky, filter, disc, tail), theme) : []),
      ...trackShapes(tracksOf(sky, filter, disc, head), theme),
    ];
  };
}

function trackShapes(tracks: Tracks, theme: PlotTheme): VectorShape[] {
  return [...tracks].map(([kind, points]): VectorShape => {
    const { colour, dash } = constellationAt(kind);
    return { kind: "line", points, colour: theme.colour(colour), width: 1.5, dash };
  });
}
