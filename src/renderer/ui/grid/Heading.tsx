import { memo } from "react";
import { ArrowDown, ArrowUp } from "lucide-react";
import { middleCut } from "../MiddleCut.tsx";
import type { Sort, TableColumn } from "./columns.ts";
import classes from "./grid.module.css";

interface HeadingProps<Row> {
  readonly element: "span" | "th";
  readonly column: TableColumn<Row>;
  readonly sort: Sort | undefined;
  readonly onSort: ((sort: Sort) => void) | undefined;
}

/** The heading of a column; clicking it sorts the rows, and again reverses them. */
function HeadingOf<Row>({ element: Element, column, sort, onSort }: HeadingProps<Row>) {
  const { id, title, heading, unit, above, meaning, startsDescending = false } = column;
  const canSort =
    sort !== undefined && onSort !== undefined && (column.key !== undefined || column.isSortable === true);
  const isSorted = sort?.column === id;
  const isDescending = sort?.isDescending === true;
  const Arrow = isDescending ? ArrowDown : ArrowUp;
  const words = heading ?? (
    <span>
      {title}
      {unit ? <span className={classes["unit"]}> {unit}</span> : null}
    </span>
  );
  return (
    <Element
      role="columnheader"
      aria-sort={canSort ? (isSorted ? (isDescending ? "descending" : "ascending") : "none") : undefined}
      aria-label={heading ? title : undefined}
      title={meaning}
      className={cellClasses(column)}
      data-column={id}
      // A press of the button arrives here, too.
      onClick={
        canSort ? () => onSort({ column: id, isDescending: isSorted ? !isDescending : startsDescending }) : undefined
      }
    >
      {above ? (
        <span aria-hidden={canSort || undefined} className={classes["above"]}>
          {middleCut(above)}
        </span>
      ) : null}
      {canSort ? (
        <button
          type="button"
          // The text above is not a part of the button, but of its name, which names the column.
          aria-label={above ? `${above}, ${title}` : undefined}
          className={classes["sort"]}
        >
          {words}
          {isSorted ? <Arrow aria-hidden /> : null}
        </button>
      ) : (
        words
      )}
    </Element>
  );
}

export const Heading = memo(HeadingOf) as typeof HeadingOf;

export function cellClasses<Row>({ align, isSticky }: TableColumn<Row>): string {
  return [classes["cell"], align && classes[align], isSticky && classes["sticky"]].filter(Boolean).join(" ");
}
