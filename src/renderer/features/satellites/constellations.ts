import type { SymbolKind } from "#shared/plot/figure/symbols.ts";

export interface Constellation {
  /** First letter of the satellites' RINEX identifiers; empty for unknown ones. */
  readonly letter: string;
  readonly name: string;
  readonly colour: `--series-${number}`;
  readonly dash: readonly number[];
  readonly symbol: SymbolKind;
}

const UNKNOWN: Constellation = { letter: "", name: "Other", colour: "--series-8", dash: [3, 5], symbol: "cross" };

/** In the order of legends and stacks. Arrays refer to a constellation by its index in this list. */
export const CONSTELLATIONS: readonly Constellation[] = [
  { letter: "G", name: "GPS", colour: "--series-1", dash: [], symbol: "circle" },
  { letter: "R", name: "GLONASS", colour: "--series-2", dash: [6, 3], symbol: "triangle" },
  { letter: "E", name: "Galileo", colour: "--series-3", dash: [2, 2], symbol: "square" },
  { letter: "C", name: "BeiDou", colour: "--series-4", dash: [8, 3, 2, 3], symbol: "diamond" },
  { letter: "J", name: "QZSS", colour: "--series-5", dash: [10, 3], symbol: "down" },
  { letter: "I", name: "NavIC", colour: "--series-7", dash: [4, 2], symbol: "cross" },
  { letter: "S", name: "SBAS", colour: "--series-6", dash: [1, 3], symbol: "cross" },
  UNKNOWN,
];

const OTHER = CONSTELLATIONS.length - 1;

export function constellationAt(index: number): Constellation {
  return CONSTELLATIONS[index] ?? UNKNOWN;
}

/** Returns the index of a satellite's constellation by its identifier: `G01` is GPS. */
export function constellationOf(prn: string): number {
  const match = /^([A-Za-z])\d/.exec(prn);
  const letter = match?.[1]?.toUpperCase() ?? "";
  const found = CONSTELLATIONS.findIndex((c) => c.letter === letter);
  return found < 0 ? OTHER : found;
}
