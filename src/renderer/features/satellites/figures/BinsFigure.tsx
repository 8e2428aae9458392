import { useCallback, useMemo, useState } from "react";
import { paddedBounds, valueTicks, valueTickText } from "#shared/plot/scale.ts";
import { count, many } from "../../../ui/text.ts";
import { type Choices, type ChoicesHandle, fileNameOf, type Shown, shownWords } from "../choices.ts";
import { binsCsv } from "./csv.ts";
import { BIN_DEG, type BinGroup, BINS, type ElevationBins, elevationBins } from "../data/elevationBins.ts";
import { Figure } from "./Figure.tsx";
import { FigureCanvas, type Paint, type PointedAt } from "./FigureCanvas.tsx";
import { MemoSegments } from "../controls/memo.ts";
import { rangeText } from "../../range/labels.ts";
import { useSlicedWork } from "../data/slices.ts";
import { dbHz, READING } from "../labels.ts";
import { constellationAt, type MarkShape } from "../constellations.ts";
import { drawHorizontalAxis, drawVerticalAxis, type Frame } from "../draw/axes.ts";
import { markPath } from "../draw/marks.ts";
import type { FigureSize, FigureTheme, Paper, Pen } from "../draw/theme.ts";

const GROUPINGS = [
  { value: "constellation", label: "By constellation" },
  { value: "band", label: "By band" },
] as const;
const NONE: ElevationBins = { groups: [], outside: 0 };

/** C/N0 against elevation, as a check of the antenna and its surroundings. */
export function BinsFigure({ shown, change }: { readonly shown: Shown; readonly change: ChoicesHandle["change"] }) {
  const { sky, filter, band, choices } = shown;
  const [bin, setBin] = useState(-1);
  const setGrouping = useCallback((by: Choices["by"]) => change({ by }), [change]);
  const { by } = choices;
  const bins = useSlicedWork(useCallback(() => elevationBins(sky, filter, by, band), [sky, filter, by, band])) ?? NONE;
  const paint = useMemo((): Paint => (paper) => drawBins(paper, bins), [bins]);
  return (
    <Figure
      title="C/N0 against elevation"
      subtitle={() => `${shownWords(shown, rangeText(shown.range))} · median and quartiles in ${BIN_DEG}° bins`}
      fileName={fileNameOf("cn0-elevation", shown)}
      paint={paint}
      csv={() => binsCsv(bins)}
      controls={<MemoSegments label="Groups" choices={GROUPINGS} value={choices.by} onChange={setGrouping} />}
      readout={sky.timesMs.length === 0 ? READING : bin < 0 ? summaryWords(bins) : binWords(bins, bin)}
    >
      <FigureCanvas
        label="Median and quartiles of C/N0 in bins of 5° of elevation"
        paint={paint}
        onPoint={(point) => setBin(point ? binUnder(point) : -1)}
      />
    </Figure>
  );
}

function binUnder(point: PointedAt): number {
  const frame = binsFrame(point);
  const bin = Math.floor(((point.x - frame.left) / frame.width) * BINS);
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
    return [`${title} ${dbHz(middle)} (${low.toFixed(1)}–${high.toFixed(1)}), n ${count(total)}`];
  });
  return `${bin * BIN_DEG}–${(bin + 1) * BIN_DEG}° · ${parts.length > 0 ? parts.join(" · ") : "no values"}`;
}

const COUNT_PX = 20;
const LEGEND_PX = 18;

function binsFrame({ width, height }: FigureSize): Frame {
  return { left: 34, top: LEGEND_PX + 10, width: width - 34 - 12, height: height - LEGEND_PX - 10 - COUNT_PX - 28 };
}

