import type { Site } from "./site.ts";
import { emptyWeather, forecaster, GRID_MS, settledSigmaMm, type Forecaster } from "./weather.ts";

/**
 * The slow part of the measurements at multiples of five minutes, from one point before to two points after a range. The
 * points are at absolute times, so every range that overlaps a cell interpolates it from the same numbers.
 */
export interface Grid {
  /** Time of the point at index 0. */
  startMs: number;
  readonly ztdMm: Float64Array;
  readonly hydrostaticMm: Float64Array;
  readonly waterPerDelay: Float64Array;
  readonly sigmaMm: Float64Array;
}

interface GridFiller {
  readonly grid: Grid;
  /** Fills the grid for the half-open range, which may be no longer than the filler's maximum. */
  fill(startMs: number, endMs: number): void;
}

export function gridFiller(site: Site, longestMs: number): GridFiller {
  const points = Math.ceil(longestMs / GRID_MS) + 5;
  const column = (): Float64Array => new Float64Array(points);
  const grid: Grid = {
    startMs: 0,
    ztdMm: column(),
    hydrostaticMm: column(),
    waterPerDelay: column(),
    sigmaMm: column(),
  };
  const forecast: Forecaster = forecaster(site);
  const weather = emptyWeather();
  return {
    grid,
    fill(startMs, endMs) {
      grid.startMs = (Math.floor(startMs / GRID_MS) - 1) * GRID_MS;
      const last = Math.floor((endMs - 1) / GRID_MS) + 2 - grid.startMs / GRID_MS;
      for (let i = 0; i <= last; i++) {
        const timeMs = grid.startMs + i * GRID_MS;
        forecast.at(timeMs, weather);
        grid.ztdMm[i] = weather.ztdMm;
        grid.hydrostaticMm[i] = weather.hydrostaticMm;
        grid.waterPerDelay[i] = weather.waterPerDelay;
        grid.sigmaMm[i] = settledSigmaMm(site, timeMs);
      }
    },
  };
}
