import type { DerivedRow, Measure } from "#shared/bridge/methods/compare.ts";
import { ZERO_CELSIUS_K, STANDARD_ATMOSPHERE } from "./formulas.ts";
import { hydrostaticDelayMm, meanTemperatureK, waterVapour, wetDelayMm } from "./delays.ts";

const { pressureHpa, temperatureK, lapseKPerM, exponent } = STANDARD_ATMOSPHERE;

/** Pressure of the standard atmosphere in hPa: not a measured one. @param height metres above the geoid */
export function standardPressureHpa(height: number): number {
  return pressureHpa * ((temperatureK - lapseKPerM * height) / temperatureK) ** exponent;
}

/** Temperature of the standard atmosphere in kelvin. @param height metres above the geoid */
export function standardTemperatureK(height: number): number {
  return temperatureK - lapseKPerM * height;
}

/** What is known of the air above a station; null stands for the standard atmosphere. */
export interface Air {
  readonly pressureHpa: number | null;
  readonly temperatureC: number | null;
  readonly sigmaPressureHpa: number;
  readonly sigmaStandardPressureHpa: number;
  readonly sigmaMeanTemperatureK: number;
}

export interface Place {
  readonly latitudeDeg: number | null;
  readonly orthometricHeight: number | null;
}

export type Derived = Pick<
  DerivedRow,
  | "isPressureGiven"
  | "isTemperatureGiven"
  | "isLatitudeKnown"
  | "pressureHpa"
  | "meanTemperatureK"
  | "zhdMm"
  | "zwdMm"
  | "iwvFromDelay"
>;

/** Stands in where no position is known: there the gravity term is nothing. */
const MIDDLE_LATITUDE_DEG = 45;
const NONE: Measure = { value: Number.NaN, sigma: Number.NaN };

/** Hydrostatic and wet part of a total delay, and the water vapour; NaN where the height is not known and is needed. */
export function derive(ztdMm: Measure, air: Air, { latitudeDeg, orthometricHeight }: Place): Derived {
  const known = {
    isPressureGiven: air.pressureHpa !== null,
    isTemperatureGiven: air.temperatureC !== null,
    isLatitudeKnown: latitudeDeg !== null,
  };
  const pressureHpa = pressure(air, orthometricHeight);
  const surfaceK =
    air.temperatureC !== null
      ? air.temperatureC + ZERO_CELSIUS_K
      : orthometricHeight === null
        ? Number.NaN
        : standardTemperatureK(orthometricHeight);
  const meanK = { value: meanTemperatureK(surfaceK), sigma: air.sigmaMeanTemperatureK };
  const zhdMm =
    orthometricHeight === null
      ? NONE
      : hydrostaticDelayMm(pressureHpa, latitudeDeg ?? MIDDLE_LATITUDE_DEG, orthometricHeight);
  const zwdMm = wetDelayMm(ztdMm, zhdMm);
  return { ...known, pressureHpa, meanTemperatureK: meanK, zhdMm, zwdMm, iwvFromDelay: waterVapour(zwdMm, meanK) };
}

function pressure(air: Air, height: number | null): Measure {
  if (air.pressureHpa !== null) return { value: air.pressureHpa, sigma: air.sigmaPressureHpa };
  return height === null ? NONE : { value: standardPressureHpa(height), sigma: air.sigmaStandardPressureHpa };
}
