/** Whether this is `npm run endurance`, which runs all cases, or the gate, which runs some of them. */
export const IS_ENDURANCE = process.env["ZENITH_ENDURANCE"] === "1";

/** The number of cases, smaller in the gate than in `npm run endurance`. */
export function tries(inGate: number, inEndurance: number): number {
  return IS_ENDURANCE ? inEndurance : inGate;
}

/** Whether this is the gate alone, which takes a share of the longest tests: not `npm test -- --all` and not named files. */
export const IS_GATE = process.env["ZENITH_GATE"] === "1";

/** A sixth of these cases in the gate, otherwise all of them. */
export function gateCases(cases: number): number {
  return IS_GATE ? Math.ceil(cases / 6) : cases;
}

/** Every third case in the gate, otherwise all of them. */
export function gateShare<T>(cases: readonly T[]): readonly T[] {
  return IS_GATE ? cases.filter((_, i) => i % 3 === 0) : cases;
}

/** Passes the path of the packed main bundle to test files, which have another folder for temporary files. */
export const DESKTOP_MAIN = "ZENITH_DESKTOP_MAIN";
