import { lowerBound } from "#shared/arrays.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { drawnAfterMs, type Track } from "./track.ts";

/**
 * Marks that represent a track: one per pixel column if it is dense, else one per row or source column. The arrays are
 * reused from frame to frame; only their first `n` entries are valid. Code that runs in every frame reads the arrays: an
 * object for each mark or column doubles the time of a frame.
 */
export interface Bins {
  n: number;
  /** Width of the plot in the pixels of `x` and `half`. */
  widthPx: number;
  /** Centre (from the left edge of the plot) and half width of the mark, in pixels. */
  x: Float64Array;
  half: Float64Array;
  /** First and last moment that the mark represents. */
  fromMs: Float64Array;
  toMs: Float64Array;
  count: Float64Array;
  min: Float64Array;
  max: Float64Array;
  mean: Float64Array;
  /** Mean deviation; NaN: none. */
  sigma: Float64Array;
  /** Whether each mark is a single row. */
  isExact: boolean;
  /** Bounds of all marks inside the plot, including deviations; NaN without marks. */
  low: number;
  high: number;
}

export function createBins(): Bins {
  const none = new Float64Array(0);
  const arrays = { x: none, half: none, fromMs: none, toMs: none, count: none, min: none, max: none, mean: none };
  return { n: 0, widthPx: 1, ...arrays, sigma: none, isExact: true, low: Number.NaN, high: Number.NaN };
}

/** The mark that is being collected, and what it is written to. */
interface OpenMark {
  readonly bins: Bins;
  x: number;
  half: number;
  fromMs: number;
  toMs: number;
  /** 0 if no mark is open. */
  count: number;
  min: number;
  max: number;
  /** Sums over the values. */
  sum: number;
  sigmaSum: number;
}

/** Fills `bins` with the marks of a track in a view of `widthPx` pixels. */
export function binTrack(track: Track, shown: TimeRange, widthPx: number, bins: Bins): void {
  // As seen from the values, the view is earlier by as much as they are drawn later.
  const laterMs = drawnAfterMs(track);
  const view = { startMs: shown.startMs - laterMs, endMs: shown.endMs - laterMs };
  bins.widthPx = widthPx;
  bins.low = Infinity;
  bins.high = -Infinity;
  const place = { x: 0, half: 0, fromMs: 0, toMs: 0 };
  const mark = { bins, ...place, count: 0, min: Infinity, max: -Infinity, sum: 0, sigmaSum: 0 };
  if (track.kind === "rows") binRows(track, view, mark);
  else binColumns(track, view, mark);
  close(mark);
  if (!(bins.low <= bins.high)) bins.low = bins.high = Number.NaN;
}

function reserve(bins: Bins, capacity: number): void {
  bins.n = 0;
  if (bins.x.length >= capacity) return;
  const size = Math.ceil(capacity * 1.25);
  for (const name of ["x", "half", "fromMs", "toMs", "count", "min", "max", "mean", "sigma"] as const) {
    bins[name] = new Float64Array(size);
  }
}

function binRows(track: Extract<Track, { kind: "rows" }>, view: TimeRange, mark: OpenMark): void {
  const { timesMs, values, sigma } = track;
  const { bins } = mark;
  const { widthPx } = bins;
  const perMs = widthPx / (view.endMs - view.startMs);
  // Includes one value outside on each side, at its own distance, so that lines reach the edges of the plot but a value
  // before a gap is not drawn at its end.
  let from = lowerBound(timesMs, view.startMs) - 1;
  while (from > 0 && Number.isNaN(values[from])) from--;
  from = Math.max(0, from);
  let to = lowerBound(timesMs, view.endMs);
  while (Number.isNaN(values[to])) to++;
  to = Math.min(timesMs.length, to + 1);
  bins.isExact = to - from <= 2 * widthPx;
  reserve(bins, bins.isExact ? to - from : widthPx + 4);
  let pixel = Number.NaN;
  for (let i = from; i < to; i++) {
    const value = values[i]!;
    if (value !== value) continue;
    const timeMs = timesMs[i]!;
    const x = (timeMs - view.startMs) * perMs;
    const deviation = sigma === null ? Number.NaN : sigma[i]!;
    if (bins.isExact) {
      open(mark, x, 0, timeMs);
    } else {
      const next = Math.floor(x);
      if (next !== pixel) open(mark, next + 0.5, 0.5, timeMs);
      pixel = next;
    }
    widen(mark, timeMs, value, value);
    weigh(mark, 1, value, deviation);
  }
}

