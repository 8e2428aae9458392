import { useCallback, useMemo, useState } from "react";
import { axes, line, plotBox, rect } from "#shared/plot/figure/axes.ts";
import { type LegendEntry, legendShapes, text } from "#shared/plot/figure/page.ts";
import type { VectorShape } from "#shared/plot/figure/scene.ts";
import { symbol, type SymbolKind } from "#shared/plot/figure/symbols.ts";
import { type Box, paddedBounds, yOf } from "#shared/plot/scale.ts";
import { type PlotTheme, seriesLook } from "#shared/plot/theme.ts";
import type { PointedAt } from "../../../ui/drag.ts";
import { count, decimal, many } from "../../../ui/text.ts";
import { CHOICES, fileNameOf, type Shown, shownWords } from "../choices.ts";
import { binsCsv } from "./csv.ts";
import { BIN_DEG, type BinGroup, BINS, type ElevationBins, elevationBins } from "../data/elevationBins.ts";
import { type Draw, Figure } from "./Figure.tsx";
import { PlaceKeys } from "./PlaceKeys.tsx";
import { MemoSegments } from "../controls/memo.ts";
import { rangeText } from "../../range/labels.ts";
import { useSlicedWork } from "../data/slices.ts";
import { READING } from "../labels.ts";
import { constellationAt } from "../constellations.ts";
import { fieldsOf } from "../../../ui/fieldsOf.ts";
import { choicesFrom } from "../../../ui/choices.tsx";

const GROUPINGS = choicesFrom({ constellation: "By constellation", band: "By band" });
const NONE: ElevationBins = { groups: [], outside: 0 };

/** C/N0 against elevation, as a check of the antenna and its surroundings. */
export function BinsFigure({ shown }: { readonly shown: Shown }) {
  const { sky, filter, band, choices } = shown;
  const [bin, setBin] = useState(-1);
  const { by } = choices;
  const bins = useSlicedWork(useCallback(() => elevationBins(sky, filter, by, band), [sky, filter, by, band])) ?? NONE;
  const draw = useMemo(() => drawBins(bins, bin), [bins, bin]);
  return (
    <Figure
      title="C/N0 against elevation"
      subtitle={() => `${shownWords(shown, rangeText(shown.range))} · median and quartiles in ${BIN_DEG}° bins`}
      fileName={fileNameOf("cn0-elevation", shown)}
      draw={draw}
      still={() => drawBins(bins, -1)}
      csv={() => binsCsv(bins)}
      controls={<MemoSegments label="Groups" choices={GROUPINGS} {...fieldsOf(choices, CHOICES.change)("by")} />}
      readout={sky.timesMs.length === 0 ? READING : bin < 0 ? summaryWords(bins) : binWords(bins, bin)}
      label="Median and quartiles of C/N0 in bins of 5° of elevation"
      onPoint={(point) => setBin(point ? binUnder(point) : -1)}
    >
      <PlaceKeys
        label="Bins of elevation"
        count={BINS}
        place={bin}
        textOf={(place) => binWords(bins, place)}
        onChange={setBin}
        onLeave={() => setBin(-1)}
      />
    </Figure>
  );
}

function binUnder(point: PointedAt): number {
  const box = plotBox({ ...point, room: ROOM });
  const bin = Math.floor(((point.x - box.left) / box.width) * BINS);
  return bin >= 0 && bin < BINS ? bin : -1;
}

function summaryWords({ groups, outside }: ElevationBins): string {
  const total = groups.reduce((sum, g) => g.n.reduce((a, b) => a + b, sum), 0);
  const excluded = outside > 0 ? `; ${count(outside)} without an elevation above the horizon are excluded` : "";
  return `Median and quartiles of ${many(total, "value")}${excluded}`;
}

function binWords({ groups }: ElevationBins, bin: number): string {
  const parts = groups.flatMap(({ name, constellation, n, lower, median, upper }) => {
    const [total = 0, low = 0, middle = 0, high = 0] = [n[bin], lower[bin], median[bin], upper[bin]];
    if (total === 0) return [];
    const title = constellation === null ? `band ${name}` : name;
    return [`${title} ${decimal(middle, 1)} (${low.toFixed(1)}–${high.toFixed(1)}), n ${count(total)}`];
  });
  return `${bin * BIN_DEG}–${(bin + 1) * BIN_DEG}° · ${parts.length > 0 ? `dB-Hz: ${parts.join(" · ")}` : "no values"}`;
}

/** Height of the counts above the plot, and of the legend above them. */
const COUNT_PX = 20;
const LEGEND_PX = 22;
const ROOM = { top: LEGEND_PX + COUNT_PX + 4 };
const MARK_PX = 3.2;

/**
 * Draws medians and quartiles of each group, and above them the number of values in each bin.
 *
 * @param read the bin that is read; -1: none
 */
