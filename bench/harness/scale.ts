import type { Scale } from "./types.ts";

/** 34 days and 17 hours of ten stations at 30 s are 999,600 points, 347 days are 9,993,600: each fits our largest request. */
export function fullScale(runs: number): Scale {
  return {
    runs,
    millionDays: 34 + 17 / 24,
    tenMillionDays: 347,
    yearDays: 365,
    satelliteDays: 30,
    isQuick: false,
  };
}

/** Small sizes, to check that everything works; the results are not meaningful. */
export function quickScale(runs: number): Scale {
  return { runs, millionDays: 3, tenMillionDays: 20, yearDays: 30, satelliteDays: 2, isQuick: true };
}
