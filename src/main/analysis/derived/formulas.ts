import type { DerivedAnswer, Measure } from "#shared/bridge/methods/compare.ts";
import type { Height } from "#shared/station/position.ts";
import { decimal } from "#shared/text.ts";

// Constants of the formulas, which the window shows with them.

/** Saastamoinen 1972, in the form of Davis et al. 1985. */
const SAASTAMOINEN = { metresPerHpa: 0.002_276_8, latitude: 0.002_66, height: 2.8e-7 } as const;

/** Bevis et al. 1994 and 1992; kg m-3, J kg-1 K-1, K hPa-1, K² hPa-1. */
const BEVIS = {
  waterDensity: 1_000,
  vapourGasConstant: 461.5,
  k2PrimeKPerHpa: 22.1,
  k3K2PerHpa: 3.739e5,
  meanTemperature: { offsetK: 70.2, slope: 0.72 },
} as const;

/** ICAO standard atmosphere below 11 km. */
export const STANDARD_ATMOSPHERE = {
  pressureHpa: 1_013.25,
  temperatureK: 288.15,
  lapseKPerM: 0.006_5,
  exponent: 5.255_88,
} as const;

export const ZERO_CELSIUS_K = 273.15;

const { latitude, metresPerHpa } = SAASTAMOINEN;
const { k2PrimeKPerHpa, k3K2PerHpa, meanTemperature, vapourGasConstant, waterDensity } = BEVIS;
const { pressureHpa, temperatureK, lapseKPerM, exponent } = STANDARD_ATMOSPHERE;

/** The formulas with the constants that the computation uses. */
export const FORMULAS: DerivedAnswer["formulas"] = [
  {
    name: "ZHD",
    formula: `${metresPerHpa} m/hPa · P / (1 − ${latitude} · cos 2φ − 2.8·10⁻⁷ · H), Saastamoinen 1972, Davis 1985`,
  },
  { name: "ZWD", formula: "ZTD − ZHD" },
  {
    name: "IWV",
    formula: `ρw · Π · ZWD, Π = 10⁸ / (ρw · Rv · (k₃/Tm + k₂′)), ρw ${waterDensity} kg m⁻³, Rv ${vapourGasConstant} J kg⁻¹ K⁻¹, k₂′ ${k2PrimeKPerHpa} K/hPa, k₃ ${decimal(k3K2PerHpa, 0, 3)} K²/hPa, Bevis 1994; 1 mm of PWV is 1 kg m⁻²`,
  },
  { name: "Tm", formula: `${meanTemperature.offsetK} K + ${meanTemperature.slope} · Ts, Bevis 1992` },
  {
    name: "Standard atmosphere",
    formula: `P = ${pressureHpa} hPa · (1 − ${lapseKPerM} · H / ${temperatureK})^${exponent}, Ts = ${temperatureK} K − ${lapseKPerM} K/m · H; H above the geoid`,
  },
  {
    name: "Uncertainty",
    formula:
      "of first order, inputs taken as independent: σ(ZHD) = ZHD/P · σ(P), σ(ZWD)² = σ(ZTD)² + σ(ZHD)², σ(IWV)² = (Π · σ(ZWD))² + (ZWD · dΠ/dTm · σ(Tm))²; without that of the constants",
  },
];

/**
 * Returns the zenith hydrostatic delay in mm.
 *
 * @param latitudeDeg affects only gravity, slightly
 */
export function hydrostaticDelayMm(pressureHpa: Measure, latitudeDeg: number, height: Height<"geoid">): Measure {
  const gravity =
    1 - SAASTAMOINEN.latitude * Math.cos((2 * latitudeDeg * Math.PI) / 180) - SAASTAMOINEN.height * height.metres;
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
