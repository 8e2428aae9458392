import { type KeyboardEvent, type PointerEvent, useId, useLayoutEffect, useRef } from "react";
import type { SeriesGaps } from "#shared/bridge/methods/series.ts";
import { movedTo, ROW_PX } from "../../ui/gridRows.ts";
import { SortHeading } from "../../ui/SortHeading.tsx";
import { utc } from "../../ui/text.ts";
import { cellOf } from "./cells.ts";
import type { Sort } from "./order.ts";
import { type Pages, type RowLocation, useCellGaps } from "./pages.ts";
import { useScroll } from "./useScroll.ts";
import type { RowSource, TableColumn } from "./source.ts";
import classes from "./table.module.css";

/** The selected rows: from the anchor to the focus. */
export interface Marked {
  readonly anchor: number;
  readonly focus: number;
}

/** Returns the first and the last selected row. */
export function markedRows({ anchor, focus }: Marked): { readonly from: number; readonly to: number } {
  return { from: Math.min(anchor, focus), to: Math.max(anchor, focus) };
}

interface RowGridProps {
  readonly source: RowSource;
  readonly pages: Pages;
  readonly marked: Marked;
  readonly onMark: (marked: Marked) => void;
  readonly onCopy: () => void;
  readonly sorting: Sorting;
}

export interface Sorting {
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}

/** The rows of a table; only visible ones are fetched and rendered. */
export function RowGrid({ source, pages, marked, onMark, onCopy, sorting }: RowGridProps) {
  const { columns } = source;
  const firstColumn = columns[0]?.id;
  const grid = useRef<HTMLDivElement>(null);
  const gridId = useId();
  // While the rows of other columns are being read, the previous number of rows is kept, so that nothing moves.
  const lastTotal = useRef(0);
  lastTotal.current = pages.total() ?? lastTotal.current;
  const rows = lastTotal.current;
  const headPx = columns.some(({ station }) => station !== null) ? 2 * ROW_PX : ROW_PX;
  const { first, box, heightPx, onScroll, reveal } = useScroll(grid, rows, headPx);
  const from = Math.floor(first);
  const to = Math.min(rows, Math.ceil(first + box.viewPx / ROW_PX));
  const gaps = useCellGaps(source, pages, from, to);
  const { from: markedFrom, to: markedTo } = markedRows(marked);
  useLayoutEffect(() => pages.want(from, Math.max(from + 1, to)), [pages, from, to]);
  const revealed = useRef(reveal);
  revealed.current = reveal;
  useLayoutEffect(() => revealed.current(marked.focus), [marked.focus, sorting.sort]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const withControl = event.ctrlKey || event.metaKey;
    if (rows === 0 || event.altKey) return;
    if (withControl && event.key.toLowerCase() === "c") onCopy();
    else if (withControl && event.key.toLowerCase() === "a") onMark({ anchor: 0, focus: rows - 1 });
    else {
      const next = movedTo(event.key, marked.focus, rows, Math.max(1, Math.floor(box.viewPx / ROW_PX) - 1));
      if (next === null) return;
      onMark({ anchor: event.shiftKey ? marked.anchor : next, focus: next });
    }
    event.preventDefault();
  };
  const onPointerDown = (event: PointerEvent): void => {
    const under = (event.target as HTMLElement).closest<HTMLElement>("[data-row]")?.dataset["row"];
    if (under === undefined || event.button !== 0) return;
    const row = Number(under);
    onMark({ anchor: event.shiftKey ? marked.anchor : row, focus: row });
  };

  useLayoutEffect(() => {
    // Braces, because newer browsers return a promise, which React would treat as a clean-up function.
    grid.current?.scrollTo({ left: 0 });
  }, [firstColumn]);
  const template = { gridTemplateColumns: `170px ${columns.map(widthOf).join(" ")}` };
  return (
    <div
      ref={grid}
      role="grid"
      data-main
      aria-label="Rows"
      aria-rowcount={rows + 1}
      aria-multiselectable
      aria-activedescendant={rows > 0 ? `${gridId}-${marked.focus}` : undefined}
      tabIndex={0}
      className={classes["grid"]}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
    >
      <div role="presentation" className={classes["wide"]}>
        <div
          role="row"
          aria-rowindex={1}
          className={`${classes["row"]} ${classes["heading"]}`}
          style={{ ...template, height: headPx }}
        >
          <Heading column={null} sorting={sorting} />
          {columns.map((column) => (
            <Heading key={column.id} column={column} sorting={sorting} />
          ))}
        </div>
        <div role="rowgroup" className={classes["content"]} style={{ height: heightPx }}>
          <div role="presentation" className={classes["window"]} style={{ height: box.viewPx, top: headPx }}>
            {Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i).map((row) => (
              <div
                key={row}
                id={`${gridId}-${row}`}
                role="row"
                aria-rowindex={row + 2}
                aria-selected={row >= markedFrom && row <= markedTo}
                data-row={row}
                data-focused={row === marked.focus || undefined}
                className={classes["row"]}
                style={{ ...template, top: (row - first) * ROW_PX }}
              >
                <Cells location={pages.row(row)} columns={columns} gaps={gaps} />
              </div>
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}

interface HeadingProps {
  /** null for the time. */
  readonly column: TableColumn | null;
  readonly sorting: Sorting;
}

function Heading({ column, sorting }: HeadingProps) {
  const text = column?.heading ?? "Time, UTC";
  const station = column?.station ? <span className={classes["of"]}>{column.station}</span> : null;
  const look = `${column ? classes[column.kind] : classes["time"]} ${classes["columnHead"]}`;
  if (column?.kind === "text") {
    return (
      <span role="columnheader" title={column?.meaning} className={look}>
        {station}
        <span>{text}</span>
      </span>
    );
  }
  const columnId = column?.id ?? null;
  return (
    <SortHeading
      title={column?.meaning}
      className={look}
      isSorted={columnId === sorting.sort.by}
      isDescending={sorting.sort.isDescending}
      onSort={(isDescending) => sorting.onSort({ by: columnId, isDescending })}
      before={station}
      label={column?.station ? `${column.station}, ${text}` : undefined}
    >
      {text}
    </SortHeading>
  );
}

interface CellsProps {
  readonly location: RowLocation | null;
  readonly columns: readonly TableColumn[];
  readonly gaps: readonly SeriesGaps[];
}

function Cells({ location, columns, gaps }: CellsProps) {
  if (!location) {
    return (
      <span role="gridcell" className={classes["quiet"]}>
        …
      </span>
    );
  }
  return (
    <>
      <span role="gridcell" className={classes["time"]}>
        {utc(location.timeMs)}
      </span>
      {columns.map((column) => {
        const { text, isAbsent } = cellOf(location, column, gaps);
        return (
          <span
            key={column.id}
            role="gridcell"
            title={text}
            className={`${classes[column.kind]} ${isAbsent ? classes["quiet"] : ""}`}
          >
            {text}
          </span>
        );
      })}
    </>
  );
}

function widthOf({ kind }: TableColumn): string {
  return kind === "number" ? "110px" : "minmax(160px, 1fr)";
}
