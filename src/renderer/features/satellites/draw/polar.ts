import { line, type plotBox } from "#shared/plot/figure/axes.ts";
import { text } from "#shared/plot/figure/page.ts";
import type { VectorShape } from "#shared/plot/figure/scene.ts";
import { arc } from "#shared/plot/figure/symbols.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";

/** The disc of the sky in a figure, in pixels: the zenith in its centre, the horizon on its rim. */
export interface Disc {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

const CARDINALS: readonly (readonly [string, number, number])[] = [
  ["N", 0, -1],
  ["E", 1, 0],
  ["S", 0, 1],
  ["W", -1, 0],
];
/** Width of the names around the disc. */
const RIM_PX = 18;
const ELEVATIONS_DEG = [15, 30, 45, 60, 75];
const LABELLED_DEG = [0, 30, 60];
const AXES_DEG = [0, 30, 60, 90, 120, 150];

/** Returns the largest disc in a rectangle. */
export function discIn(left: number, width: number, height: number): Disc {
  return { x: left + width / 2, y: height / 2, radius: Math.max(10, Math.min(width, height) / 2 - RIM_PX) };
}

export function radiusAt({ radius }: Disc, elevationDeg: number): number {
  return (radius * (90 - elevationDeg)) / 90;
}

export function circle({ x, y }: Disc, radius: number, isBackwards = false): number[] {
  return arc(x, y, radius, isBackwards ? [360, 0] : [0, 360]);
}

/** The directions around a disc. */
export function cardinals({ x, y, radius }: Disc, theme: PlotTheme): VectorShape[] {
  return CARDINALS.map(([name, east, south]) => {
    const place = [x + east * (radius + 10), y + south * (radius + 10) + 4] as const;
    return text(place, name, theme.colour("--text"), { anchor: "middle", weight: 600 });
  });
}

/** Lines of azimuth and elevation, with the part below the cut-off shaded. */
export function polarAxes(disc: Disc, theme: PlotTheme, cutOffDeg: number): VectorShape[] {
  const { x, y, radius } = disc;
  const rays = AXES_DEG.flatMap((azimuth) => {
    const [dx, dy] = [Math.sin((azimuth * Math.PI) / 180) * radius, Math.cos((azimuth * Math.PI) / 180) * radius];
    return [x - dx, y + dy, x + dx, y - dy, Number.NaN, Number.NaN];
  });
  const rings = ELEVATIONS_DEG.flatMap((deg) => [...circle(disc, radiusAt(disc, deg)), Number.NaN, Number.NaN]);
  // A hole, because it runs the other way round.
  const cut = [...circle(disc, radius), Number.NaN, Number.NaN, ...circle(disc, radiusAt(disc, cutOffDeg), true)];
  return [
    ...(cutOffDeg > 0 ? [{ kind: "area", points: cut, colour: theme.colour("--surface-3"), opacity: 1 } as const] : []),
    line([...rays, ...rings], theme.colour("--line")),
    line(circle(disc, radius), theme.colour("--line-strong")),
    ...cardinals(disc, theme),
    ...LABELLED_DEG.map((deg) => text([x + 3, y - radiusAt(disc, deg) + 12], `${deg}°`, theme.colour("--text-2"))),
  ];
}

/** Distance of the lines of a hatch. */
const HATCH_PX = 6;

/** Slanted lines over a disc, for places without values. */
export function hatchedDisc({ x, y, radius }: Disc, theme: PlotTheme): VectorShape {
  const points: number[] = [];
  for (let away = -radius + HATCH_PX / 2; away < radius; away += HATCH_PX / Math.SQRT2) {
    const half = Math.sqrt(radius ** 2 - away ** 2) / Math.SQRT2;
    const [middleX, middleY] = [x + away / Math.SQRT2, y + away / Math.SQRT2];
    points.push(middleX - half, middleY + half, middleX + half, middleY - half, Number.NaN, Number.NaN);
  }
  return line(points, theme.colour("--line-strong"));
}

/** Slanted lines over a rectangle, to be clipped to it. */
export function hatchedBox({ left, top, width, height }: ReturnType<typeof plotBox>, theme: PlotTheme): VectorShape {
  const points: number[] = [];
  for (let from = 0; from < width + height; from += HATCH_PX)
    points.push(left + from, top, left + from - height, top + height, Number.NaN, Number.NaN);
  return line(points, theme.colour("--line-strong"));
}
