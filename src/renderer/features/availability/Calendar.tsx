import { type KeyboardEvent, type PointerEvent, useCallback, useRef } from "react";
import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { percent } from "#shared/series/statistics.ts";
import { contextMenuHandlers, type MenuPosition } from "../../ui/ContextMenu.tsx";
import { ROW_PX, useGridRows } from "../../ui/gridRows.ts";
import { SortHeading } from "../../ui/SortHeading.tsx";
import { useWidth } from "../../ui/useSize.ts";
import classes from "./availability.module.css";
import { type Cell, dayAt, dayTicks, edgePx, movedCell } from "./calendarGrid.ts";
import { binStyle } from "./binStyle.ts";
import { type DrawContext, paintRow, useCanvas } from "./paint.ts";
import { type Column, latency, type LineSort, type StationLine } from "./table.ts";

const INSET_PX = 3;
/** Width of a tick label. */
const TICK_PX = 44;
const TITLES: Readonly<Record<Column, { readonly title: string; readonly meaning: string }>> = {
  name: { title: "Station", meaning: "Name of the station at the service" },
  complete: {
    title: "Complete",
    meaning: "Values received, as a share of the epochs in the requested time, over whole UTC days",
  },
  asked: { title: "Requested", meaning: "Time requested, as a share of the time with possible data" },
  latency: { title: "Latency", meaning: "Age of the newest data at the service" },
};
const HEADING_LOOKS: Readonly<Record<Column, string>> = {
  name: classes["name"],
  complete: classes["number"],
  asked: `${classes["number"]} ${classes["asked"]}`,
  latency: classes["number"],
};

interface CalendarProps {
  readonly availability: SeriesAvailability;
  readonly lines: readonly StationLine[];
  readonly sort: LineSort;
  readonly onSort: (sort: LineSort) => void;
  readonly cell: Cell;
  readonly onCell: (cell: Cell) => void;
  readonly onHover: (cell: Cell | null) => void;
  readonly onOpen: (cell: Cell) => void;
  readonly onMenu: (cell: Cell, at: MenuPosition) => void;
  /** Description of the focused cell for screen readers. */
  readonly words: string;
}

