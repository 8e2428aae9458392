import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { frontEffect, type FrontEffect, type FrontWindow } from "./fronts.ts";
import { hydrostaticDelayMm, meanTemperatureK, RADIANS, waterPerDelay } from "./geometry.ts";
import { layeredNoise, type NoiseLayers, smoothNoise } from "./random.ts";
import type { Site } from "./site.ts";

const YEAR_MS = 365.2422 * DAY_MS;
const SCALE_HEIGHT_M = 2200;
const WARMEST_DAY_NORTH = 200;

/** The climate of a place, around which the weather varies. A pure function of the site. */
interface Climate {
  readonly meanTemperatureK: number;
  readonly seasonalK: number;
  readonly meanWaterMm: number;
  /** Fraction by which the water vapour of the warmest day exceeds the mean of the year. */
  readonly seasonalWater: number;
  /** Amplitude of the logarithm of the synoptic change of water vapour. */
  readonly synopticWater: number;
  readonly frontWaterMm: number;
  readonly synopticPressureHpa: number;
  readonly tideHpa: number;
}

function climateOf(site: Site): Climate {
  const latitude = Math.abs(site.latitudeDeg);
  const poleward = Math.min(1, latitude / 50);
  const meanWaterMm = (9 + 40 * Math.exp(-((latitude / 35) ** 2))) * Math.exp(-site.heightM / SCALE_HEIGHT_M);
  return {
    meanTemperatureK: 300.15 - 0.0062 * latitude * latitude - 0.006 * site.heightM,
    seasonalK: 0.23 * latitude,
    meanWaterMm,
    seasonalWater: 0.15 + 0.35 * poleward,
    synopticWater: 0.15 + 0.35 * poleward,
    frontWaterMm: meanWaterMm * (0.15 + 0.45 * poleward),
    synopticPressureHpa: 3 + 14 * poleward,
    tideHpa: 1.2 * (1 - poleward),
  };
}

/** 1 on the warmest day of the hemisphere, -1 half a year later; fades towards the equator, where it changes sign. */
function season(site: Site, timeMs: number): number {
  const phase = Math.cos(2 * Math.PI * (timeMs / YEAR_MS - WARMEST_DAY_NORTH / 365.2422));
  return phase * Math.max(-1, Math.min(1, site.latitudeDeg / 10));
}

/** Local solar time as an angle: 0 at midnight, 2π a day later. */
function solarAngle(site: Site, timeMs: number): number {
  return (2 * Math.PI * (timeMs + (site.longitudeDeg / 15) * HOUR_MS)) / DAY_MS;
}

/** The constant wind that carries the large patterns of a region; fronts have their own speed. */
const DRIFT_MS_PER_KM = 1e6 / 11;
/** Salts that make the patterns of one region independent. */
const PRESSURE = 0x1b873593;
const MOISTURE = 0x85ebca77;
const WARMTH = 0x27d4eb2f;

/** The atmosphere above a station at one moment. */
export interface Weather {
  pressureHpa: number;
  /** At 2 m. */
  temperatureK: number;
  hydrostaticMm: number;
  /** The true water vapour, without measurement errors. */
  waterMm: number;
  /** PWV per wet delay. */
  waterPerDelay: number;
  ztdMm: number;
}

export function emptyWeather(): Weather {
  return { pressureHpa: 0, temperatureK: 0, hydrostaticMm: 0, waterMm: 0, waterPerDelay: 0, ztdMm: 0 };
}

interface Locale {
  readonly site: Site;
  readonly climate: Climate;
}

const PRESSURE_LAYERS: NoiseLayers = { periodMs: 5 * DAY_MS, octaves: 3, fade: 0.45 };
const MOISTURE_LAYERS: NoiseLayers = { periodMs: 3 * DAY_MS, octaves: 3, fade: 0.5 };
const TURBULENCE_LAYERS: NoiseLayers = { periodMs: 3 * HOUR_MS, octaves: 4, fade: 0.5 };
const SIGMA_LAYERS: NoiseLayers = { periodMs: 5 * HOUR_MS, octaves: 2, fade: 0.5 };

