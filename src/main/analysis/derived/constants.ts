// Constants of the formulas, as they are shown to the user beside them.

/** Saastamoinen 1972, in the form of Davis and others 1985. */
export const SAASTAMOINEN = { metresPerHpa: 0.002_276_8, latitude: 0.002_66, height: 2.8e-7 } as const;

/** Bevis and others 1994 and 1992; densities in kg m-3, J kg-1 K-1, K hPa-1, K² hPa-1. */
export const BEVIS = {
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