/** Stations by days: names and numbers are text; the days of the visible rows are drawn on one canvas. */
export function Calendar(props: CalendarProps) {
  const { availability, lines, sort, onSort, cell, onCell, onHover, onOpen, onMenu, words } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const widthPx = useWidth(area);
  const { rendered, bodyPx, idOf, pageRows, show } = useGridRows(scroller, lines.length);
  const first = rendered[0]?.index ?? 0;
  const last = rendered.at(-1)?.index ?? -1;
  const draw = useCallback(
    (context: DrawContext, width: number) => {
      for (let row = first; row <= last; row++) {
        const line = lines[row];
        if (!line) continue;
        const styles = Array.from({ length: availability.bins }, (_, bin) => binStyle(availability, line.index, bin));
        const y = (row - first) * ROW_PX + INSET_PX;
        paintRow(context, styles, { x: 0, y, width, height: ROW_PX - 2 * INSET_PX });
      }
    },
    [availability, lines, first, last],
  );
  useCanvas(canvas, draw);

  const cellUnder = (event: PointerEvent): Cell | null => cellAt(event.target as HTMLElement, event.clientX);
  const cellAt = (target: Element, clientX: number): Cell | null => {
    const box = area.current?.getBoundingClientRect();
    const row = target.closest<HTMLElement>("[data-row]")?.dataset["row"];
    if (!box || row === undefined) return null;
    const day = dayAt(clientX - box.left, availability.bins, box.width);
    return day === null ? { row: Number(row), day: cell.day } : { row: Number(row), day };
  };
  const menu = contextMenuHandlers(
    (target, at) => {
      const under = target ? cellAt(target, at.x) : cell;
      if (!under) return false;
      onCell(under);
      onMenu(under, at);
      return true;
    },
    (box) => box.querySelector("[aria-selected=true] [data-cell]"),
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (menu.onMenuKey(event)) return;
    if (event.altKey || lines.length === 0 || (event.target as HTMLElement).closest("button")) return;
    if (event.key === "Enter") {
      event.preventDefault();
      return onOpen(cell);
    }
    const next = movedCell(event, cell, lines.length, availability.bins, pageRows());
    if (!next) return;
    event.preventDefault();
    onCell(next);
    show(next.row);
  };
  const pixelMs = (availability.bins * availability.binMs) / Math.max(1, widthPx);
  const range = { startMs: availability.firstMs, endMs: availability.firstMs + availability.bins * availability.binMs };
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label="Completeness by station and UTC day. Arrow keys move, Enter opens the day in Series."
      aria-rowcount={lines.length + 1}
      aria-activedescendant={idOf(cell.row)}
      tabIndex={0}
      className={classes["grid"]}
      onKeyDown={onKeyDown}
      onContextMenu={menu.onContextMenu}
    >
      <div role="row" aria-rowindex={1} className={`${classes["row"]} ${classes["heading"]}`}>
        {(Object.keys(TITLES) as Column[]).map((column) => (
          <Heading key={column} column={column} sort={sort} onSort={onSort} />
        ))}
        <span role="columnheader" aria-label="Days" className={classes["days"]}>
          <span ref={area} className={classes["axis"]}>
            {dayTicks(range, widthPx)
              .filter((tick) => tick.timeMs + TICK_PX * pixelMs < range.endMs)
              .map((tick) => (
                <span
                  key={tick.timeMs}
                  className={classes["tick"]}
                  style={{
                    left: edgePx((tick.timeMs - range.startMs) / availability.binMs, availability.bins, widthPx),
                  }}
                >
                  {tick.label}
                </span>
              ))}
          </span>
        </span>
      </div>
      <div
        role="rowgroup"
        className={classes["body"]}
        style={{ height: bodyPx }}
        onPointerMove={(event) => onHover(cellUnder(event))}
        onPointerLeave={() => onHover(null)}
        onPointerDown={(event) => {
          const under = event.button === 0 ? cellUnder(event) : null;
          if (under) onCell(under);
        }}
        onDoubleClick={() => onOpen(cell)}
      >
        {rendered.map(({ index, id, topPx }) => {
          const line = lines[index];
          if (!line) return null;
          const isFocused = index === cell.row;
          return (
            <div
              key={index}
              id={id}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={isFocused}
              data-row={index}
              className={classes["row"]}
              style={{ top: topPx }}
            >
              <span role="rowheader" className={classes["name"]} title={line.name}>
                {line.name}
              </span>
              <span role="gridcell" className={classes["number"]}>
                {percent(line.complete)}
              </span>
              <span role="gridcell" className={`${classes["number"]} ${classes["asked"]}`}>
                {percent(line.asked)}
              </span>
              <span role="gridcell" className={classes["number"]}>
                {latency(line.latencySeconds)}
              </span>
              <span
                role="gridcell"
                aria-label={isFocused ? words : `${percent(line.complete)} complete`}
                className={classes["days"]}
              >
                {isFocused ? (
                  <span
                    aria-hidden
                    data-cell
                    className={classes["focus"]}
                    style={{
                      left: edgePx(cell.day, availability.bins, widthPx) - 1,
                      width:
                        edgePx(cell.day + 1, availability.bins, widthPx) -
                        edgePx(cell.day, availability.bins, widthPx) +
                        1,
                    }}
                  />
                ) : null}
              </span>
            </div>
          );
        })}
        <canvas
          ref={canvas}
          aria-hidden
          className={classes["canvas"]}
          style={{ top: first * ROW_PX, width: widthPx, height: Math.max(0, last - first + 1) * ROW_PX }}
        />
      </div>
    </div>
  );
}

interface HeadingProps {
  readonly column: Column;
  readonly sort: LineSort;
  readonly onSort: (sort: LineSort) => void;
}

function Heading({ column, sort, onSort }: HeadingProps) {
  const { title, meaning } = TITLES[column];
  return (
    <SortHeading
      isSorted={sort.column === column}
      isDescending={sort.isDescending}
      onSort={(isDescending) => onSort({ column, isDescending })}
      hint={meaning}
      className={HEADING_LOOKS[column]}
    >
      {title}
    </SortHeading>
  );
}
