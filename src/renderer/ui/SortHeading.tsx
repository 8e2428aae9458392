import { ArrowDown, ArrowUp } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { fieldsOf } from "../stores/workspace.ts";
import classes from "./grid.module.css";

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

interface SortHeadingProps extends ComponentProps<"span"> {
  /** Whether the rows are sorted by this column. */
  readonly isSorted: boolean;
  /** Direction of the column by which the rows are sorted. */
  readonly isDescending: boolean;
  /** Whether the first click sorts the largest values first. */
  readonly startsDescending?: boolean;
  readonly onSort: (isDescending: boolean) => void;
  /** Shown before the button. */
  readonly before?: ReactNode;
  /** Name of the button, if its text alone does not tell the column from others. */
  readonly label?: string | undefined;
  /** Tooltip of the button. */
  readonly hint?: string;
}

/** The heading of a column in a grid; clicking it sorts the rows, and again reverses them. */
export function SortHeading(props: SortHeadingProps) {
  const { isSorted, isDescending, startsDescending = false, onSort, before, label, hint, children, ...span } = props;
  const Arrow = isDescending ? ArrowDown : ArrowUp;
  return (
    <span role="columnheader" aria-sort={isSorted ? (isDescending ? "descending" : "ascending") : "none"} {...span}>
      {before}
      <button
        type="button"
        title={hint}
        aria-label={label}
        className={classes["sort"]}
        onClick={() => onSort(isSorted ? !isDescending : startsDescending)}
      >
        {children}
        {isSorted ? <Arrow aria-hidden /> : null}
      </button>
    </span>
  );
}
