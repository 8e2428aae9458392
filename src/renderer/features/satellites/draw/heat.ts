import { AZIMUTHS, CELL_DEG, cellOf, ELEVATIONS, type HeatMap } from "../data/heatMap.ts";
import { azimuthAt, elevationAt } from "../data/sky.ts";
import { scaleColour, type FigureTheme } from "./theme.ts";
import { drawHorizontalAxis, drawScale, drawVerticalAxis, type Frame } from "./axes.ts";
import type { Disc } from "./skyScene.ts";

export type HeatLayout = "grid" | "polar";

const SCALE_PX = 62;
const RADIANS = Math.PI / 180;
const AZIMUTH_TICKS = ["N", "45°", "E", "135°", "S", "225°", "W", "315°", "N"];

function gridIn(width: number, height: number): Frame {
  return { left: 34, top: 10, width: width - 34 - SCALE_PX - 12, height: height - 10 - 26 };
}

function heatDisc(width: number, height: number): Disc {
  const availablePx = width - SCALE_PX;
  return { x: availablePx / 2, y: height / 2, radius: Math.max(10, Math.min(availablePx, height) / 2 - 16) };
}

interface HeatScene {
  readonly map: HeatMap;
  readonly layout: HeatLayout;
  readonly cutOffDeg: number;
}

/** Draws mean C/N0 over the sky. Cells without values are hatched, cells below the cut-off are shaded. */
export function drawHeat(
  ctx: CanvasRenderingContext2D,
  width: number,
  height: number,
  theme: FigureTheme,
  scene: HeatScene,
): void {
  if (scene.layout === "grid") {
    const frame = gridIn(width, height);
    const w = frame.width / AZIMUTHS;
    const h = frame.height / ELEVATIONS;
    // Drawn first, so that the grid lines are below the cells.
    drawVerticalAxis(
      ctx,
      theme,
      frame,
      [0, 30, 60, 90].map((deg) => ({ at: (deg / 90) * frame.height, label: `${deg}°` })),
    );
    paintCells(ctx, theme, scene, (azimuth, elevation) => {
      // Whole pixels, so that no seams show between cells.
      const left = Math.round(frame.left + azimuth * w);
      const top = Math.round(frame.top + frame.height - (elevation + 1) * h);
      const right = Math.round(frame.left + (azimuth + 1) * w);
      const bottom = Math.round(frame.top + frame.height - elevation * h);
      ctx.beginPath();
      ctx.rect(left, top, right - left, bottom - top);
    });
    drawHorizontalAxis(
      ctx,
      theme,
      frame,
      AZIMUTH_TICKS.map((label, i) => ({ at: (i / 8) * frame.width, label })),
    );
  } else {
    const disc = heatDisc(width, height);
    paintCells(ctx, theme, scene, (azimuth, elevation) => {
      const outer = (disc.radius * (90 - elevation * CELL_DEG)) / 90;
      const inner = (disc.radius * (90 - (elevation + 1) * CELL_DEG)) / 90;
      const from = (azimuth * CELL_DEG - 90) * RADIANS;
      const to = ((azimuth + 1) * CELL_DEG - 90) * RADIANS;
      ctx.beginPath();
      ctx.arc(disc.x, disc.y, outer, from, to);
      ctx.arc(disc.x, disc.y, inner, to, from, true);
      ctx.closePath();
    });
    ctx.font = theme.bold;
    ctx.fillStyle = theme.text;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    for (const [name, x, y] of [
      ["N", 0, -1],
      ["E", 1, 0],
      ["S", 0, 1],
      ["W", -1, 0],
    ] as const)
      ctx.fillText(name, disc.x + x * (disc.radius + 9), disc.y + y * (disc.radius + 9));
    ctx.textBaseline = "alphabetic";
  }
  drawScale(ctx, theme, width - SCALE_PX + 10, 26, Math.max(40, height - 26 - 34));
}

function paintCells(
  ctx: CanvasRenderingContext2D,
  theme: FigureTheme,
  { map, layout, cutOffDeg }: HeatScene,
  path: (azimuth: number, elevation: number) => void,
): void {
  const isPolar = layout === "polar";
  for (let elevation = 0; elevation < ELEVATIONS; elevation++) {
    const isCut = (elevation + 1) * CELL_DEG <= cutOffDeg;
    for (let azimuth = 0; azimuth < AZIMUTHS; azimuth++) {
      const colour = scaleColour(map.meanDbHz[elevation * AZIMUTHS + azimuth] ?? Number.NaN, theme);
      path(azimuth, elevation);
      ctx.fillStyle = isCut ? theme.shade : (colour ?? theme.hatch);
      ctx.fill();
      // Strokes cover the seams between slanted edges.
      if (isPolar && !isCut && colour !== null) {
        ctx.strokeStyle = colour;
        ctx.lineWidth = 0.75;
        ctx.stroke();
      }
    }
  }
}

/** Returns the cell under a point of the figure; -1 outside. */
export function heatCellAt(width: number, height: number, layout: HeatLayout, x: number, y: number): number {
  if (layout === "grid") {
    const frame = gridIn(width, height);
    const azimuth = ((x - frame.left) / frame.width) * 360;
    const elevation = ((frame.top + frame.height - y) / frame.height) * 90;
    return azimuth < 0 || azimuth >= 360 ? -1 : cellOf(azimuth, elevation);
  }
  const disc = heatDisc(width, height);
  const [dx, dy] = [(x - disc.x) / disc.radius, (y - disc.y) / disc.radius];
  return cellOf(azimuthAt(dx, dy), elevationAt(dx, dy));
}
