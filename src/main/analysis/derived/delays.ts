import type { Measure } from "#shared/bridge/methods/compare.ts";
import { BEVIS, SAASTAMOINEN } from "./formulas.ts";

/**
 * Returns the zenith hydrostatic delay in mm.
 *
 * @param latitudeDeg affects only gravity, slightly
 * @param height metres
 */
export function hydrostaticDelayMm(pressureHpa: Measure, latitudeDeg: number, height: number): Measure {
  const gravity =
    1 - SAASTAMOINEN.latitude * Math.cos((2 * latitudeDeg * Math.PI) / 180) - SAASTAMOINEN.height * height;
  const mmPerHpa = (1_000 * SAASTAMOINEN.metresPerHpa) / gravity;
  return { value: mmPerHpa * pressureHpa.value, sigma: mmPerHpa * pressureHpa.sigma };
}

/** Returns the wet delay: the total minus the hydrostatic delay. */
export function wetDelayMm(totalMm: Measure, hydrostaticMm: Measure): Measure {
  return { value: totalMm.value - hydrostaticMm.value, sigma: Math.hypot(totalMm.sigma, hydrostaticMm.sigma) };
}

/** Mean temperature of the water vapour above the surface, in kelvin. */
export function meanTemperatureK(surfaceK: number): number {
  return BEVIS.meanTemperature.offsetK + BEVIS.meanTemperature.slope * surfaceK;
}

/** Returns millimetres of water per millimetre of wet delay. */
export function waterPerDelay(meanK: number): number {
  const { waterDensity, vapourGasConstant, k2PrimeKPerHpa, k3K2PerHpa } = BEVIS;
  return 1e8 / (waterDensity * vapourGasConstant * (k3K2PerHpa / meanK + k2PrimeKPerHpa));
}

/** Returns the same, and its derivative by the mean temperature, per kelvin. */
export function perDelay(meanK: number): { readonly factor: number; readonly perKelvin: number } {
  const { k2PrimeKPerHpa, k3K2PerHpa } = BEVIS;
  const factor = waterPerDelay(meanK);
  return { factor, perKelvin: (factor * k3K2PerHpa) / meanK ** 2 / (k3K2PerHpa / meanK + k2PrimeKPerHpa) };
}

/** Returns the integrated water vapour in kg m-2, which equals PWV in mm, from a wet delay. */
export function waterVapour(wetMm: Measure, meanK: Measure): Measure {
  const { factor, perKelvin } = perDelay(meanK.value);
  return {
    value: factor * wetMm.value,
    sigma: Math.hypot(factor * wetMm.sigma, wetMm.value * perKelvin * meanK.sigma),
  };
}
