import { type BinMark, type Bins, isBroken, markAt } from "../bins.ts";
import { RAW_OPACITY, RAW_POINT_PX, rawMarks } from "../rawMarks.ts";
import { type Box, yOf } from "../scale.ts";
import type { VectorShape } from "./scene.ts";

/** Draws the raw rows of one station as a single shape, so that overlapping points do not add up in opacity. */
export function rawShapes(bins: Bins, box: Box, colour: string): VectorShape[] {
  const points: number[] = [];
  rawMarks(bins, box, RAW_POINT_PX, (left, top, right, foot) => {
    if (right < box.left || left > box.left + box.width) return;
    if (points.length > 0) points.push(Number.NaN, Number.NaN);
    points.push(left, top, right, top, right, foot, left, foot);
  });
  return points.length === 0 ? [] : [{ kind: "area", points, colour, opacity: RAW_OPACITY }];
}

/** Returns the legend's swatch of raw rows: three points. */
export function rawSwatch(x: number, y: number, colour: string): VectorShape {
  const half = RAW_POINT_PX / 2;
  const points = [0, 8, 16].flatMap((dx, i) => {
    const [left, right] = [x + dx, x + dx + RAW_POINT_PX];
    const square = [left, y - half, right, y - half, right, y + half, left, y + half];
    return i === 0 ? square : [Number.NaN, Number.NaN, ...square];
  });
  return { kind: "area", points, colour, opacity: RAW_OPACITY };
}

const LINE_PX = 1.1;
const POINT_PX = 3;
export const RANGE_OPACITY = 0.3;
export const SIGMA_OPACITY = 0.16;

/** Draws one series: uncertainty band, range band, line, and points for isolated values. */
export function lineShapes(
  bins: Bins,
  stepMs: number,
  box: Box,
  look: { readonly colour: string; readonly dash: readonly number[] },
): VectorShape[] {
  const { colour, dash } = look;
  const line: number[] = [];
  const points: number[] = [];
  for (let i = 0; i < bins.n; i++) {
    const mark = markAt(bins, i);
    const x = box.left + mark.x;
    const y = yOf(box, mark.mean);
    const isFirst = isBroken(bins, i, stepMs);
    if (isFirst && i > 0) line.push(Number.NaN, Number.NaN);
    line.push(x, y);
    const isAlone = isFirst && (i === bins.n - 1 || isBroken(bins, i + 1, stepMs));
    if (!isAlone) continue;
    const half = POINT_PX / 2;
    if (points.length > 0) points.push(Number.NaN, Number.NaN);
    points.push(x - half, y - half, x + half, y - half, x + half, y + half, x - half, y + half);
  }
  const sigma = outline(bins, stepMs, box, "sigma");
  const range = bins.isExact ? [] : outline(bins, stepMs, box, "range");
  return [
    ...(sigma.length > 0 ? [{ kind: "area", points: sigma, colour, opacity: SIGMA_OPACITY } as const] : []),
    ...(range.length > 0 ? [{ kind: "area", points: range, colour, opacity: RANGE_OPACITY } as const] : []),
    { kind: "line", points: line, colour, width: LINE_PX, dash },
    ...(points.length > 0 ? [{ kind: "area", points, colour, opacity: 1 } as const] : []),
  ];
}

/** Returns the outline of a band, one polygon per uninterrupted section: along the upper bound and back along the lower. */
function outline(bins: Bins, stepMs: number, box: Box, of: "sigma" | "range"): number[] {
  const points: number[] = [];
  let section: BandPart[] = [];
  const finishSection = (): void => {
    if (section.length === 0) return;
    if (points.length > 0) points.push(Number.NaN, Number.NaN);
    for (const { left, right, top } of section) points.push(left, top, right, top);
    for (const { left, right, foot } of section.toReversed()) points.push(right, foot, left, foot);
    section = [];
  };
  for (let i = 0; i < bins.n; i++) {
    const part = bandPart(markAt(bins, i), box, of);
    if (part === null || isBroken(bins, i, stepMs)) finishSection();
    if (part !== null) section.push(part);
  }
  finishSection();
  return points;
}

interface BandPart {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly foot: number;
}

/** Returns the part of the band at one mark; null if the mark has no uncertainty. */
function bandPart(mark: BinMark, box: Box, of: "sigma" | "range"): BandPart | null {
  const { half, min, max, mean, sigma } = mark;
  const x = box.left + mark.x;
  if (of === "range") return { left: x - half, right: x + half, top: yOf(box, max), foot: yOf(box, min) };
  if (Number.isNaN(mean + sigma)) return null;
  return { left: x, right: x, top: yOf(box, mean + sigma), foot: yOf(box, mean - sigma) };
}
