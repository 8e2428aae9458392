import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import type { Site } from "./site.ts";

const YEAR_MS = 365.2422 * DAY_MS;
const SCALE_HEIGHT_M = 2200;
const WARMEST_DAY_NORTH = 200;

/** What is usual at a place: the frame around which the weather moves. A pure function of the site. */
export interface Climate {
  readonly meanTemperatureK: number;
  readonly seasonalK: number;
  readonly meanWaterMm: number;
  /** Share by which the water vapour of the warmest day exceeds that of the year. */
  readonly seasonalWater: number;
  /** Size of the logarithm of the synoptic change of water vapour. */
  readonly synopticWater: number;
  readonly frontWaterMm: number;
  readonly synopticPressureHpa: number;
  readonly tideHpa: number;
}

export function climateOf(site: Site): Climate {
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

/** 1 on the warmest day of the hemisphere, -1 half a year later; fades out towards the equator, where it changes sides. */
export function season(site: Site, timeMs: number): number {
  const phase = Math.cos(2 * Math.PI * (timeMs / YEAR_MS - WARMEST_DAY_NORTH / 365.2422));
  return phase * Math.max(-1, Math.min(1, site.latitudeDeg / 10));
}

/** Local solar time as an angle: 0 at midnight, 2π a day later. */
export function solarAngle(site: Site, timeMs: number): number {
  return (2 * Math.PI * (timeMs + (site.longitudeDeg / 15) * HOUR_MS)) / DAY_MS;
}
