import { type PointerEvent, useMemo, useRef } from "react";
import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { percent } from "#shared/series/statistics.ts";
import type { MenuPosition } from "../../ui/ContextMenu.tsx";
import type { Column, Sort } from "../../ui/grid/columns.ts";
import { Grid } from "../../ui/grid/Grid.tsx";
import { SceneCanvas } from "../../plot/figure/SceneCanvas.tsx";
import { useWidth } from "../../ui/useSize.ts";
import classes from "./availability.module.css";
import { type Cell, dayAt, dayTicks, edgePx, movedCell } from "./calendarGrid.ts";
import { binStyle } from "./binStyle.ts";
import { rowShapes } from "./rowShapes.ts";
import { LINE_COLUMNS, type StationLine } from "./table.ts";

/** Width of a tick label. */
const TICK_PX = 44;

interface CalendarProps {
  readonly availability: SeriesAvailability;
  readonly lines: readonly StationLine[];
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  readonly cell: Cell;
  readonly onCell: (cell: Cell) => void;
  readonly onHover: (cell: Cell | null) => void;
  readonly onOpen: (cell: Cell) => void;
  readonly onMenu: (cell: Cell, at: MenuPosition) => void;
  /** Description of the focused cell for screen readers. */
  readonly words: string;
}

/** Stations by days: names and numbers are text; the days of each row are drawn on a canvas. */
export function Calendar(props: CalendarProps) {
  const { availability, lines, sort, onSort, cell, onCell, onHover, onOpen, onMenu, words } = props;
  const days = availability.bins;
  const { row: focusedRow, day: focusedDay } = cell;
  const columns = useMemo(
    (): Column<StationLine>[] => [
      ...LINE_COLUMNS,
      {
        id: "days",
        title: "Days",
        heading: <DayAxis availability={availability} />,
        width: 200,
        share: 4,
        text: (line) => `${percent(line.complete)} complete`,
        hint: () => null,
        label: (line, row) => (row === focusedRow ? words : `${percent(line.complete)} complete`),
        renderCell: (line, row) => (
          <Days
            availability={availability}
            station={line.index}
            focusedDay={row === focusedRow ? focusedDay : null}
            onHover={(day) => onHover(day === null ? null : { row, day })}
            onPick={(day) => onCell({ row, day })}
          />
        ),
      },
    ],
    [availability, focusedRow, focusedDay, words, onHover, onCell],
  );
  return (
    <Grid
      label="Completeness by station and UTC day"
      columns={columns}
      rows={{ count: lines.length, at: (row) => lines[row] ?? null }}
      sort={sort}
      onSort={onSort}
      focus={focusedRow}
      follow={String(focusedRow)}
      onAct={(action) => action.kind !== "all" && onCell({ row: action.index, day: focusedDay })}
      onKey={(event, pageRows) => {
        const next = event.altKey ? null : movedCell(event, cell, { rows: lines.length, days, pageRows });
        if (next) onCell(next);
        return next !== null;
      }}
      onOpen={(row) => onOpen({ row, day: focusedDay })}
      onMenu={(row, at) => {
        onCell({ row, day: focusedDay });
        onMenu({ row, day: focusedDay }, at);
      }}
    />
  );
}

/** The dates above the days. */
function DayAxis({ availability: { bins, binMs, firstMs } }: Pick<CalendarProps, "availability">) {
  const area = useRef<HTMLSpanElement>(null);
  const widthPx = useWidth(area);
  const range = { startMs: firstMs, endMs: firstMs + bins * binMs };
  const pixelMs = (bins * binMs) / Math.max(1, widthPx);
  return (
    <span ref={area} className={classes["days"]}>
      {dayTicks(range, widthPx)
        .filter((tick) => tick.timeMs + TICK_PX * pixelMs < range.endMs)
        .map((tick) => (
          <span
            key={tick.timeMs}
            className="absolute top-1.5 pl-[3px] border-l border-line-strong font-normal leading-4 whitespace-nowrap"
            style={{ left: edgePx((tick.timeMs - range.startMs) / binMs, bins, widthPx) }}
          >
            {tick.label}
          </span>
        ))}
    </span>
  );
}

interface DaysProps {
  readonly availability: SeriesAvailability;
  /** Index of the station in the response. */
  readonly station: number;
  readonly focusedDay: number | null;
  readonly onHover: (day: number | null) => void;
  readonly onPick: (day: number) => void;
}

function Days({ availability, station, focusedDay, onHover, onPick }: DaysProps) {
  const { bins } = availability;
  const area = useRef<HTMLSpanElement>(null);
  const widthPx = useWidth(area);
  const draw = useMemo(() => {
    const styles = Array.from({ length: bins }, (_, bin) => binStyle(availability, station, bin));
    return (width: number, height: number, theme: PlotTheme) => rowShapes(styles, { x: 0, y: 0, width, height }, theme);
  }, [availability, bins, station]);
  const dayUnder = (event: PointerEvent): number | null => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return dayAt(event.clientX - left, bins, width);
  };
  return (
    <span
      ref={area}
      className={classes["days"]}
      onPointerDown={(event) => {
        const day = dayUnder(event);
        if (day !== null) onPick(day);
      }}
      onPointerMove={(event) => onHover(dayUnder(event))}
      onPointerLeave={() => onHover(null)}
    >
      <SceneCanvas label={null} draw={draw} className={classes["canvas"]} />
      {focusedDay === null ? null : (
        <span
          aria-hidden
          data-cell
          className="absolute top-[1px] bottom-[1px] z-1 border-2 border-accent rounded-[2px] pointer-events-none"
          style={{
            left: edgePx(focusedDay, bins, widthPx) - 1,
            width: edgePx(focusedDay + 1, bins, widthPx) - edgePx(focusedDay, bins, widthPx) + 1,
          }}
        />
      )}
    </span>
  );
}
