import { type Bins, isBroken, pixelWidth } from "../bins.ts";
import { RAW_OPACITY, RAW_POINT_PX, rawMarks } from "../rawMarks.ts";
import { type Box, yOf } from "../scale.ts";
import type { AreaShape, VectorShape } from "./scene.ts";

export const RANGE_OPACITY = 0.3;
export const SIGMA_OPACITY = 0.16;
const LINE_PX = 1.1;
/** Distance between rows from which each is drawn as a point. */
const POINT_DISTANCE_PX = 7;

/** A line in bins of pixels, in the box that it is drawn in. */
export interface BinnedLine {
  readonly bins: Bins;
  /** Time between two of its values. */
  readonly stepMs: number;
  readonly box: Box;
}

interface LineLook {
  readonly colour: string;
  readonly dash: readonly number[];
  /** null: a solid line is drawn elsewhere. */
  readonly width?: number | null;
}

/** Draws one series: its bands, its line, and points where values are isolated or few. */
export function lineShapes(line: BinnedLine, look: LineLook): VectorShape[] {
  return [...bandShapes(line, look.colour), ...strokeShapes(line, look)];
}

/** Draws the line of a series, with points where values are isolated or few. */
export function strokeShapes(
  { bins, stepMs, box }: BinnedLine,
  { colour, dash, width = LINE_PX }: LineLook,
): VectorShape[] {
  if (bins.n === 0) return [];
  const unit = pixelWidth(bins, box);
  const isSparse = distanceOfRows(bins, stepMs) * unit >= POINT_DISTANCE_PX;
  const half = (isSparse ? 4 : 3) / 2;
  const line: number[] = [];
  const points: number[] = [];
  for (let i = 0; i < bins.n; i++) {
    const x = box.left + bins.x[i]! * unit;
    const y = yOf(box, bins.mean[i]!);
    const isFirst = isBroken(bins, i, stepMs);
    if (isFirst && i > 0) line.push(Number.NaN, Number.NaN);
    line.push(x, y);
    if (isSparse || (isFirst && (i === bins.n - 1 || isBroken(bins, i + 1, stepMs))))
      addRectangle(points, [x - half, y - half, x + half, y + half]);
  }
  const stroke = width ?? (dash.length > 0 ? LINE_PX : null);
  return [
    ...(stroke === null ? [] : [{ kind: "line", points: line, colour, width: stroke, dash } as const]),
    ...areas(points, colour, 1),
  ];
}

/** Returns the distance between consecutive rows in pixels; 0 if marks are not rows. Gaps do not count: they make few rows, not sparse ones. */
function distanceOfRows({ n, isExact, x, fromMs }: Bins, stepMs: number): number {
  if (!isExact) return 0;
  const spanMs = fromMs[n - 1]! - fromMs[0]!;
  return spanMs > 0 ? (stepMs * (x[n - 1]! - x[0]!)) / spanMs : Infinity;
}

/** Draws the standard deviations of a series, and the ranges of its values in columns of time. */
export function bandShapes(line: BinnedLine, colour: string): VectorShape[] {
  return [
    ...areas(outline(line, "sigma"), colour, SIGMA_OPACITY),
    ...areas(line.bins.isExact ? [] : outline(line, "range"), colour, RANGE_OPACITY),
  ];
}

/** Draws the raw rows of one station as a single shape, so that overlapping points do not add up in opacity. */
export function rawShapes(bins: Bins, box: Box, colour: string): VectorShape[] {
  const points: number[] = [];
  rawMarks(bins, box, RAW_POINT_PX, (left, top, right, foot) => {
    if (right < box.left || left > box.left + box.width) return;
    addRectangle(points, [left, top, right, foot]);
  });
  return areas(points, colour, RAW_OPACITY);
}

/** Returns the legend's swatch of raw rows: three points. */
export function rawSwatch(x: number, y: number, colour: string): VectorShape[] {
  const half = RAW_POINT_PX / 2;
  const points: number[] = [];
  for (const dx of [0, 8, 16]) addRectangle(points, [x + dx, y - half, x + dx + RAW_POINT_PX, y + half]);
  return areas(points, colour, RAW_OPACITY);
}

function addRectangle(points: number[], [left, top, right, foot]: readonly [number, number, number, number]): void {
  if (points.length > 0) points.push(Number.NaN, Number.NaN);
  points.push(left, top, right, top, right, foot, left, foot);
}

function areas(points: readonly number[], colour: string, opacity: number): AreaShape[] {
  return points.length === 0 ? [] : [{ kind: "area", points, colour, opacity }];
}

/** Returns the outline of a band, one polygon per uninterrupted section: along the upper bound and back along the lower. */
function outline({ bins, stepMs, box }: BinnedLine, of: "sigma" | "range"): number[] {
  const { n, mean, sigma, min, max } = bins;
  const unit = pixelWidth(bins, box);
  const points: number[] = [];
  let lower: number[] = [];
  const finishSection = (): void => {
    if (lower.length > 0) points.push(...lower.toReversed());
    lower = [];
  };
  for (let i = 0; i < n; i++) {
    const isSigma = of === "sigma";
    const [high, low] = isSigma ? [mean[i]! + sigma[i]!, mean[i]! - sigma[i]!] : [max[i]!, min[i]!];
    if (Number.isNaN(high) || isBroken(bins, i, stepMs)) finishSection();
    if (Number.isNaN(high)) continue;
    const half = isSigma ? 0 : bins.half[i]!;
    const [left, right] = [box.left + (bins.x[i]! - half) * unit, box.left + (bins.x[i]! + half) * unit];
    if (lower.length === 0 && points.length > 0) points.push(Number.NaN, Number.NaN);
    points.push(left, yOf(box, high), right, yOf(box, high));
    // Alternating y and x, because it is reversed.
    lower.push(yOf(box, low), left, yOf(box, low), right);
  }
  finishSection();
  return points;
}
