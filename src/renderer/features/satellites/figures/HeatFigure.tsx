import { useCallback, useMemo, useState } from "react";
import { count, many } from "../../../ui/text.ts";
import { CHOICES, fileNameOf, type Shown, shownWords } from "../choices.ts";
import { heatCsv } from "./csv.ts";
import { axes, clippedTo, line, plotBox } from "#shared/plot/figure/axes.ts";
import type { VectorShape } from "#shared/plot/figure/scene.ts";
import { arc } from "#shared/plot/figure/symbols.ts";
import { yOf } from "#shared/plot/scale.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import type { PointedAt } from "../../../ui/drag.ts";
import { type Draw, Figure } from "./Figure.tsx";
import { PlaceKeys } from "./PlaceKeys.tsx";
import { AZIMUTHS, CELL_DEG, skyCell, ELEVATIONS, type HeatMap, heatMap } from "../data/heatMap.ts";
import { MemoSegments } from "../controls/memo.ts";
import { rangeText } from "../../range/labels.ts";
import { useSlicedWork } from "../data/slices.ts";
import { cellWords, READING } from "../labels.ts";
import { azimuthAt, elevationAt } from "../data/sky.ts";
import { cn0Colour, cn0Scale, SCALE_PX } from "../draw/cn0.ts";
import { cardinals, type Disc, discIn, hatchedBox, hatchedDisc, radiusAt } from "../draw/polar.ts";
import { fieldsOf } from "../../../ui/fieldsOf.ts";
import { choicesFrom } from "../../../ui/choices.tsx";

const LAYOUTS = choicesFrom({ grid: "Grid", polar: "Polar" });
const CELLS = AZIMUTHS * ELEVATIONS;
const NONE: HeatMap = { n: new Uint32Array(CELLS), meanDbHz: new Float64Array(CELLS).fill(Number.NaN), outside: 0 };

