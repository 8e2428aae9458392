import { STANDARD_ATMOSPHERE } from "./constants.ts";

const { pressureHpa, temperatureK, lapseKPerM, exponent } = STANDARD_ATMOSPHERE;

/** Pressure of the standard atmosphere in hPa: not a measured one. @param height metres above the geoid */
export function standardPressureHpa(height: number): number {
  return pressureHpa * ((temperatureK - lapseKPerM * height) / temperatureK) ** exponent;
}

/** Temperature of the standard atmosphere in kelvin. @param height metres above the geoid */
export function standardTemperatureK(height: number): number {
  return temperatureK - lapseKPerM * height;
}
