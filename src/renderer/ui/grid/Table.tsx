import { type KeyboardEvent, type ReactNode, type RefObject, useState } from "react";
import { Button } from "../Button.tsx";
import { contextMenuHandlers, type MenuPosition } from "../ContextMenu.tsx";
import { many } from "../text.ts";
import type { Sort, TableColumn } from "./columns.ts";
import classes from "./grid.module.css";
import { Heading, cellClasses } from "./Heading.tsx";

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
  readonly isChosen?: (row: Row) => boolean;
  readonly onMenu?: (row: Row, at: MenuPosition) => void;
  /** Whether the rows are of an earlier question. */
  readonly isStale?: boolean;
  readonly boxRef?: RefObject<HTMLDivElement | null>;
  /** Number of rows shown until the user wants all; a chosen row is always shown. */
  readonly firstRows?: number;
}

/** A table of a few rows, whose cells may wrap and have controls; what contains it scrolls. For many rows, see `Grid`. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, keyOf, sort, onSort, isChosen, onMenu, isStale = false, boxRef } = props;
  const { firstRows = rows.length } = props;
  const [isWhole, setWhole] = useState(false);
  const isFolded = !isWhole && rows.length > firstRows;
  const rowOf = (element: Element | null): Row | undefined => {
    const place = element?.closest<HTMLElement>("tr[data-row]")?.dataset["row"];
    return place === undefined ? undefined : rows[Number(place)];
  };
  const menu = contextMenuHandlers(
    (target, at) => {
      const row = rowOf(target ?? document.activeElement);
      if (row === undefined || !onMenu) return false;
      onMenu(row, at);
      return true;
    },
    () => document.activeElement?.closest("tr") ?? null,
  );
  const cellOf = (column: TableColumn<Row>, row: Row, index: number): ReactNode => {
    const Cell = column.isHeading ? "th" : "td";
    const text = column.text(row);
    return (
      <Cell
        key={column.id}
        scope={column.isHeading ? "row" : undefined}
        // Not by the controls in it.
        aria-label={column.isHeading ? (text ?? undefined) : undefined}
        title={column.hint ? (column.hint(row) ?? undefined) : column.isHeading ? (text ?? undefined) : undefined}
        data-column={column.id}
        className={cellClasses(column)}
      >
        {column.renderCell ? column.renderCell(row, index) : text}
      </Cell>
    );
  };
  return (
    <div
      ref={boxRef}
      role="region"
      aria-label={label}
      // Focusable, so that it can be scrolled with the keyboard.
      tabIndex={0}
      data-stale={isStale || undefined}
      className={classes["box"]}
      onContextMenu={menu.onContextMenu}
      onKeyDown={(event: KeyboardEvent<HTMLElement>) => menu.onMenuKey(event)}
    >
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.id} element="th" column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) =>
            isFolded && index >= firstRows && !isChosen?.(row) ? null : (
              <tr key={keyOf(row)} data-row={index} data-chosen={isChosen?.(row) || undefined}>
                {columns.map((column) => cellOf(column, row, index))}
              </tr>
            ),
          )}
        </tbody>
      </table>
      {isFolded ? (
        <Button look="quiet" onPress={() => setWhole(true)}>
          Show all {many(rows.length, "row")}
        </Button>
      ) : null}
    </div>
  );
}
