import { line } from "#shared/plot/figure/axes.ts";
import { text, textWidth } from "#shared/plot/figure/page.ts";
import type { Rect, VectorShape } from "#shared/plot/figure/scene.ts";
import { ring, symbol } from "#shared/plot/figure/symbols.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import type { Size } from "../../../plot/drawing.ts";
import { constellationAt, CONSTELLATIONS } from "../constellations.ts";
import { constellationIndex, entriesAt, epochAt, prnAt, type Sky, type SkyFilter, trackEnds } from "../data/sky.ts";
import { cn0Colour, cn0Scale } from "./cn0.ts";
import { type Disc, discIn, polarAxes } from "./polar.ts";
import { createTracks } from "./tracks.ts";

export interface SkyScene {
  readonly sky: Sky;
  readonly filter: SkyFilter;
  /** Index into `sky.bands`. */
  readonly band: number;
  readonly scaleTitle: string;
  /** Length of the tracks. */
  readonly windowMs: number;
}

const LEGEND_PX = 92;

export function skyDisc({ width, height }: Size): Disc {
  return discIn(LEGEND_PX, Math.max(0, width - LEGEND_PX), height);
}

/** Returns the position of an entry in a figure; NaN if its direction is unknown. */
function positionIn(sky: Sky, entry: number, disc: Disc): readonly [x: number, y: number] {
  const [x = Number.NaN, y = Number.NaN] = [sky.x[entry], sky.y[entry]];
  return [disc.x + x * disc.radius, disc.y + y * disc.radius];
}

/** Maximum distance between pointer and satellite. */
const HIT_PX = 14;

/** Returns the satellite or end of a track nearest to a point of the figure, within `HIT_PX`; -1: none. */
export function entryNear(
  { sky, filter, windowMs }: SkyScene,
  momentMs: number,
  disc: Disc,
  point: { readonly x: number; readonly y: number },
): number {
  let nearest = -1;
  let minDistance = HIT_PX;
  for (const entry of trackEnds(sky, filter, momentMs, windowMs)) {
    const [x, y] = positionIn(sky, entry, disc);
    const distance = Math.hypot(x - point.x, y - point.y);
    if (distance < minDistance) {
      minDistance = distance;
      nearest = entry;
    }
  }
  return nearest;
}

/** The moment of a sky plot, and the highlighted satellite: index into `prns`, -1 for none. */
interface SkyMoment {
  readonly momentMs: number;
  readonly highlighted: number;
}

/** Returns a function that draws a sky at its moments; it keeps tracks from frame to frame. */
export function createSky(scene: SkyScene) {
  const { sky, filter, windowMs } = scene;
  const tracks = createTracks(sky, filter, windowMs);
  return (size: Size, theme: PlotTheme, { momentMs, highlighted }: SkyMoment): VectorShape[] => {
    const disc = skyDisc(size);
    return [
      ...polarAxes(disc, theme, filter.cutOffDeg),
      ...skyLegend(scene, size.height, theme),
      ...tracks(momentMs, disc, theme),
      ...satellites(scene, disc, theme, { momentMs, highlighted }),
    ];
  };
}

/** The shown constellations, and the scale of C/N0. */
function skyLegend({ sky, filter, scaleTitle }: SkyScene, height: number, theme: PlotTheme): VectorShape[] {
  const ink = theme.colour("--text");
  const shown = CONSTELLATIONS.filter((_, kind) => filter.shown[kind] === 1 && sky.constellation.includes(kind));
  const names = shown.flatMap(({ name, symbol: kind, colour, dash }, i): VectorShape[] => {
    const y = 12 + i * 17;
    return [
      line([2, y, 26, y], theme.colour(colour), 1.5, dash),
      symbol(kind, [14, y], 4, theme.colour("--surface")),
      ring(kind, [14, y], 4, { colour: ink, width: 1 }),
      text([32, y + 4], name, ink),
    ];
  });
  const length = Math.min(120, height - shown.length * 17 - 72);
  if (length < 40) return names;
  const y = height - length - 12;
  return [...names, ...cn0Scale({ x: 4, y, length }, theme), text([4, y - 25], scaleTitle, ink)];
}

const MARK_PX = 5;
const HIGHLIGHT_PX = 10;
const NAME_PX = 11;
/** Opacity of the ground of a name, which keeps it readable over tracks. */
const GROUND = 0.7;
/** Directions from a symbol to its name, in the order in which they are tried. */
const NAME_DIRECTIONS: readonly (readonly [x: number, y: number])[] = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
  [1, -0.8],
  [-1, -0.8],
  [1, 0.8],
  [-1, 0.8],
];

/** The satellites of an epoch with their names. */
function satellites(
  { sky, filter, band, windowMs }: SkyScene,
  disc: Disc,
  theme: PlotTheme,
  { momentMs, highlighted }: SkyMoment,
): VectorShape[] {
  const ink = theme.colour("--text");
  const surface = theme.colour("--surface");
  const cn0DbHz = sky.bands[band]?.cn0DbHz;
  const found = entriesAt(sky, filter, epochAt(sky, momentMs))
    .map((entry) => ({ entry, at: positionIn(sky, entry, disc) }))
    .filter(({ at }) => !Number.isNaN(at[0]));
  /** Areas that names must not overlap. */
  const taken = found.map(({ at: [x, y] }): Rect => {
    return { x: x - MARK_PX, y: y - MARK_PX, width: 2 * MARK_PX, height: 2 * MARK_PX };
  });
  const ends = highlighted < 0 ? [] : trackEnds(sky, filter, momentMs, windowMs);
  const rings = ends
    .filter((entry) => sky.prn[entry] === highlighted)
    .map((entry) => ring("circle", positionIn(sky, entry, disc), HIGHLIGHT_PX, { colour: ink, width: 2 }));
  const marks = found.flatMap(({ entry, at }): VectorShape[] => {
    const { symbol: kind } = constellationAt(constellationIndex(sky, entry));
    return [
      symbol(kind, at, MARK_PX, cn0Colour(cn0DbHz?.[entry] ?? Number.NaN, theme) ?? surface),
      ring(kind, at, MARK_PX, { colour: ink, width: 1.25 }),
    ];
  });
  const names = found.flatMap(({ entry, at }): VectorShape[] => {
    const name = prnAt(sky, entry);
    const box = freePlace(name, at, taken);
    taken.push(box);
    return [
      { kind: "rect", ...box, colour: surface, opacity: GROUND },
      text([box.x + 1, box.y + NAME_PX - 1], name, ink, { size: NAME_PX }),
    ];
  });
  return [...rings, ...marks, ...names];
}

/** Returns a free place beside a symbol, else the first one. */
function freePlace(name: string, [x, y]: readonly [number, number], taken: readonly Rect[]): Rect {
  const width = textWidth(name, NAME_PX) + 2;
  const candidates = NAME_DIRECTIONS.map(([dx, dy]): Rect => {
    return { x: x - width / 2 + dx * (width / 2 + 8), y: y - NAME_PX / 2 + dy * 14, width, height: NAME_PX + 1 };
  });
  return candidates.find((box) => !taken.some((other) => overlaps(box, other))) ?? candidates[0]!;
}

function overlaps(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
