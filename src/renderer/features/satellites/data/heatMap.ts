import { passes, type Sky, type SkyFilter } from "./sky.ts";
import { PIECE, type NoWrapParts } from "./slices.ts";

export const CELL_DEG = 5;
export const AZIMUTHS = 360 / CELL_DEG;
export const ELEVATIONS = 90 / CELL_DEG;

/** Mean C/N0 of each cell of the sky, at `elevation * AZIMUTHS + azimuth`. */
export interface HeatMap {
  readonly n: Uint32Array;
  /** dB-Hz; NaN where a cell is empty. */
  readonly meanDbHz: Float64Array;
  /** Values without a place in the sky above the horizon. */
  readonly outside: number;
}

/** @param band index into `sky.bands` */
export function* heatMap(sky: Sky, filter: SkyFilter, band: number): NoWrapParts<HeatMap> {
  const n = new Uint32Array(AZIMUTHS * ELEVATIONS);
  const meanDbHz = new Float64Array(AZIMUTHS * ELEVATIONS);
  const cn0DbHz = sky.bands[band]?.cn0DbHz ?? new Float64Array(0);
  let outside = 0;
  for (let i = 0; i < cn0DbHz.length; i++) {
    if (i % PIECE === 0) yield;
    const value = cn0DbHz[i]!;
    if (Number.isNaN(value) || !passes(sky, filter, i)) continue;
    const cell = cellOf(sky.azimuthDeg[i]!, sky.elevationDeg[i]!);
    if (cell < 0) {
      outside++;
      continue;
    }
    n[cell]!++;
    meanDbHz[cell]! += value;
  }
  for (let cell = 0; cell < n.length; cell++) meanDbHz[cell] = meanDbHz[cell]! / n[cell]!;
  return { n, meanDbHz, outside };
}

/** North belongs to the first cell, whether it is called 0° or 360°; -1 for what has no place above the horizon. */
export function cellOf(azimuthDeg: number, elevationDeg: number): number {
  if (!(elevationDeg >= 0 && elevationDeg <= 90) || !Number.isFinite(azimuthDeg)) return -1;
  const turned = ((azimuthDeg % 360) + 360) % 360;
  // A hair west of north may be rounded to a full turn.
  const azimuth = Math.floor(turned / CELL_DEG) % AZIMUTHS;
  return Math.min(ELEVATIONS - 1, Math.floor(elevationDeg / CELL_DEG)) * AZIMUTHS + azimuth;
}
