/** Whether this is `npm run endurance`, which runs all cases, or the gate, which runs some of them. */
export const IS_ENDURANCE = process.env["ZENITH_ENDURANCE"] === "1";

/** The number of cases, smaller in the gate than in `npm run endurance`. */
export function tries(inGate: number, inEndurance: number): number {
  return IS_ENDURANCE ? inEndurance : inGate;
}
