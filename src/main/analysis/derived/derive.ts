import type { DerivedRow, Measure } from "#shared/bridge/methods/compare.ts";
import type { Height } from "#shared/station/position.ts";
import {
  hydrostaticDelayMm,
  meanTemperatureK,
  perDelay,
  STANDARD_ATMOSPHERE,
  waterVapour,
  wetDelayMm,
  ZERO_CELSIUS_K,
} from "./formulas.ts";

const { pressureHpa, temperatureK, lapseKPerM, exponent } = STANDARD_ATMOSPHERE;

/** Returns the pressure of the standard atmosphere in hPa. */
export function standardPressureHpa({ metres }: Height<"geoid">): number {
  return pressureHpa * ((temperatureK - lapseKPerM * metres) / temperatureK) ** exponent;
}

/** Temperature of the standard atmosphere in kelvin. */
export function standardTemperatureK({ metres }: Height<"geoid">): number {
  return temperatureK - lapseKPerM * metres;
}

/** The known properties of the air at a station; null for the standard atmosphere. */
export interface Air {
  readonly pressureHpa: number | null;
  readonly temperatureC: number | null;
  readonly sigmaPressureHpa: number;
  readonly sigmaStandardPressureHpa: number;
  readonly sigmaMeanTemperatureK: number;
}

interface Place {
  readonly latitudeDeg: number | null;
  readonly height: Height<"geoid"> | null;
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
export function derive(ztdMm: Measure, air: Air, { latitudeDeg, height }: Place): Derived {
  const known = {
    isPressureGiven: air.pressureHpa !== null,
    isTemperatureGiven: air.temperatureC !== null,
    isLatitudeKnown: latitudeDeg !== null,
  };
  const pressureHpa = pressure(air, height);
  const surfaceK =
    air.temperatureC !== null
      ? air.temperatureC + ZERO_CELSIUS_K
      : height === null
        ? Number.NaN
        : standardTemperatureK(height);
  const meanK = { value: meanTemperatureK(surfaceK), sigma: air.sigmaMeanTemperatureK };
  const zhdMm = height === null ? NONE : hydrostaticDelayMm(pressureHpa, latitudeDeg ?? MIDDLE_LATITUDE_DEG, height);
  const zwdMm = wetDelayMm(ztdMm, zhdMm);
  return { ...known, pressureHpa, meanTemperatureK: meanK, zhdMm, zwdMm, iwvFromDelay: waterVapour(zwdMm, meanK) };
}

function pressure(air: Air, height: Height<"geoid"> | null): Measure {
  if (air.pressureHpa !== null) return { value: air.pressureHpa, sigma: air.sigmaPressureHpa };
  return height === null ? NONE : { value: standardPressureHpa(height), sigma: air.sigmaStandardPressureHpa };
}

/** Values of one derived quantity with their standard uncertainty, one for each delay. */
interface DerivedValues {
  readonly values: Float64Array;
  /** NaN if that of the delay is unknown. */
  readonly sigma: Float64Array;
}

interface DerivedRows {
  readonly zhd: DerivedValues;
  readonly zwd: DerivedValues;
  readonly iwv: DerivedValues;
}

/**
 * Returns hydrostatic and wet delay in mm and water vapour in kg m-2 of each total delay, with one pressure and temperature:
 * the hydrostatic delay is constant, and only the wet one varies.
 *
 * @param ztdMm total delays
 * @param sigmaMm their formal uncertainty, NaN if unknown; null if all are unknown
 */
export function deriveRows(
  ztdMm: Float64Array,
  sigmaMm: Float64Array | null,
  zhdMm: Measure,
  meanTemperatureK: Measure,
): DerivedRows {
  const n = ztdMm.length;
  const of = (): DerivedValues => ({ values: new Float64Array(n), sigma: new Float64Array(n) });
  const [zhd, zwd, iwv] = [of(), of(), of()];
  const { factor, perKelvin } = perDelay(meanTemperatureK.value);
  const ofTemperature = perKelvin * meanTemperatureK.sigma;
  zhd.values.fill(zhdMm.value);
  zhd.sigma.fill(zhdMm.sigma);
  for (let i = 0; i < n; i++) {
    const wetMm = ztdMm[i]! - zhdMm.value;
    const own = sigmaMm === null ? Number.NaN : sigmaMm[i]!;
    const wetSigma = Math.sqrt(own * own + zhdMm.sigma * zhdMm.sigma);
    zwd.values[i] = wetMm;
    zwd.sigma[i] = wetSigma;
    iwv.values[i] = factor * wetMm;
    iwv.sigma[i] = Math.sqrt((factor * wetSigma) ** 2 + (wetMm * ofTemperature) ** 2);
  }
  return { zhd, zwd, iwv };
}
