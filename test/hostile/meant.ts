// What the hostile service means, in closed form: whatever it says and however it says it, these are its observations.

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
  // Letters in every group, so that upper case makes a difference.
  id: `a${index}b2c3d4-e5f6-4a7b-8c9d-ea1b2c3d4e${index}f`,
  name,
}));

export type Variable = "ztd" | "ztd_sigma" | "pwv";
export const VARIABLES: readonly Variable[] = ["ztd", "ztd_sigma", "pwv"];

/** Whether the station observed at this epoch: in every eleventh hour it did not, each station in others. */
export function isObserved(station: number, timeMs: number): boolean {
  return timeMs % STEP_MS === 0 && (Math.floor(timeMs / HOUR_MS) + station * 3) % 11 !== 4;
}

/** The value of an epoch that was observed; null where there is none. No two stations share one at the same epoch. */
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
