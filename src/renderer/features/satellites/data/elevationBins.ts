import { CONSTELLATIONS } from "../constellations.ts";
import { passes, type Sky, type SkyFilter, constellationPlace } from "./sky.ts";
import { PIECE, type NoWrapParts } from "./slices.ts";

export const BIN_DEG = 5;
export const BINS = 90 / BIN_DEG;

/** C/N0 of one group in bins of elevation: arrays as long as there are bins, NaN where a bin is empty. */
export interface BinGroup {
  readonly name: string;
  /** Place in `CONSTELLATIONS`; null where the group is a band. */
  readonly constellation: number | null;
  readonly n: Uint32Array;
  readonly lower: Float64Array;
  readonly median: Float64Array;
  readonly upper: Float64Array;
}

export interface ElevationBins {
  readonly groups: readonly BinGroup[];
  /** Values without an elevation between 0° and 90°: in no bin. */
  readonly outside: number;
}

export type GroupBy = "constellation" | "band";

/**
 * C/N0 against elevation. By constellation: values of one band, a group for each constellation. By band: values of all
 * that is shown, a group for each band.
 *
 * @param band index into `sky.bands`, used where groups are constellations
 */
export function* elevationBins(sky: Sky, filter: SkyFilter, by: GroupBy, band: number): NoWrapParts<ElevationBins> {
  const isByBand = by === "band";
  const names = isByBand ? sky.bands.map((b) => b.name) : CONSTELLATIONS.map((c) => c.name);
  const cells = names.length * BINS;
  const counts = new Uint32Array(cells);
  const sources = isByBand ? sky.bands : sky.bands.slice(band, band + 1);
  let outside = 0;
  for (let b = 0; b < sources.length; b++) {
    const cn0DbHz = sources[b]!.cn0DbHz;
    for (let i = 0; i < sky.prn.length; i++) {
      if (i % PIECE === 0) yield;
      if (Number.isNaN(cn0DbHz[i]!) || !passes(sky, filter, i)) continue;
      const bin = binOf(sky.elevationDeg[i]!);
      if (bin < 0) outside++;
      else counts[(isByBand ? b : constellationPlace(sky, i)) * BINS + bin]!++;
    }
  }
  const starts = new Uint32Array(cells + 1);
  for (let cell = 0; cell < cells; cell++) starts[cell + 1] = starts[cell]! + counts[cell]!;
  const values = new Float64Array(starts[cells]!);
  const next = starts.slice();
  for (let b = 0; b < sources.length; b++) {
    const cn0DbHz = sources[b]!.cn0DbHz;
    for (let i = 0; i < sky.prn.length; i++) {
      if (i % PIECE === 0) yield;
      if (Number.isNaN(cn0DbHz[i]!) || !passes(sky, filter, i)) continue;
      const bin = binOf(sky.elevationDeg[i]!);
      if (bin < 0) continue;
      values[next[(isByBand ? b : constellationPlace(sky, i)) * BINS + bin]!++] = cn0DbHz[i]!;
    }
  }
  const groups: BinGroup[] = [];
  for (let g = 0; g < names.length; g++) {
    const n = counts.slice(g * BINS, (g + 1) * BINS);
    if (n.every((count) => count === 0)) continue;
    const quartiles = [0.25, 0.5, 0.75].map(() => new Float64Array(BINS));
    for (let bin = 0; bin < BINS; bin++) {
      const cell = g * BINS + bin;
      const sorted = values.subarray(starts[cell], starts[cell + 1]).toSorted();
      quartiles.forEach((of, q) => (of[bin] = quantile(sorted, (q + 1) / 4)));
      yield;
    }
    const [lower, median, upper] = quartiles as [Float64Array, Float64Array, Float64Array];
    groups.push({ name: names[g]!, constellation: isByBand ? null : g, n, lower, median, upper });
  }
  return { groups, outside };
}

/** 90° belongs to the last bin; -1 outside 0° to 90°. */
export function binOf(elevationDeg: number): number {
  if (!(elevationDeg >= 0 && elevationDeg <= 90)) return -1;
  return Math.min(BINS - 1, Math.floor(elevationDeg / BIN_DEG));
}

/** Between neighbours by a straight line; NaN of nothing. */
export function quantile(sorted: Float64Array, share: number): number {
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}
