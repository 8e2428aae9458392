import type { Measure } from "#shared/bridge/methods/compare.ts";
import { perDelay } from "./delays.ts";

/** Values of one derived quantity with their standard uncertainty, one for each delay. */
export interface DerivedValues {
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
