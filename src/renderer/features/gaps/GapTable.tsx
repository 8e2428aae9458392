import { shortName } from "#shared/service/variables.ts";
import { type KeyboardEvent, useRef } from "react";
import { gapMark } from "#shared/plot/gapMarks.ts";
import { contextMenuHandlers, type MenuPosition } from "../../ui/ContextMenu.tsx";
import { HatchSwatch } from "../../ui/HatchSwatch.tsx";
import { SortHeading } from "../../ui/SortHeading.tsx";
import { duration } from "../../ui/text.ts";
import { movedTo, useGridRows } from "../../ui/gridRows.ts";
import classes from "./gaps.module.css";
import { GAP_COLUMNS, type GapColumn, type GapLine, type GapSort, lengthMs, secondText } from "./list.ts";

const TITLES: Readonly<Record<GapColumn, string>> = {
  name: "Station",
  variable: "Variable",
  cause: "Cause",
  start: "Start, UTC",
  end: "End, UTC",
  duration: "Duration",
};

interface GapTableProps {
  readonly lines: readonly GapLine[];
  readonly sort: GapSort;
  readonly onSort: (sort: GapSort) => void;
  readonly focus: number;
  readonly onFocus: (row: number) => void;
  readonly onShow: (line: GapLine) => void;
  /** Opens the context menu of a gap. */
  readonly onMenu: (line: GapLine, at: MenuPosition) => void;
}

/** A virtualized table of gaps. */
export function GapTable({ lines, sort, onSort, focus, onFocus, onShow, onMenu }: GapTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useGridRows(scroller, lines.length);
  const menu = contextMenuHandlers(
    (target, at) => {
      const row = target?.closest<HTMLElement>("[role=row][aria-selected]");
      const index = row ? Number(row.getAttribute("aria-rowindex")) - 2 : focus;
      const line = target && !row ? undefined : lines[index];
      if (!line) return false;
      onFocus(index);
      onMenu(line, at);
      return true;
    },
    (grid) => grid.querySelector("[role=row][aria-selected=true]"),
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const line = lines[focus];
    if (menu.onMenuKey(event)) return;
    if (event.altKey || event.ctrlKey || event.metaKey || !line) return;
    if ((event.target as HTMLElement).closest("button")) return;
    if (event.key === "Enter") {
      event.preventDefault();
      return onShow(line);
    }
    const next = movedTo(event.key, focus, lines.length, rows.pageRows());
    if (next === null) return;
    event.preventDefault();
    onFocus(next);
    rows.show(next);
  };
  return (
    <div
      ref={scroller}
      role="grid"
      data-main
      aria-label="Gaps. Arrow keys move, Enter shows the gap in Series."
      aria-rowcount={lines.length + 1}
      aria-activedescendant={rows.idOf(focus)}
      tabIndex={0}
      className={classes["grid"]}
      onContextMenu={menu.onContextMenu}
      onKeyDown={onKeyDown}
    >
      <div role="row" aria-rowindex={1} className={`${classes["row"]} ${classes["heading"]}`}>
        {GAP_COLUMNS.map((column) => (
          <SortHeading
            key={column}
            isSorted={sort.column === column}
            isDescending={sort.isDescending}
            onSort={(isDescending) => onSort({ column, isDescending })}
            className={column === "duration" ? classes["number"] : column === "end" ? classes["end"] : undefined}
          >
            {TITLES[column]}
          </SortHeading>
        ))}
      </div>
      <div role="rowgroup" className={classes["body"]} style={{ height: rows.bodyPx }}>
        {rows.rendered.map(({ index, id, topPx }) => {
          const line = lines[index];
          if (!line) return null;
          const mark = gapMark(line.cause);
          return (
            <div
              key={index}
              id={id}
              role="row"
              tabIndex={-1}
              aria-rowindex={index + 2}
              aria-selected={index === focus}
              className={classes["row"]}
              style={{ top: topPx }}
              onPointerDown={() => onFocus(index)}
              onDoubleClick={() => onShow(line)}
            >
              <span role="gridcell" className={classes["cut"]} title={line.name}>
                {line.name}
              </span>
              <span role="gridcell" className={classes["cut"]}>
                {shortName(line.variable)}
              </span>
              <span role="gridcell" className={classes["cause"]} title={line.reason ?? mark.meaning}>
                <HatchSwatch mark={mark} />
                <span className={classes["cut"]}>{mark.word}</span>
              </span>
              <span role="gridcell">{secondText(line.range.startMs)}</span>
              <span role="gridcell" className={classes["end"]}>
                {secondText(line.range.endMs)}
              </span>
              <span role="gridcell" className={classes["number"]}>
                {duration(lengthMs(line) / 1_000)}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