/** Mean C/N0 over the sky: obstructions of the antenna show as dark or empty cells. */
export function HeatFigure({ shown }: { readonly shown: Shown }) {
  const { sky, filter, band, choices } = shown;
  const { layout, cutOffDeg } = choices;
  const [cell, setCell] = useState(-1);
  const map = useSlicedWork(useCallback(() => heatMap(sky, filter, band), [sky, filter, band])) ?? NONE;
  const draw = useMemo(() => drawHeat({ map, layout, cutOffDeg, cell }), [map, layout, cutOffDeg, cell]);
  return (
    <Figure
      title="Mean C/N0 over the sky"
      subtitle={() => `${shownWords(shown, rangeText(shown.range))} · cells of ${CELL_DEG}°; hatched: no values`}
      fileName={fileNameOf("cn0-sky", shown)}
      draw={draw}
      still={() => drawHeat({ map, layout, cutOffDeg, cell: -1 })}
      csv={() => heatCsv(map)}
      controls={<MemoSegments label="Layout" choices={LAYOUTS} {...fieldsOf(choices, CHOICES.change)("layout")} />}
      readout={sky.timesMs.length === 0 ? READING : cell < 0 ? summaryWords(map) : cellWords(map, cell)}
      label="Mean C/N0 in cells of 5° of azimuth and elevation"
      onPoint={(point) => setCell(point ? heatCellAt(point, layout) : -1)}
    >
      <PlaceKeys
        label="Cells of the sky"
        count={CELLS}
        place={cell}
        perRow={AZIMUTHS}
        textOf={(place) => cellWords(map, place)}
        onChange={setCell}
        onLeave={() => setCell(-1)}
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

const DIRECTIONS = ["N", "45°", "E", "135°", "S", "225°", "W", "315°", "N"];
const GRID_ROOM = { right: SCALE_PX + 12, top: 12, bottom: 26 };

function heatDisc(width: number, height: number): Disc {
  return discIn(0, width - SCALE_PX, height);
}

interface HeatScene {
  readonly map: HeatMap;
  readonly layout: HeatLayout;
  readonly cutOffDeg: number;
  /** The cell that is read; -1: none. */
  readonly cell: number;
}

/** Draws mean C/N0 over the sky. Cells without values are hatched, cells below the cut-off are shaded. */
function drawHeat(scene: HeatScene): Draw {
  return (width, height, theme) => {
    const scale = cn0Scale({ x: width - SCALE_PX, y: 26, length: Math.max(40, height - 26 - 34) }, theme);
    if (scene.layout === "polar") {
      const disc = heatDisc(width, height);
      const cells = cellShapes(scene, theme, (azimuth, elevation) => sectorOf(disc, azimuth, elevation));
      return [hatchedDisc(disc, theme), ...cells, ...cardinals(disc, theme), ...scale];
    }
    const x = { low: 0, high: 360, label: "", step: 45, nameOf: (deg: number) => DIRECTIONS[deg / 45] ?? "" };
    const y = { low: 0, high: 90, label: "", step: 30, nameOf: (deg: number) => `${deg}°` };
    const { box, shapes } = axes({ width, height, x, y, theme, room: GRID_ROOM });
    const cells = cellShapes(scene, theme, (azimuth, elevation) => {
      // Whole pixels, so that no seams show between cells.
      const [left, right] = [azimuth, azimuth + 1].map((n) => Math.round(box.left + (n / AZIMUTHS) * box.width));
      const [bottom, top] = [elevation, elevation + 1].map((n) => Math.round(yOf(box, n * CELL_DEG)));
      return [left!, top!, right!, top!, right!, bottom!, left!, bottom!];
    });
    return [...shapes, clippedTo(box, [hatchedBox(box, theme)]), ...cells, ...scale];
  };
}

/** Returns the corners of a cell on the disc. */
function sectorOf(disc: Disc, azimuth: number, elevation: number): number[] {
  const [from, to] = [azimuth * CELL_DEG - 90, (azimuth + 1) * CELL_DEG - 90];
  const [outer, inner] = [elevation, elevation + 1].map((n) => radiusAt(disc, n * CELL_DEG));
  return [...arc(disc.x, disc.y, outer!, [from, to]), ...arc(disc.x, disc.y, inner!, [to, from])];
}

/** Returns the cells, those of a colour as one shape, and the edge of the cell that is read. */
function cellShapes(
  { map, layout, cutOffDeg, cell }: HeatScene,
  theme: PlotTheme,
  cornersOf: (azimuth: number, elevation: number) => readonly number[],
): VectorShape[] {
  const cells = new Map<string, number[]>();
  for (const [at, mean] of map.meanDbHz.entries()) {
    const elevation = Math.floor(at / AZIMUTHS);
    const isCut = (elevation + 1) * CELL_DEG <= cutOffDeg;
    const colour = isCut ? theme.colour("--surface-3") : cn0Colour(mean, theme);
    if (colour === null) continue;
    const points = cells.get(colour) ?? [];
    cells.set(colour, points);
    points.push(...cornersOf(at % AZIMUTHS, elevation), Number.NaN, Number.NaN);
  }
  const areas = [...cells].flatMap(([colour, points]): VectorShape[] => [
    { kind: "area", points, colour, opacity: 1 },
    // Covers the seams between slanted edges.
    ...(layout === "polar" ? [line(points, colour, 0.75)] : []),
  ]);
  if (cell < 0) return areas;
  const corners = cornersOf(cell % AZIMUTHS, Math.floor(cell / AZIMUTHS));
  return [...areas, line([...corners, ...corners.slice(0, 2)], theme.colour("--text"), 2)];
}

/** Returns the cell under a point of the figure; -1 outside. */
function heatCellAt({ x, y, width, height }: PointedAt, layout: HeatLayout): number {
  if (layout === "grid") {
    const box = plotBox({ width, height, room: GRID_ROOM });
    const azimuth = ((x - box.left) / box.width) * 360;
    const elevation = ((box.top + box.height - y) / box.height) * 90;
    return azimuth < 0 || azimuth >= 360 ? -1 : skyCell(azimuth, elevation);
  }
  const disc = heatDisc(width, height);
  const [dx, dy] = [(x - disc.x) / disc.radius, (y - disc.y) / disc.radius];
  return skyCell(azimuthAt(dx, dy), elevationAt(dx, dy));
}
