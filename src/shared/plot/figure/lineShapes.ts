import { type Bins, isBroken } from "../bins.ts";
import { type Box, yOf } from "../scale.ts";
import type { Shape } from "./scene.ts";

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
): Shape[] {
  const { colour, dash } = look;
  const line: number[] = [];
  const points: number[] = [];
  for (let i = 0; i < bins.n; i++) {
    const x = box.left + bins.x[i]!;
    const y = yOf(box, bins.mean[i]!);
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

/** Returns the outline of a band, one polygon per uninterrupted section: along the upper limit and back along the lower. */
function outline(bins: Bins, stepMs: number, box: Box, of: "sigma" | "range"): number[] {
  const upper = (i: number): number => (of === "range" ? bins.max[i]! : bins.mean[i]! + bins.sigma[i]!);
  const lower = (i: number): number => (of === "range" ? bins.min[i]! : bins.mean[i]! - bins.sigma[i]!);
  const points: number[] = [];
  const half = (i: number): number => (of === "range" ? bins.half[i]! : 0);
  for (let start = 0; start < bins.n;) {
    let end = start + 1;
    const has = (i: number): boolean => !Number.isNaN(upper(i));
    while (end < bins.n && has(end) && has(start) && !isBroken(bins, end, stepMs)) end++;
    if (has(start)) {
      if (points.length > 0) points.push(Number.NaN, Number.NaN);
      for (let i = start; i < end; i++) {
        const x = box.left + bins.x[i]!;
        points.push(x - half(i), yOf(box, upper(i)), x + half(i), yOf(box, upper(i)));
      }
      for (let i = end - 1; i >= start; i--) {
        const x = box.left + bins.x[i]!;
        points.push(x + half(i), yOf(box, lower(i)), x - half(i), yOf(box, lower(i)));
      }
    }
    start = end;
  }
  return points;
}
