import { useCallback, useMemo, useState } from "react";
import { count, many } from "../../../ui/text.ts";
import { type ChoicesHandle, fileNameOf, type Shown, shownWords } from "../choices.ts";
import { heatCsv } from "./csv.ts";
import { drawHeat, heatCellAt, type HeatLayout } from "../draw/heat.ts";
import { Figure } from "./Figure.tsx";
import { FigureCanvas, type Paint } from "./FigureCanvas.tsx";
import { AZIMUTHS, CELL_DEG, ELEVATIONS, type HeatMap, heatMap } from "../data/heatMap.ts";
import { MemoSegments } from "../controls/memo.ts";
import { rangeText } from "../../range/words.ts";
import { useSlicedWork } from "../data/slices.ts";
import { cellWords, READING } from "../words.ts";

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
  const paint = useMemo(
    (): Paint => (ctx, width, height, theme) => drawHeat(ctx, width, height, theme, { map, layout, cutOffDeg }),
    [map, layout, cutOffDeg],
  );
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
        onPoint={(point) => setCell(point ? heatCellAt(point.width, point.height, layout, point.x, point.y) : -1)}
      />
    </Figure>
  );
}

function summaryWords({ n, outside }: HeatMap): string {
  const total = n.reduce((a, b) => a + b, 0);
  const excluded = outside > 0 ? `; ${count(outside)} without a position above the horizon are excluded` : "";
  return `${many(total, "value")} in cells of ${CELL_DEG}°; hatched: no values${excluded}`;
}