/** Returns a function that writes the weather of a site at a moment into `weather`; pure, but for what it keeps. */
export function forecaster(site: Site): (timeMs: number, weather: Weather) => void {
  const locale = { site, climate: climateOf(site) };
  const window: FrontWindow = { slot: Number.NaN, fronts: [] };
  const effect: FrontEffect = { moisture: 0, trough: 0 };
  return (timeMs, weather) => {
    frontEffect(site, timeMs, window, effect);
    weatherAt(locale, timeMs, effect, weather);
  };
}

function weatherAt({ site, climate }: Locale, timeMs: number, front: FrontEffect, weather: Weather): void {
  const drift = site.region.driftDeg * RADIANS;
  const alongKm = site.eastKm * Math.sin(drift) + site.northKm * Math.cos(drift);
  // A station downwind has the weather that one upwind had before.
  const carriedMs = timeMs - alongKm * DRIFT_MS_PER_KM;
  const warm = season(site, timeMs);
  const angle = solarAngle(site, timeMs);

  const pattern = layeredNoise(site.regionKey ^ PRESSURE, carriedMs, PRESSURE_LAYERS);
  const tide = climate.tideHpa * Math.cos(2 * angle - (20 / 12) * Math.PI);
  const seaLevelHpa = 1013.25 + climate.synopticPressureHpa * pattern - 5 * front.trough + tide;
  const pressureHpa = seaLevelHpa * site.pressureShare;

  const airMass = smoothNoise(site.regionKey ^ WARMTH, carriedMs, 4 * DAY_MS);
  const daily = Math.cos(angle - (15 / 12) * Math.PI);
  const temperatureK =
    climate.meanTemperatureK + climate.seasonalK * warm + 4 * airMass + (3 + warm) * daily - 2 * front.moisture;

  const moist = layeredNoise(site.regionKey ^ MOISTURE, carriedMs, MOISTURE_LAYERS);
  const turbulent = layeredNoise(site.keys.turbulence, timeMs, TURBULENCE_LAYERS);
  const usual = climate.meanWaterMm * (1 + climate.seasonalWater * warm) * (1 + 0.05 * daily);
  const changed = Math.exp(climate.synopticWater * moist + 0.06 * turbulent);
  const waterMm = usual * changed + climate.frontWaterMm * (1 + 0.4 * warm) * front.moisture;

  weather.pressureHpa = pressureHpa;
  weather.temperatureK = temperatureK;
  weather.hydrostaticMm = hydrostaticDelayMm(pressureHpa, site.latitudeDeg, site.heightM);
  weather.waterMm = waterMm;
  weather.waterPerDelay = waterPerDelay(meanTemperatureK(temperatureK));
  weather.ztdMm = weather.hydrostaticMm + waterMm / weather.waterPerDelay;
}

/** Slow change of the ZTD uncertainty of a settled solution: geometry of the satellites and moisture. */
function settledSigmaMm(site: Site, timeMs: number): number {
  return site.settledSigmaMm + 0.35 * layeredNoise(site.keys.sigma, timeMs, SIGMA_LAYERS);
}

/** Step of the points between which the slow weather is interpolated; PWV has its values at these moments. */
export const GRID_MS = 5 * MINUTE_MS;

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
  const forecast = forecaster(site);
  const weather = emptyWeather();
  return {
    grid,
    fill(startMs, endMs) {
      grid.startMs = (Math.floor(startMs / GRID_MS) - 1) * GRID_MS;
      const last = Math.floor((endMs - 1) / GRID_MS) + 2 - grid.startMs / GRID_MS;
      for (let i = 0; i <= last; i++) {
        const timeMs = grid.startMs + i * GRID_MS;
        forecast(timeMs, weather);
        grid.ztdMm[i] = weather.ztdMm;
        grid.hydrostaticMm[i] = weather.hydrostaticMm;
        grid.waterPerDelay[i] = weather.waterPerDelay;
        grid.sigmaMm[i] = settledSigmaMm(site, timeMs);
      }
    },
  };
}
