import type { DerivedRow, Measure } from "#shared/bridge/methods/compare.ts";
import { ZERO_CELSIUS_K, STANDARD_ATMOSPHERE } from "./formulas.ts";
import { hydrostaticDelayMm, meanTemperatureK, waterVapour, wetDelayMm } from "./delays.ts";

const { pressureHpa, temperatureK, lapseKPerM, exponent } = STANDARD_ATMOSPHERE;

/** Returns the pressure of the standard atmosphere in hPa. @param height metres above the geoid */
export function standardPressureHpa(height: number): number {
  return pressureHpa * ((temperatureK - lapseKPerM * height) / temperatureK) ** exponent;
}

/** Temperature of the standard atmosphere in kelvin. @param height metres above the geoid */
export function standardTemperatureK(height: number): number {
  return temperatureK - lapseKPerM * height;
}

/** The known properties of the air at a station; null for the standard atmosphere. */
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

/** Used if the position is unknown: the gravity term is zero there. */
const MIDDLE_LATITUDE_DEG = 45;
const NONE: Measure = { value: Number.NaN, sigma: Number.NaN };

/** Returns the hydrostatic and wet part of a total delay, and the water vapour; NaN if the height is needed but unknown. */
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
