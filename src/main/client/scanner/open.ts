import type { ArrivedRows } from "#shared/series/rows.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import { type BodyScanner, createRowScanner } from "./scanner.ts";
import { openThreadScanner } from "./thread/threadScanner.ts";

/** Answers of so many points take longer to scan than it takes to start a thread. */
const LARGE_POINTS = 300_000;

let large = 0;

/**
 * The scanner for the answer to a query: in a thread of its own from the second large one on. The first would be through
 * before the thread gains anything, and most downloads have no second. Texts of satellites would have to be copied on
 * their way out of the thread.
 *
 * @param points of the query; null where they are not known
 */
export function openScanner(
  variables: readonly Variable[],
  points: number | null,
  onRows: (rows: ArrivedRows) => void,
): BodyScanner {
  const hasTexts = variables.some((variable) => variableKind(variable) === "satellite");
  const isLarge = points !== null && points >= LARGE_POINTS && !hasTexts;
  return isLarge && large++ > 0 ? openThreadScanner(variables, onRows) : createRowScanner(variables, onRows);
}
