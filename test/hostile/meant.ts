// The observations of the hostile service as a formula: the correct data of every scenario.

export const STEP_MS = 30_000;
export const PWV_STEP_MS = 300_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const START_MS = Date.UTC(2026, 2, 10);

export interface MeantStation {
  readonly index: number;
  readonly id: string;
  readonly name: string;
}

export const STATIONS: readonly MeantStation[] = ["Ahti", "Brage", "Ceres", "Dione"].map((name, index) => ({
  index,
  // Letters in every group, so that upper case changes each group.
  id: `a${index}b2c3d4-e5f6-4a7b-8c9d-ea1b2c3d4e${index}f`,
  name,
}));

export type Variable = "ztd" | "ztd_sigma" | "pwv";
export const VARIABLES: readonly Variable[] = ["ztd", "ztd_sigma", "pwv"];

/** Whether the station has an observation at this epoch: one hour of eleven is a gap, shifted for each station. */
export function isObserved(station: number, timeMs: number): boolean {
  return timeMs % STEP_MS === 0 && (Math.floor(timeMs / HOUR_MS) + station * 3) % 11 !== 4;
}

/** The value at an observed epoch, or null. Values of two stations at the same epoch always differ. */
export function valueOf(station: number, variable: Variable, timeMs: number): number | null {
  const k = timeMs / STEP_MS;
  switch (variable) {
    case "ztd":
      return (200_000 + station * 20_000 + ((k * 7919) % 10_007)) / 100;
    case "ztd_sigma":
      return (100 + station * 100 + ((k * 31) % 97)) / 100;
    case "pwv":
      return timeMs % PWV_STEP_MS === 0 ? (1_000 + station * 1_100 + (((k / 10) * 13) % 1_009)) / 100 : null;
  }
}
