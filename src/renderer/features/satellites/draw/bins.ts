import { paddedLimits } from "#shared/plot/scale.ts";
import { valueTicks } from "#shared/plot/valueTicks.ts";
import { constellationAt } from "../constellations.ts";
import { BIN_DEG, type BinGroup, BINS, type ElevationBins } from "../data/elevationBins.ts";
import { drawAlong, drawUpright, type Frame } from "./axes.ts";
import { markPath } from "./marks.ts";
import type { FigureTheme } from "./theme.ts";
import { decimal } from "#shared/text.ts";

const COUNT_PX = 20;
const LEGEND_PX = 18;

export function binsFrame(width: number, height: number): Frame {
  return { left: 34, top: LEGEND_PX + 10, width: width - 34 - 12, height: height - LEGEND_PX - 10 - COUNT_PX - 28 };
}

/** Medians with their quartiles for each group, and how many values each bin has below. */
export function drawBins(
  ctx: CanvasRenderingContext2D,
  width: number,
  height: number,
  theme: FigureTheme,
  bins: ElevationBins,
): void {
  const frame = binsFrame(width, height);
  const [low, high] = limitsOf(bins.groups);
  const perBin = frame.width / BINS;
  const yOf = (value: number): number => frame.top + frame.height * (1 - (value - low) / (high - low));
  const { values, decimals } = valueTicks(low, high, frame.height / 28);
  const ticks = values.map((v) => ({ at: ((v - low) / (high - low)) * frame.height, label: decimal(v, decimals) }));
  drawUpright(ctx, theme, frame, ticks);
  // Neighbours step aside, so that their quartiles stay apart.
  const shift = Math.min(5, (perBin * 0.7) / Math.max(1, bins.groups.length));
  bins.groups.forEach((group, g) => {
    const colour = colourOf(theme, group, g);
    const xOf = (bin: number): number => frame.left + (bin + 0.5) * perBin + (g - (bins.groups.length - 1) / 2) * shift;
    ctx.strokeStyle = ctx.fillStyle = colour;
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (let bin = 0; bin < BINS; bin++) {
      if (group.n[bin] === 0) continue;
      ctx.moveTo(xOf(bin), yOf(group.lower[bin]!));
      ctx.lineTo(xOf(bin), yOf(group.upper[bin]!));
    }
    ctx.stroke();
    ctx.lineWidth = 1.5;
    ctx.setLineDash(dashOf(group) as number[]);
    ctx.beginPath();
    for (let bin = 0; bin < BINS; bin++) {
      if (group.n[bin] === 0) continue;
      const isNext = bin > 0 && group.n[bin - 1]! > 0;
      if (isNext) ctx.lineTo(xOf(bin), yOf(group.median[bin]!));
      else ctx.moveTo(xOf(bin), yOf(group.median[bin]!));
    }
    ctx.stroke();
    ctx.setLineDash([]);
    for (let bin = 0; bin < BINS; bin++) {
      if (group.n[bin] === 0) continue;
      markPath(ctx, shapeOf(group, g), xOf(bin), yOf(group.median[bin]!), 3.2);
      ctx.fill();
    }
  });
  drawCounts(ctx, theme, frame, bins.groups);
  drawGroups(ctx, theme, frame, bins.groups);
}

function drawCounts(
  ctx: CanvasRenderingContext2D,
  theme: FigureTheme,
  frame: Frame,
  groups: readonly BinGroup[],
): void {
  const perBin = frame.width / BINS;
  const foot = frame.top + frame.height + 6 + COUNT_PX;
  const most = Math.max(1, ...Array.from({ length: BINS }, (_, bin) => totalOf(groups, bin)));
  ctx.fillStyle = theme.strong;
  for (let bin = 0; bin < BINS; bin++) {
    const total = totalOf(groups, bin);
    const height = total === 0 ? 0 : Math.max(1, (total / most) * COUNT_PX);
    ctx.fillRect(frame.left + bin * perBin + 1, foot - height, perBin - 2, height);
  }
  ctx.font = theme.font;
  ctx.fillStyle = theme.quiet;
  ctx.textAlign = "right";
  ctx.fillText("n", frame.left - 6, foot - COUNT_PX / 2 + 4);
  const ticks = [0, 15, 30, 45, 60, 75, 90].map((deg) => ({ at: (deg / BIN_DEG) * perBin, label: `${deg}°` }));
  drawAlong(ctx, theme, { ...frame, height: frame.height + 6 + COUNT_PX }, ticks);
}

/** Names of the groups above the frame, with their marks, and the unit. */
function drawGroups(
  ctx: CanvasRenderingContext2D,
  theme: FigureTheme,
  frame: Frame,
  groups: readonly BinGroup[],
): void {
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
    markPath(ctx, shapeOf(group, g), x + 9, 9, 3.2);
    ctx.fill();
    ctx.fillStyle = theme.text;
    ctx.fillText(name, x + 22, 9.5);
    x += 22 + ctx.measureText(name).width + 12;
  });
  ctx.textBaseline = "alphabetic";
}

export function totalOf(groups: readonly BinGroup[], bin: number): number {
  return groups.reduce((sum, group) => sum + group.n[bin]!, 0);
}

function limitsOf(groups: readonly BinGroup[]): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const { n, lower, upper } of groups) {
    for (let bin = 0; bin < BINS; bin++) {
      if (n[bin] === 0) continue;
      low = Math.min(low, lower[bin]!);
      high = Math.max(high, upper[bin]!);
    }
  }
  return low <= high ? paddedLimits(low, high) : [0, 1];
}

const BAND_SHAPES = ["circle", "square", "triangle", "diamond", "down", "cross"] as const;

function colourOf(theme: FigureTheme, group: BinGroup, g: number): string {
  return group.constellation === null
    ? theme.series[g % theme.series.length]!
    : theme.constellations[group.constellation]!;
}

function shapeOf(group: BinGroup, g: number) {
  return group.constellation === null
    ? BAND_SHAPES[g % BAND_SHAPES.length]!
    : constellationAt(group.constellation).shape;
}

function dashOf(group: BinGroup): readonly number[] {
  return group.constellation === null ? [] : constellationAt(group.constellation).dash;
}
