/** Whether this is `npm run endurance`, which tries everything, or the gate, which tries a share of it. */
export const IS_ENDURANCE = process.env["ZENITH_ENDURANCE"] === "1";

/** How often something is tried: a share in the gate, all of it in `npm run endurance`. */
export function tries(inGate: number, inEndurance: number): number {
  return IS_ENDURANCE ? inEndurance : inGate;
}