function binColumns(track: Extract<Track, { kind: "columns" }>, view: TimeRange, mark: OpenMark): void {
  const { data, range, sigma } = track;
  const { bins } = mark;
  const { widthPx } = bins;
  const columns = data.count.length;
  const columnMs = (range.endMs - range.startMs) / columns;
  const perMs = widthPx / (view.endMs - view.startMs);
  let from = Math.max(0, Math.floor((view.startMs - range.startMs) / columnMs) - 1);
  let to = Math.min(columns, Math.ceil((view.endMs - range.startMs) / columnMs) + 1);
  while (from > 0 && data.count[from] === 0) from--;
  while (to < columns && data.count[to - 1] === 0) to++;
  const isFine = columnMs * perMs < 1;
  bins.isExact = false;
  reserve(bins, isFine ? widthPx + 4 : Math.max(0, to - from));
  let pixel = Number.NaN;
  for (let c = from; c < to; c++) {
    const count = data.count[c]!;
    if (count === 0) continue;
    const startMs = range.startMs + c * columnMs;
    const x = (startMs + columnMs / 2 - view.startMs) * perMs;
    if (isFine) {
      const next = Math.floor(x);
      if (next !== pixel) open(mark, next + 0.5, 0.5, startMs);
      pixel = next;
    } else {
      open(mark, x, (columnMs * perMs) / 2, startMs);
    }
    const deviation = sigma === null ? Number.NaN : sigma[c]!;
    widen(mark, startMs + columnMs, data.min[c]!, data.max[c]!);
    weigh(mark, count, data.mean[c]!, deviation);
  }
}

function open(mark: OpenMark, x: number, half: number, fromMs: number): void {
  close(mark);
  mark.x = x;
  mark.half = half;
  mark.fromMs = fromMs;
  mark.count = 0;
  mark.min = Infinity;
  mark.max = -Infinity;
  mark.sum = 0;
  mark.sigmaSum = 0;
}

function widen(mark: OpenMark, toMs: number, min: number, max: number): void {
  mark.toMs = toMs;
  if (min < mark.min) mark.min = min;
  if (max > mark.max) mark.max = max;
}

function weigh(mark: OpenMark, count: number, mean: number, sigma: number): void {
  mark.count += count;
  mark.sum += mean * count;
  mark.sigmaSum += sigma * count;
}

function close({ bins, x, half, fromMs, toMs, count, min, max, sum, sigmaSum }: OpenMark): void {
  if (count === 0) return;
  const mean = sum / count;
  const sigma = sigmaSum / count;
  const i = bins.n++;
  bins.x[i] = x;
  bins.half[i] = half;
  bins.fromMs[i] = fromMs;
  bins.toMs[i] = toMs;
  bins.count[i] = count;
  bins.min[i] = min;
  bins.max[i] = max;
  bins.mean[i] = mean;
  bins.sigma[i] = sigma;
  if (x + half < 0 || x - half > bins.widthPx) return;
  const around = sigma === sigma ? sigma : 0;
  const below = Math.min(min, mean - around);
  const above = Math.max(max, mean + around);
  // The cache may contain infinities, which cannot be drawn.
  if (below < bins.low && below > -Infinity) bins.low = below;
  if (above > bins.high && above < Infinity) bins.high = above;
}

/** A distance between two values of more than this many steps is a gap. */
export const GAP_STEPS = 1.5;

/** Whether a line is interrupted before a mark, because values are missing. */
export function isBroken(bins: Bins, i: number, stepMs: number): boolean {
  return i === 0 || bins.fromMs[i]! - bins.toMs[i - 1]! > stepMs * GAP_STEPS;
}

/** Returns the width of a pixel of the marks, in the unit of the box that they are drawn in. */
export function pixelWidth(bins: Bins, box: { readonly width: number }): number {
  return box.width / bins.widthPx;
}
