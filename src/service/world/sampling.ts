import { solutionError, type SolutionError } from "./errors.ts";
import type { Grid } from "./grid.ts";
import { bell } from "./random.ts";
import type { Site } from "./site.ts";
import { isLost, type Segment } from "./timeline.ts";
import { QUALITY, type EpochBlock } from "./types.ts";
import { GRID_MS } from "./weather.ts";

/** ZTD of PPP is smooth from epoch to epoch: 0.12 mm of noise. */
const EPOCH_NOISE_MM = 0.3;

/**
 * Appends the scalars of one segment's epochs to the block until the block is full or `endMs` is reached. The grid must
 * cover the range.
 *
 * @param firstMs an epoch of the station
 * @param decimals digits after the point, or null for full doubles
 * @returns the epoch to go on with; `endMs` or later when the segment is done
 */
export function sampleSegment(
  site: Site,
  segment: Segment,
  grid: Grid,
  block: EpochBlock,
  firstMs: number,
  endMs: number,
  decimals: number | null,
): number {
  const { timesMs, quality, ztd, ztdSigma, pwv } = block;
  const { epoch: noiseKey, missing: lossKey } = site.keys;
  const capacity = timesMs.length;
  const label = segment.state === "gap" ? 0 : QUALITY.indexOf(segment.state);
  const isSolved = segment.state !== "noSolution";
  const isDisturbed = segment.episode !== null;
  const scale = decimals === null ? 0 : 10 ** decimals;
  const error: SolutionError = { ztdMm: 0, sigmaMm: 0 };
  const curve = new Float64Array(4);
  let sigmaFrom = 0;
  let sigmaTo = 0;
  let cell = -1;
  let n = block.count;
  let timeMs = firstMs;
  for (; timeMs < endMs && n < capacity; timeMs += site.stepMs) {
    if (isLost(lossKey, timeMs)) continue;
    const i = Math.floor((timeMs - grid.startMs) / GRID_MS);
    if (i !== cell) {
      cell = i;
      cubicThrough(grid.ztdMm, i, curve);
      sigmaFrom = grid.sigmaMm[i]!;
      sigmaTo = grid.sigmaMm[i + 1]!;
    }
    const u = (timeMs - grid.startMs - i * GRID_MS) / GRID_MS;
    timesMs[n] = timeMs;
    quality[n] = label;
    if (isSolved) {
      if (isDisturbed) solutionError(segment, timeMs, error);
      const slow = curve[0]! + u * (curve[1]! + u * (curve[2]! + u * curve[3]!));
      const value = slow + EPOCH_NOISE_MM * bell(noiseKey, timeMs / 1000) + error.ztdMm;
      const sigma = sigmaFrom + (sigmaTo - sigmaFrom) * u + error.sigmaMm;
      const water = u === 0 ? grid.waterPerDelay[i]! * (value - grid.hydrostaticMm[i]!) : Number.NaN;
      ztd[n] = scale === 0 ? value : Math.round(value * scale) / scale;
      ztdSigma[n] = scale === 0 ? sigma : Math.round(sigma * scale) / scale;
      pwv[n] = scale === 0 ? water : Math.round(water * scale) / scale;
    } else {
      ztd[n] = Number.NaN;
      ztdSigma[n] = Number.NaN;
      pwv[n] = Number.NaN;
    }
    n++;
  }
  block.count = n;
  return timeMs;
}

/** Coefficients of the cubic from point i to i + 1 whose slopes are those of the neighbours (Catmull and Rom). */
function cubicThrough(values: Float64Array, i: number, curve: Float64Array): void {
  const before = values[i - 1]!;
  const from = values[i]!;
  const to = values[i + 1]!;
  const after = values[i + 2]!;
  curve[0] = from;
  curve[1] = (to - before) / 2;
  curve[2] = before - 2.5 * from + 2 * to - after / 2;
  curve[3] = (3 * (from - to) + after - before) / 2;
}
