import { type KeyboardEvent, type PointerEvent, useId, useLayoutEffect, useRef } from "react";
import type { SeriesGaps } from "#shared/bridge/series.ts";
import { type Variable, variableInfo } from "#shared/service/variables.ts";
import { nameAndUnit } from "../../plot/values.ts";
import { utc } from "../../ui/text.ts";
import { cellOf } from "./cells.ts";
import { type Marked, markedRows, movedTo } from "./keys.ts";
import type { Pages, RowPlace } from "./pages.ts";
import { ROW_PX } from "./scroll.ts";
import classes from "./table.module.css";
import { type RowQuery, useCellGaps } from "./usePages.ts";
import { useScroll } from "./useScroll.ts";

interface RowGridProps {
  readonly query: RowQuery;
  readonly pages: Pages;
  readonly marked: Marked;
  readonly onMark: (marked: Marked) => void;
  readonly onCopy: () => void;
}

/** Rows in time order: only those in sight are fetched and drawn. */
export function RowGrid({ query, pages, marked, onMark, onCopy }: RowGridProps) {
  const { variables } = query;
  const grid = useRef<HTMLDivElement>(null);
  const gridId = useId();
  const rows = pages.total() ?? 0;
  const { first, box, heightPx, onScroll, reveal } = useScroll(grid, rows, ROW_PX);
  const from = Math.floor(first);
  const to = Math.min(rows, Math.ceil(first + box.viewPx / ROW_PX));
  const gaps = useCellGaps(query, pages, from, to);
  const { from: markedFrom, to: markedTo } = markedRows(marked);
  useLayoutEffect(() => pages.want(from, Math.max(from + 1, to)), [pages, from, to]);
  const revealed = useRef(reveal);
  revealed.current = reveal;
  useLayoutEffect(() => revealed.current(marked.focus), [marked.focus]);

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

  const columns = { gridTemplateColumns: `170px ${variables.map(widthOf).join(" ")}` };
  return (
    <div
      ref={grid}
      role="grid"
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
      <div role="row" aria-rowindex={1} className={`${classes["row"]} ${classes["heading"]}`} style={columns}>
        <span role="columnheader">Time, UTC</span>
        {variables.map((variable) => (
          <span key={variable} role="columnheader" title={variableInfo(variable).meaning} className={lookOf(variable)}>
            {nameAndUnit(variable)}
          </span>
        ))}
      </div>
      <div role="rowgroup" className={classes["content"]} style={{ height: heightPx }}>
        <div role="presentation" className={classes["window"]} style={{ height: box.viewPx, top: ROW_PX }}>
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
              style={{ ...columns, top: (row - first) * ROW_PX }}
            >
              <Cells place={pages.row(row)} variables={variables} gaps={gaps} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

interface CellsProps {
  readonly place: RowPlace | null;
  readonly variables: readonly Variable[];
  readonly gaps: readonly SeriesGaps[];
}

function Cells({ place, variables, gaps }: CellsProps) {
  if (!place) {
    return (
      <span role="gridcell" className={classes["quiet"]}>
        …
      </span>
    );
  }
  return (
    <>
      <span role="gridcell">{utc(place.page.timesMs[place.at]!)}</span>
      {variables.map((variable) => {
        const { text, isAbsent } = cellOf(place.page, place.at, variable, gaps);
        return (
          <span
            key={variable}
            role="gridcell"
            title={text}
            className={`${lookOf(variable)} ${isAbsent ? classes["quiet"] : ""}`}
          >
            {text}
          </span>
        );
      })}
    </>
  );
}

function lookOf(variable: Variable): string {
  return classes[variableInfo(variable).kind === "scalar" ? "number" : "text"] ?? "";
}

function widthOf(variable: Variable): string {
  return variableInfo(variable).kind === "scalar" ? "110px" : "minmax(160px, 1fr)";
}
