import { CONSTELLATIONS } from "../constellations.ts";
import { passes, type Sky, type SkyFilter, constellationIndex } from "./sky.ts";
import { ENTRIES_PER_SLICE, type SlicedWork } from "./slices.ts";

export const BIN_DEG = 5;
export const BINS = 90 / BIN_DEG;

/** C/N0 of one group in bins of elevation. Arrays have a value for each bin; NaN if the bin is empty. */
export interface BinGroup {
  readonly name: string;
  /** Index into `CONSTELLATIONS`; null if the group is a band. */
  readonly constellation: number | null;
  readonly n: Uint32Array;
  readonly lower: Float64Array;
  readonly median: Float64Array;
  readonly upper: Float64Array;
}

export interface ElevationBins {
  readonly groups: readonly BinGroup[];
  /** Number of values without an elevation from 0° to 90°, which are in no bin. */
  readonly outside: number;
}

type GroupBy = "constellation" | "band";

/**
 * Computes quartiles of C/N0 by elevation, for each constellation (values of one band) or for each band (values of all
 * shown constellations).
 *
 * @param band index into `sky.bands`, used if groups are constellations
 */
export function* elevationBins(sky: Sky, filter: SkyFilter, by: GroupBy, band: number): SlicedWork<ElevationBins> {
  const isByBand = by === "band";
  const names = isByBand ? sky.bands.map((b) => b.name) : CONSTELLATIONS.map((c) => c.name);
  const cells = names.length * BINS;
  const counts = new Uint32Array(cells);
  const sources = isByBand ? sky.bands : sky.bands.slice(band, band + 1);
  let outside = 0;
  for (const [b, { cn0DbHz }] of sources.entries()) {
    for (let i = 0; i < sky.prn.length; i++) {
      if (i % ENTRIES_PER_SLICE === 0) yield;
      if (Number.isNaN(cn0DbHz[i]) || !passes(sky, filter, i)) continue;
      const bin = binOf(sky.elevationDeg[i]!);
      if (bin < 0) outside++;
      else counts[(isByBand ? b : constellationIndex(sky, i)) * BINS + bin]!++;
    }
  }
  const starts = new Uint32Array(cells + 1);
  for (let cell = 0; cell < cells; cell++) starts[cell + 1] = starts[cell]! + counts[cell]!;
  const values = new Float64Array(starts.at(-1) ?? 0);
  const next = starts.slice();
  for (const [b, { cn0DbHz }] of sources.entries()) {
    for (let i = 0; i < sky.prn.length; i++) {
      if (i % ENTRIES_PER_SLICE === 0) yield;
      if (Number.isNaN(cn0DbHz[i]) || !passes(sky, filter, i)) continue;
      const bin = binOf(sky.elevationDeg[i]!);
      if (bin < 0) continue;
      values[next[(isByBand ? b : constellationIndex(sky, i)) * BINS + bin]!++] = cn0DbHz[i]!;
    }
  }
  const groups: BinGroup[] = [];
  for (const [g, name] of names.entries()) {
    const n = counts.slice(g * BINS, (g + 1) * BINS);
    if (n.every((count) => count === 0)) continue;
    const [lower, median, upper] = [new Float64Array(BINS), new Float64Array(BINS), new Float64Array(BINS)];
    for (let bin = 0; bin < BINS; bin++) {
      const cell = g * BINS + bin;
      const sorted = values.subarray(starts[cell], starts[cell + 1]).toSorted();
      lower[bin] = quantile(sorted, 0.25);
      median[bin] = quantile(sorted, 0.5);
      upper[bin] = quantile(sorted, 0.75);
      yield;
    }
    groups.push({ name, constellation: isByBand ? null : g, n, lower, median, upper });
  }
  return { groups, outside };
}

/** Returns the bin of an elevation; -1 outside 0° to 90°. 90° belongs to the last bin. */
function binOf(elevationDeg: number): number {
  if (!(elevationDeg >= 0 && elevationDeg <= 90)) return -1;
  return Math.min(BINS - 1, Math.floor(elevationDeg / BIN_DEG));
}

/** Returns a quantile by linear interpolation; NaN without values. */
export function quantile(sorted: Float64Array, share: number): number {
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}
