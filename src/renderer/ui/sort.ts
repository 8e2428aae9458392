import { fieldsOf } from "../stores/workspace.ts";

/** The order of the rows of a table. */
export interface Sort<Column extends string> {
  readonly column: Column;
  readonly isDescending: boolean;
}

/** Reads a stored order; returns `initial` if it is not one of these columns. */
export function readSort<Column extends string>(
  kept: unknown,
  columns: readonly Column[],
  initial: Sort<Column>,
): Sort<Column> {
  const { column, isDescending } = fieldsOf(kept);
  const known = columns.find((c) => c === column);
  return known ? { column: known, isDescending: isDescending === true } : initial;
}
