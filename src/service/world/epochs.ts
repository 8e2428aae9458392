import { SATELLITE_VARIABLES, SCALAR_VARIABLES, VARIABLES } from "#shared/service/variables.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { solutionError, type SolutionError } from "./errors.ts";
import { type Grid, GRID_MS, gridFiller } from "./weather.ts";
import { bell, smoothNoise } from "./random.ts";
import { satelliteTexts, type SatelliteTexts } from "./satellites.ts";
import type { Site } from "./site.ts";
import { isLost, type Segment, segmentsOf } from "./timeline.ts";
import { type BlockRequest, type EpochBlock, QUALITY } from "./types.ts";
import { visibleRange } from "./visible.ts";

/** ZTD of PPP drifts by some tenths of a mm within minutes, and varies by about a tenth from epoch to epoch. */
const WANDER_MM = 0.5;
const WANDER_MS = 100_000;
const EPOCH_NOISE_MM = 0.3;
const SIGMA_NOISE_MM = 0.1;
/** Converts the key of the epoch noise into one for the noise of its uncertainty. */
const SIGMA_SALT = 0x3c6ef372;

interface Sampling {
  readonly site: Site;
  readonly grid: Grid;
  readonly block: EpochBlock;
  /** Digits after the point; null for full doubles. */
  readonly decimals: number | null;
}

/**
 * Appends the scalars of a segment's epochs to the block until the block is full or the segment ends. The grid must
 * cover the segment from `firstMs` on.
 *
 * @param firstMs an epoch of the station
 * @returns the next epoch; the end of the segment or later when it is complete
 */
function sampleSegment({ site, grid, block, decimals }: Sampling, segment: Segment, firstMs: number): number {
  const { endMs } = segment;
  const { timesMs, quality, columns } = block;
  const { ztd, ztd_sigma: ztdSigma, pwv } = columns;
  const { epoch: noiseKey, missing: lossKey } = site.keys;
  const capacity = timesMs.length;
  const label = segment.state === "gap" ? 0 : QUALITY.indexOf(segment.state);
  const isSolved = segment.state !== "noSolution";
  const isDisturbed = segment.episode !== null;
  const scale = decimals === null ? null : 10 ** decimals;
  const error: SolutionError = { ztdMm: 0, sigmaMm: 0 };
  let curve: Cubic = [0, 0, 0, 0];
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
      curve = cubicThrough(grid.ztdMm, i);
      sigmaFrom = grid.sigmaMm[i]!;
      sigmaTo = grid.sigmaMm[i + 1]!;
    }
    const u = (timeMs - grid.startMs - i * GRID_MS) / GRID_MS;
    timesMs[n] = timeMs;
    quality[n] = label;
    if (isSolved) {
      if (isDisturbed) solutionError(segment, timeMs, error);
      const slow = curve[0] + u * (curve[1] + u * (curve[2] + u * curve[3]));
      const wander = WANDER_MM * smoothNoise(noiseKey, timeMs, WANDER_MS);
      const value = slow + wander + EPOCH_NOISE_MM * bell(noiseKey, timeMs / 1000) + error.ztdMm;
      const jitter = SIGMA_NOISE_MM * bell(noiseKey ^ SIGMA_SALT, timeMs / 1000);
      const sigma = sigmaFrom + (sigmaTo - sigmaFrom) * u + jitter + error.sigmaMm;
      const water = u === 0 ? grid.waterPerDelay[i]! * (value - grid.hydrostaticMm[i]!) : Number.NaN;
      ztd[n] = roundedToScale(value, scale);
      ztdSigma[n] = roundedToScale(sigma, scale);
      pwv[n] = roundedToScale(water, scale);
    } else {
      for (const name of SCALAR_VARIABLES) columns[name][n] = Number.NaN;
    }
    n++;
  }
  block.count = n;
  return timeMs;
}

/** Dividing an integer by a power of ten gives the double nearest to the decimal; adding 0 turns -0 into 0. */
function roundedToScale(value: number, scale: number | null): number {
  return scale === null ? value : Math.round(value * scale) / scale + 0;
}

/** Coefficients of a polynomial, the constant first. */
type Cubic = readonly [number, number, number, number];

/** The cubic from point i to i + 1 whose slopes are those of the neighbours (Catmull and Rom). */
function cubicThrough(values: Float64Array, i: number): Cubic {
  const before = values[i - 1]!;
  const from = values[i]!;
  const to = values[i + 1]!;
  const after = values[i + 2]!;
  return [from, (to - before) / 2, before - 2.5 * from + 2 * to - after / 2, (3 * (from - to) + after - before) / 2];
}

const BLOCK_ROWS = 4096;

/**
 * The observations of one station, day by day. No epoch depends on another, so a range can be divided in any way with the
 * same rows. Each iterator reuses one block.
 */
export function* epochsOf(
  site: Site,
  latencyMs: number,
  request: BlockRequest,
  blockRows = BLOCK_ROWS,
): IterableIterator<EpochBlock> {
  const range = visibleRange(site, latencyMs, request);
  if (range.endMs <= range.startMs) return;
  const most = Math.ceil((range.endMs - range.startMs) / site.stepMs);
  const block = emptyBlock(Math.max(1, Math.min(blockRows, most)));
  const filler = gridFiller(site, Math.min(DAY_MS, range.endMs - range.startMs));
  const sampling = { site, grid: filler.grid, block, decimals: request.decimals };
  const textsAt = request.satellites ? satelliteTexts(site) : null;
  for (let fromMs = range.startMs; fromMs < range.endMs;) {
    const toMs = Math.min(range.endMs, (Math.floor(fromMs / DAY_MS) + 1) * DAY_MS);
    for (const segment of segmentsOf(site, fromMs, toMs)) {
      if (segment.state === "gap") continue;
      let timeMs = Math.ceil(segment.startMs / site.stepMs) * site.stepMs;
      if (timeMs >= segment.endMs) continue;
      filler.fill(timeMs, segment.endMs);
      while (timeMs < segment.endMs) {
        const before = block.count;
        timeMs = sampleSegment(sampling, segment, timeMs);
        if (textsAt) writeTexts(block, before, (atMs) => textsAt(atMs, segment));
        if (block.count === block.timesMs.length) {
          yield block;
          block.count = 0;
        }
      }
    }
    fromMs = toMs;
  }
  if (block.count > 0) yield block;
}

/** Fills the texts of the rows from `firstRow` on. */
function writeTexts(block: EpochBlock, firstRow: number, textsAt: (timeMs: number) => SatelliteTexts): void {
  for (let row = firstRow; row < block.count; row++) {
    const texts = textsAt(block.timesMs[row]!);
    for (const name of SATELLITE_VARIABLES) block.columns[name][row] = texts[name];
  }
}

function emptyBlock(rows: number): EpochBlock {
  const column = (): Float64Array => new Float64Array(rows);
  const texts = (): (string | null)[] => Array.from({ length: rows }, () => null);
  return {
    count: 0,
    timesMs: column(),
    quality: new Uint8Array(rows),
    columns: Object.fromEntries(
      VARIABLES.map(({ name, kind }) => [name, kind === "scalar" ? column() : texts()]),
    ) as EpochBlock["columns"],
  };
}
