/** Shape of a satellite's mark: told apart without colour. */
export type MarkShape = "circle" | "triangle" | "square" | "diamond" | "cross" | "down";

export interface Constellation {
  /** First letter of its satellites' identifiers, as RINEX has it; empty: all that have none of these. */
  readonly letter: string;
  readonly name: string;
  readonly colour: `--series-${number}`;
  readonly dash: readonly number[];
  readonly shape: MarkShape;
}

const UNKNOWN: Constellation = { letter: "", name: "Other", colour: "--series-8", dash: [3, 5], shape: "cross" };

/** In the order of legends and stacks. A place in this list is what stands for a constellation in arrays. */
export const CONSTELLATIONS: readonly Constellation[] = [
  { letter: "G", name: "GPS", colour: "--series-1", dash: [], shape: "circle" },
  { letter: "R", name: "GLONASS", colour: "--series-2", dash: [6, 3], shape: "triangle" },
  { letter: "E", name: "Galileo", colour: "--series-3", dash: [2, 2], shape: "square" },
  { letter: "C", name: "BeiDou", colour: "--series-4", dash: [8, 3, 2, 3], shape: "diamond" },
  { letter: "J", name: "QZSS", colour: "--series-5", dash: [10, 3], shape: "down" },
  { letter: "I", name: "NavIC", colour: "--series-7", dash: [4, 2], shape: "cross" },
  { letter: "S", name: "SBAS", colour: "--series-6", dash: [1, 3], shape: "cross" },
  UNKNOWN,
];

const OTHER = CONSTELLATIONS.length - 1;

/** The constellation at a place of the list. */
export function constellationAt(place: number): Constellation {
  return CONSTELLATIONS[place] ?? UNKNOWN;
}

/** Place of the constellation of a satellite, by its identifier: `G01` is GPS. */
export function constellationOf(prn: string): number {
  const match = /^([A-Za-z])\d/.exec(prn);
  const letter = match?.[1]?.toUpperCase() ?? "";
  const found = CONSTELLATIONS.findIndex((c) => c.letter === letter);
  return found < 0 ? OTHER : found;
}
