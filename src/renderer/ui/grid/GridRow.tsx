import { NO_VALUE } from "#shared/text.ts";
import { Check } from "lucide-react";
import { memo } from "react";
import { middleCut } from "../MiddleCut.tsx";
import type { Column } from "./columns.ts";
import classes from "./grid.module.css";
import { cellClasses } from "./Heading.tsx";

interface RowProps<Row> {
  readonly id: string;
  readonly index: number;
  readonly topPx: number;
  readonly row: Row | null;
  readonly dataId: string | null | undefined;
  readonly columns: readonly Column<Row>[];
  readonly hasTick: boolean;
  readonly isSelected: boolean;
  readonly isFocused: boolean;
}

function RowOf<Row>({ id, index, topPx, row, dataId, columns, hasTick, isSelected, isFocused }: RowProps<Row>) {
  return (
    <div
      id={id}
      role="row"
      // The heading is row 1.
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-row={index}
      data-id={dataId ?? undefined}
      data-focused={isFocused || undefined}
      className={classes["row"]}
      style={{ top: topPx }}
    >
      {hasTick ? (
        <span role="gridcell" data-tick className={classes["tickCell"]}>
          <span className={classes["tick"]}>
            <Check aria-hidden />
          </span>
        </span>
      ) : null}
      {row === null ? (
        <span role="gridcell" className="text-faint">
          …
        </span>
      ) : (
        columns.map((column) => (
          <span
            key={column.id}
            role={column.isHeading ? "rowheader" : "gridcell"}
            data-column={column.id}
            aria-label={column.label?.(row, index)}
            title={(column.hint ? column.hint(row) : column.renderCell ? null : column.text(row)) ?? undefined}
            className={cellClasses(column)}
          >
            {column.renderCell ? column.renderCell(row, index) : cellText(column, row)}
          </span>
        ))
      )}
    </div>
  );
}

function cellText<Row>({ text, isName }: Column<Row>, row: Row) {
  const shown = text(row);
  if (shown === null) return <span className="text-faint">{NO_VALUE}</span>;
  return isName ? middleCut(shown) : shown;
}

/** A row of a grid, which renders only when its content changes. */
export const GridRow = memo(RowOf) as typeof RowOf;
