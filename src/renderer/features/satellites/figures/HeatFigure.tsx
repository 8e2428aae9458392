import { useCallback, useMemo, useState } from "react";
import { count, many } from "../../../ui/text.ts";
import { type ChoicesHandle, fileNameOf, type Shown, shownWords } from "../choices.ts";
import { heatCsv } from "./csv.ts";
import { Figure } from "./Figure.tsx";
import { FigureCanvas, type Paint, type PointedAt } from "./FigureCanvas.tsx";
import { AZIMUTHS, CELL_DEG, cellOf, ELEVATIONS, type HeatMap, heatMap } from "../data/heatMap.ts";
import { MemoSegments } from "../controls/memo.ts";
import { rangeText } from "../../range/labels.ts";
import { useSlicedWork } from "../data/slices.ts";
import { cellWords, READING } from "../labels.ts";
import { azimuthAt, elevationAt } from "../data/sky.ts";
import { type FigureSize, type Paper, type Pen, scaleColour } from "../draw/theme.ts";
import { drawHorizontalAxis, drawScale, drawVerticalAxis, type Frame } from "../draw/axes.ts";
import type { Disc } from "../draw/skyScene.ts";

const LAYOUTS = [
  { value: "grid", label: "Grid" },
  { value: "polar", label: "Polar" },
] as const;
const CELLS = AZIMUTHS * ELEVATIONS;
const NONE: HeatMap = { n: new Uint32Array(CELLS), meanDbHz: new Float64Array(CELLS).fill(Number.NaN), outside: 0 };

/** Mean C/N0 over the sky: obstructions of the antenna show as dark or empty cells. */
export function HeatFigure({ shown, change }: { readonly shown: Shown; readonly change: ChoicesHandle["change"] }) {
  const { sky, filter, band, choices } = shown;
  const { layout, cutOffDeg } = choices;
  const [cell, setCell] = useState(-1);
  const setLayout = useCallback((to: HeatLayout) => change({ layout: to }), [change]);
  const map = useSlicedWork(useCallback(() => heatMap(sky, filter, band), [sky, filter, band])) ?? NONE;
  const paint = useMemo((): Paint => (paper) => drawHeat(paper, { map, layout, cutOffDeg }), [map, layout, cutOffDeg]);
  return (
    <Figure
      title="Mean C/N0 over the sky"
      subtitle={() => `${shownWords(shown, rangeText(shown.range))} · cells of ${CELL_DEG}°; hatched: no values`}
      fileName={fileNameOf("cn0-sky", shown)}
      paint={paint}
      csv={() => heatCsv(map)}
      controls={<MemoSegments label="Layout" choices={LAYOUTS} value={layout} onChange={setLayout} />}
      readout={sky.timesMs.length === 0 ? READING : cell < 0 ? summaryWords(map) : cellWords(map, cell)}
    >
      <FigureCanvas
        label="Mean C/N0 in cells of 5° of azimuth and elevation"
        paint={paint}
        onPoint={(point) => setCell(point ? heatCellAt(point, layout) : -1)}
      />
    </Figure>
  );
}

function summaryWords({ n, outside }: HeatMap): string {
  const total = n.reduce((a, b) => a + b, 0);
  const excluded = outside > 0 ? `; ${count(outside)} without a position above the horizon are excluded` : "";
  return `${many(total, "value")} in cells of ${CELL_DEG}°; hatched: no values${excluded}`;
}

type HeatLayout = "grid" | "polar";

const SCALE_PX = 62;
const RADIANS = Math.PI / 180;
const AZIMUTH_TICKS = ["N", "45°", "E", "135°", "S", "225°", "W", "315°", "N"];

function gridIn({ width, height }: FigureSize): Frame {
  return { left: 34, top: 10, width: width - 34 - SCALE_PX - 12, height: height - 10 - 26 };
}

function heatDisc({ width, height }: FigureSize): Disc {
  const availablePx = width - SCALE_PX;
  return { x: availablePx / 2, y: height / 2, radius: Math.max(10, Math.min(availablePx, height) / 2 - 16) };
}

interface HeatScene {
  readonly map: HeatMap;
  readonly layout: HeatLayout;
  readonly cutOffDeg: number;
}

/** Draws mean C/N0 over the sky. Cells without values are hatched, cells below the cut-off are shaded. */
function drawHeat(paper: Paper, scene: HeatScene): void {
  const { ctx, theme, width, height } = paper;
  if (scene.layout === "grid") {
    const frame = gridIn(paper);
    const w = frame.width / AZIMUTHS;
    const h = frame.height / ELEVATIONS;
    // Drawn first, so that the grid lines are below the cells.
    drawVerticalAxis(
      paper,
      frame,
      [0, 30, 60, 90].map((deg) => ({ at: (deg / 90) * frame.height, label: `${deg}°` })),
    );
    paintCells(paper, scene, (azimuth, elevation) => {
      // Whole pixels, so that no seams show between cells.
      const left = Math.round(frame.left + azimuth * w);
      const top = Math.round(frame.top + frame.height - (elevation + 1) * h);
      const right = Math.round(frame.left + (azimuth + 1) * w);
      const bottom = Math.round(frame.top + frame.height - elevation * h);
      ctx.beginPath();
      ctx.rect(left, top, right - left, bottom - top);
    });
    drawHorizontalAxis(
      paper,
      frame,
      AZIMUTH_TICKS.map((label, i) => ({ at: (i / 8) * frame.width, label })),
    );
  } else {
    const disc = heatDisc(paper);
    paintCells(paper, scene, (azimuth, elevation) => {
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
  drawScale(paper, { left: width - SCALE_PX + 10, top: 26, height: Math.max(40, height - 26 - 34) });
}

function paintCells(
  { ctx, theme }: Pen,
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
function heatCellAt(point: PointedAt, layout: HeatLayout): number {
  const { x, y } = point;
  if (layout === "grid") {
    const frame = gridIn(point);
    const azimuth = ((x - frame.left) / frame.width) * 360;
    const elevation = ((frame.top + frame.height - y) / frame.height) * 90;
    return azimuth < 0 || azimuth >= 360 ? -1 : cellOf(azimuth, elevation);
  }
  const disc = heatDisc(point);
  const [dx, dy] = [(x - disc.x) / disc.radius, (y - disc.y) / disc.radius];
  return cellOf(azimuthAt(dx, dy), elevationAt(dx, dy));
}