function drawBins({ groups }: ElevationBins, read: number): Draw {
  return (width, height, theme) => {
    const [low, high] = binBounds(groups);
    const x = { low: 0, high: 90, label: "Elevation", step: 15, nameOf: (deg: number) => `${deg}°` };
    const { box, xOf, shapes } = axes({ width, height, x, y: { low, high, label: "dB-Hz" }, theme, room: ROOM });
    const perBin = box.width / BINS;
    // Groups are shifted horizontally, so that their quartiles do not overlap.
    const shift = Math.min(5, (perBin * 0.7) / Math.max(1, groups.length));
    const lines = groups.flatMap((group, g): VectorShape[] => {
      const colour = colourOf(theme, group, g);
      const away = (g - (groups.length - 1) / 2) * shift;
      const points = pointsOf(group).map((point) => ({ ...point, x: xOf((point.bin + 0.5) * BIN_DEG) + away }));
      const medians = points.flatMap(({ bin, x: at, median }, i) => [
        ...(i > 0 && points[i - 1]?.bin !== bin - 1 ? [Number.NaN, Number.NaN] : []),
        at,
        yOf(box, median),
      ]);
      return [
        ...points.map(({ x: at, lower, upper }) => line([at, yOf(box, lower), at, yOf(box, upper)], colour)),
        line(medians, colour, 1.5, dashOf(group)),
        ...points.map(({ x: at, median }) => symbol(symbolOf(group, g), [at, yOf(box, median)], MARK_PX, colour)),
      ];
    });
    const place = { left: box.left, right: width, y: 14 };
    const legend = legendShapes(
      groups.map((group, g) => legendEntry(group, g, theme)),
      place,
      theme.colour("--text"),
    );
    const { top, height: tall } = box;
    const mark = { x: box.left + read * perBin, y: top, width: perBin, height: tall };
    const marks = read < 0 ? [] : [rect(mark, theme.colour("--surface-3"))];
    return [...marks, ...shapes, ...lines, ...countShapes(groups, box, theme), ...legend.shapes];
  };
}

function countShapes(groups: readonly BinGroup[], box: Box, theme: PlotTheme): VectorShape[] {
  const perBin = box.width / BINS;
  const totals = Array.from({ length: BINS }, (_, bin) => groups.reduce((sum, { n }) => sum + (n[bin] ?? 0), 0));
  const max = Math.max(1, ...totals);
  const foot = box.top - 4;
  const bars = totals.map((total, bin): VectorShape => {
    const height = total === 0 ? 0 : Math.max(1, (total / max) * COUNT_PX);
    return rect(
      { x: box.left + bin * perBin + 1, y: foot - height, width: perBin - 2, height },
      theme.colour("--line-strong"),
    );
  });
  return [...bars, text([box.left - 8, foot - 4], "n", theme.colour("--text-2"), { anchor: "end" })];
}

function legendEntry(group: BinGroup, g: number, theme: PlotTheme): LegendEntry {
  const colour = colourOf(theme, group, g);
  return {
    name: group.constellation === null ? `band ${group.name}` : group.name,
    swatch: (x, y) => [
      line([x, y, x + 20, y], colour, 1.5, dashOf(group)),
      symbol(symbolOf(group, g), [x + 10, y], MARK_PX, colour),
    ],
  };
}

/** Returns the quartiles of the bins that have values. */
function pointsOf({ n, lower, median, upper }: BinGroup) {
  return Array.from(n, (count, bin) => ({
    bin,
    count,
    lower: lower[bin] ?? Number.NaN,
    median: median[bin] ?? Number.NaN,
    upper: upper[bin] ?? Number.NaN,
  })).filter(({ count }) => count > 0);
}

function binBounds(groups: readonly BinGroup[]): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const { n, lower, upper } of groups) {
    for (const [bin, count] of n.entries()) {
      if (count === 0) continue;
      low = Math.min(low, lower[bin] ?? low);
      high = Math.max(high, upper[bin] ?? high);
    }
  }
  return low <= high ? paddedBounds(low, high) : [0, 1];
}

const BAND_SYMBOLS = ["circle", "square", "triangle", "diamond", "down", "cross"] as const;

function colourOf(theme: PlotTheme, { constellation }: BinGroup, g: number): string {
  return theme.colour(constellation === null ? seriesLook(g).variable : constellationAt(constellation).colour);
}

function symbolOf({ constellation }: BinGroup, g: number): SymbolKind {
  if (constellation !== null) return constellationAt(constellation).symbol;
  return BAND_SYMBOLS[g % BAND_SYMBOLS.length] ?? "circle";
}

function dashOf({ constellation }: BinGroup): readonly number[] {
  return constellation === null ? [] : constellationAt(constellation).dash;
}
