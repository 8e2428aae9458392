import { type Bins, isBroken } from "#shared/plot/bins.ts";
import type { BinnedLine } from "#shared/plot/figure/lineShapes.ts";
import { type Box, yOf } from "#shared/plot/scale.ts";
import { addRun, addSmoothRun, type Target } from "./pixels.ts";

/** Draws the range of values of each mark. */
export function addRanges(target: Target, bins: Bins, box: Box): void {
  for (let i = 0; i < bins.n; i++) {
    const max = bins.max[i]!;
    const min = bins.min[i]!;
    if (max <= min) continue;
    const x0 = bins.x[i]!;
    const half = bins.half[i]!;
    const left = Math.round(x0 - half);
    const right = Math.max(left + 1, Math.round(x0 + half));
    const top = yOf(box, max);
    const foot = yOf(box, min);
    for (let x = Math.max(0, left); x < Math.min(target.width, right); x++) addRun(target, x, top, foot);
  }
}

/** Draws the band of standard deviations. */
export function addSigma(target: Target, { bins, stepMs, box }: BinnedLine): void {
  for (let i = 1; i < bins.n; i++) {
    const sigmaFrom = bins.sigma[i - 1]!;
    const sigmaTo = bins.sigma[i]!;
    if (Number.isNaN(sigmaFrom) || Number.isNaN(sigmaTo) || isBroken(bins, i, stepMs)) continue;
    const fromX = bins.x[i - 1]!;
    const toX = bins.x[i]!;
    const topFrom = yOf(box, bins.mean[i - 1]! + sigmaFrom);
    const topTo = yOf(box, bins.mean[i]! + sigmaTo);
    const footFrom = yOf(box, bins.mean[i - 1]! - sigmaFrom);
    const footTo = yOf(box, bins.mean[i]! - sigmaTo);
    // Pixel columns whose centre is between the two values: each belongs to one section of the band.
    const last = Math.min(target.width, Math.ceil(toX - 0.5));
    for (let x = Math.max(0, Math.ceil(fromX - 0.5)); x < last; x++) {
      const share = (x + 0.5 - fromX) / (toX - fromX);
      addRun(target, x, topFrom + (topTo - topFrom) * share, footFrom + (footTo - footFrom) * share);
    }
  }
}

/** The part of each pixel column that a line passes; none where `top` is below `foot`. */
interface Spans {
  readonly top: Float64Array;
  readonly foot: Float64Array;
}

export function createSpans(width: number): Spans {
  return { top: new Float64Array(width).fill(Infinity), foot: new Float64Array(width).fill(-Infinity) };
}

/**
 * Draws the uninterrupted sections of a line, which has no two values at one place, one after the other.
 *
 * @param widthPx thickness of the line @param spans empty, for each column of the image; they are left empty
 */
export function addStroke(target: Target, { bins, stepMs, box }: BinnedLine, widthPx: number, spans: Spans): void {
  const beside = (widthPx - 1) / 2;
  let fromX = Number.NaN;
  let fromY = Number.NaN;
  let sectionX = 0;
  for (let i = 0; i < bins.n; i++) {
    const toX = bins.x[i]!;
    const toY = yOf(box, bins.mean[i]!);
    if (isBroken(bins, i, stepMs)) {
      addSpans(target, spans, sectionX, fromX + beside);
      sectionX = toX - beside;
    } else if (toX > fromX) {
      const slope = (toY - fromY) / (toX - fromX);
      // As much ink in each column as a stroke of this width has.
      const half = (widthPx * (Math.sqrt(1 + slope * slope) - Math.abs(slope))) / 2;
      const last = Math.min(target.width, Math.ceil(toX + beside));
      for (let x = Math.max(0, Math.floor(fromX - beside)); x < last; x++) {
        const left = x - beside > fromX ? (x - beside - fromX) * slope : 0;
        const right = x + 1 + beside < toX ? (x + 1 + beside - fromX) * slope : toY - fromY;
        const top = fromY + (left < right ? left : right) - half;
        const foot = fromY + (left < right ? right : left) + half;
        if (top < spans.top[x]!) spans.top[x] = top;
        if (foot > spans.foot[x]!) spans.foot[x] = foot;
      }
    }
    fromX = toX;
    fromY = toY;
  }
  addSpans(target, spans, sectionX, fromX + beside);
}

/** Draws the spans between two places, and clears them. */
function addSpans(target: Target, { top, foot }: Spans, fromX: number, toX: number): void {
  const last = Math.min(target.width, Math.ceil(toX));
  for (let x = Math.max(0, Math.floor(fromX)); x < last; x++) {
    if (foot[x]! > top[x]!) addSmoothRun(target, x, top[x]!, foot[x]!);
    top[x] = Infinity;
    foot[x] = -Infinity;
  }
}