/** Draws medians and quartiles of each group, and below them the number of values in each bin. */
function drawBins(paper: Paper, bins: ElevationBins): void {
  const { ctx, theme } = paper;
  const frame = binsFrame(paper);
  const [low, high] = boundsOf(bins.groups);
  const perBin = frame.width / BINS;
  const yOf = (value: number): number => frame.top + frame.height * (1 - (value - low) / (high - low));
  const found = valueTicks(low, high, frame.height / 28);
  const ticks = found.values.map((v) => ({
    at: ((v - low) / (high - low)) * frame.height,
    label: valueTickText(v, found),
  }));
  drawVerticalAxis(paper, frame, ticks);
  // Groups are shifted horizontally, so that their quartiles do not overlap.
  const shift = Math.min(5, (perBin * 0.7) / Math.max(1, bins.groups.length));
  bins.groups.forEach((group, g) => {
    const colour = colourOf(theme, group, g);
    const xOf = (bin: number): number => frame.left + (bin + 0.5) * perBin + (g - (bins.groups.length - 1) / 2) * shift;
    ctx.strokeStyle = ctx.fillStyle = colour;
    ctx.lineWidth = 1;
    ctx.beginPath();
    const medians = pointsOf(group).map((point) => ({ ...point, x: xOf(point.bin), y: yOf(point.median) }));
    for (const { x, lower, upper } of medians) {
      ctx.moveTo(x, yOf(lower));
      ctx.lineTo(x, yOf(upper));
    }
    ctx.stroke();
    ctx.lineWidth = 1.5;
    ctx.setLineDash(dashOf(group) as number[]);
    ctx.beginPath();
    let lastBin = -2;
    for (const { bin, x, y } of medians) {
      if (bin === lastBin + 1) ctx.lineTo(x, y);
      else ctx.moveTo(x, y);
      lastBin = bin;
    }
    ctx.stroke();
    ctx.setLineDash([]);
    for (const median of medians) {
      markPath(ctx, shapeOf(group, g), median, 3.2);
      ctx.fill();
    }
  });
  drawCounts(paper, frame, bins.groups);
  drawLegend(paper, frame, bins.groups);
}

function drawCounts(pen: Pen, frame: Frame, groups: readonly BinGroup[]): void {
  const { ctx, theme } = pen;
  const perBin = frame.width / BINS;
  const bottom = frame.top + frame.height + 6 + COUNT_PX;
  const maxTotal = Math.max(1, ...Array.from({ length: BINS }, (_, bin) => totalOf(groups, bin)));
  ctx.fillStyle = theme.strong;
  for (let bin = 0; bin < BINS; bin++) {
    const total = totalOf(groups, bin);
    const height = total === 0 ? 0 : Math.max(1, (total / maxTotal) * COUNT_PX);
    ctx.fillRect(frame.left + bin * perBin + 1, bottom - height, perBin - 2, height);
  }
  ctx.font = theme.font;
  ctx.fillStyle = theme.quiet;
  ctx.textAlign = "right";
  ctx.fillText("n", frame.left - 6, bottom - COUNT_PX / 2 + 4);
  const ticks = [0, 15, 30, 45, 60, 75, 90].map((deg) => ({ at: (deg / BIN_DEG) * perBin, label: `${deg}°` }));
  drawHorizontalAxis(pen, { ...frame, height: frame.height + 6 + COUNT_PX }, ticks);
}

/** Draws the legend of the groups above the frame, and the unit. */
function drawLegend({ ctx, theme }: Pen, frame: Frame, groups: readonly BinGroup[]): void {
  ctx.font = theme.font;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  ctx.fillStyle = theme.quiet;
  ctx.fillText("dB-Hz", 2, 9);
  let x = frame.left + 8;
  groups.forEach((group, g) => {
    const name = group.constellation === null ? `band ${group.name}` : group.name;
    ctx.fillStyle = ctx.strokeStyle = colourOf(theme, group, g);
    ctx.setLineDash(dashOf(group) as number[]);
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    ctx.moveTo(x, 9);
    ctx.lineTo(x + 18, 9);
    ctx.stroke();
    ctx.setLineDash([]);
    markPath(ctx, shapeOf(group, g), { x: x + 9, y: 9 }, 3.2);
    ctx.fill();
    ctx.fillStyle = theme.text;
    ctx.fillText(name, x + 22, 9.5);
    x += 22 + ctx.measureText(name).width + 12;
  });
  ctx.textBaseline = "alphabetic";
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

function totalOf(groups: readonly BinGroup[], bin: number): number {
  return groups.reduce((sum, group) => sum + (group.n[bin] ?? 0), 0);
}

function boundsOf(groups: readonly BinGroup[]): [number, number] {
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

const BAND_SHAPES = ["circle", "square", "triangle", "diamond", "down", "cross"] as const;

function colourOf(theme: FigureTheme, group: BinGroup, g: number): string {
  const colour =
    group.constellation === null ? theme.series[g % theme.series.length] : theme.constellations[group.constellation];
  return colour ?? theme.text;
}

function shapeOf(group: BinGroup, g: number): MarkShape {
  if (group.constellation !== null) return constellationAt(group.constellation).shape;
  return BAND_SHAPES[g % BAND_SHAPES.length] ?? "circle";
}

function dashOf(group: BinGroup): readonly number[] {
  return group.constellation === null ? [] : constellationAt(group.constellation).dash;
}
