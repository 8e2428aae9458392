import { passes, type Sky, type SkyFilter } from "./sky.ts";
import { ENTRIES_PER_SLICE, type SlicedWork } from "./slices.ts";

export const CELL_DEG = 5;
export const AZIMUTHS = 360 / CELL_DEG;
export const ELEVATIONS = 90 / CELL_DEG;

/** Mean C/N0 of each cell of the sky, at `elevation * AZIMUTHS + azimuth`. */
export interface HeatMap {
  readonly n: Uint32Array;
  /** dB-Hz; NaN if the cell is empty. */
  readonly meanDbHz: Float64Array;
  /** Number of values without a position above the horizon. */
  readonly outside: number;
}

/** Computes the mean C/N0 of each cell. @param band index into `sky.bands` */
export function* heatMap(sky: Sky, filter: SkyFilter, band: number): SlicedWork<HeatMap> {
  const n = new Uint32Array(AZIMUTHS * ELEVATIONS);
  const sumsDbHz = new Float64Array(AZIMUTHS * ELEVATIONS);
  const cn0DbHz = sky.bands[band]?.cn0DbHz ?? new Float64Array(0);
  let outside = 0;
  for (let i = 0; i < cn0DbHz.length; i++) {
    if (i % ENTRIES_PER_SLICE === 0) yield;
    const value = cn0DbHz[i]!;
    if (Number.isNaN(value) || !passes(sky, filter, i)) continue;
    const cell = skyCell(sky.azimuthDeg[i]!, sky.elevationDeg[i]!);
    if (cell < 0) {
      outside++;
      continue;
    }
    n[cell]!++;
    sumsDbHz[cell]! += value;
  }
  return { n, meanDbHz: sumsDbHz.map((sum, cell) => sum / n[cell]!), outside };
}

/** Returns the cell of a direction; -1 below the horizon or if unknown. North, 0° or 360°, belongs to the first cell. */
export function skyCell(azimuthDeg: number, elevationDeg: number): number {
  if (!(elevationDeg >= 0 && elevationDeg <= 90) || !Number.isFinite(azimuthDeg)) return -1;
  const turned = ((azimuthDeg % 360) + 360) % 360;
  // An azimuth slightly west of north may be rounded to 360°.
  const azimuth = Math.floor(turned / CELL_DEG) % AZIMUTHS;
  return Math.min(ELEVATIONS - 1, Math.floor(elevationDeg / CELL_DEG)) * AZIMUTHS + azimuth;
}
