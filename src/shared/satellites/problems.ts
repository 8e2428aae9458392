import { count as countText } from "../text.ts";

/** Problems in texts of satellites, which are counted. */
const SATELLITE_PROBLEMS = {
  noSatellites: "rows without prn, which names the satellites",
  unreadableSatellite: "texts in prn that name no satellite",
  duplicateSatellite: "satellites that a row lists twice, of which the first is kept",
  countMismatch: "lists that are longer or shorter than the list of satellites",
  unreadableValue: "values that are not numbers",
} as const;

export type SatelliteProblem = keyof typeof SATELLITE_PROBLEMS;
export type SatelliteProblemCounts = Partial<Record<SatelliteProblem, number>>;

/** A problem in words, and how often it was found. */
export interface SatelliteProblemCount {
  readonly kind: SatelliteProblem;
  readonly problem: string;
  readonly count: number;
}

export function listProblems(counts: SatelliteProblemCounts): SatelliteProblemCount[] {
  return (Object.entries(counts) as [SatelliteProblem, number][]).map(([kind, count]) => ({
    kind,
    problem: SATELLITE_PROBLEMS[kind],
    count,
  }));
}

/** Returns a sentence on values of satellites that are missing in files; null if there are none. */
export function missingValuesSentence(problems: readonly SatelliteProblemCount[]): string | null {
  if (problems.length === 0) return null;
  return `Some values of satellites could not be read and are not in the file: ${problemWords(problems)}.`;
}

/** `values that are not numbers (2), …` */
export function problemWords(problems: readonly Pick<SatelliteProblemCount, "problem" | "count">[]): string {
  return problems.map(({ problem, count }) => `${problem} (${countText(count)})`).join("; ");
}
