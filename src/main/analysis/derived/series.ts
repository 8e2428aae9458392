import type { Measure } from "#shared/bridge/methods/compare.ts";
import { perDelay } from "./delays.ts";

/** Values of one derived quantity with their standard uncertainty, as long as the delays that they are of. */
export interface DerivedValues {
  readonly values: Float64Array;
  /** NaN where that of the delay is not known. */
  readonly sigma: Float64Array;
}

export interface DerivedRows {
  readonly zhd: DerivedValues;
  readonly zwd: DerivedValues;
  readonly iwv: DerivedValues;
}

/**
 * Hydrostatic and wet delay in mm and water vapour in kg m-2 of each total delay, all of one pressure and temperature: so
 * the hydrostatic delay stands still, and what moves is the wet one.
 *
 * @param ztdMm total delays
 * @param sigmaMm their formal uncertainty, NaN where it is not known; null where it is of none
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
