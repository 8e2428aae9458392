import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
} from "react";
import { copyText } from "../../stores/copyText.ts";
import { contextMenuHandlers, type MenuPosition } from "../ContextMenu.tsx";
import { many } from "../text.ts";
import { useWidth } from "../useSize.ts";
import { useStable } from "../useStable.ts";
import { type Column, fittingColumns, minWidthPx, rowsText, type Sort, tracksOf } from "./columns.ts";
import classes from "./grid.module.css";
import { GridRow } from "./GridRow.tsx";
import { Heading } from "./Heading.tsx";
import { ROW_PX, useScroll } from "./scroll.ts";
import { actionOfKey, type RowAction } from "./select.ts";

/** Width of the column of ticks. */
const TICK_PX = 26;
/** Space beside the rows. */
const SIDES_PX = 12;

/** The rows of a grid, of which only those near the visible part are read. */
interface GridRows<Row> {
  readonly count: number;
  /** null while the row is being loaded. */
  at(index: number): Row | null;
}

interface GridProps<Row> {
  readonly label: string;
  /** The same array until a column changes. */
  readonly columns: readonly Column<Row>[];
  readonly rows: GridRows<Row>;
  readonly sort?: Sort | undefined;
  readonly onSort?: ((sort: Sort) => void) | undefined;
  /** The focused row; -1 for none. */
  readonly focus: number;
  /** The selected rows; the focused one by default. */
  readonly isSelected?: (row: Row | null, index: number) => boolean;
  /** What a click on a row does; `move` by default. */
  readonly press?: "move" | "only" | "toggle";
  readonly onAct: (action: RowAction) => void;
  /** Whether several rows can be selected. */
  readonly isMulti?: boolean;
  /** Adds a column of ticks with this heading. */
  readonly ticks?: ReactNode;
  /** By Enter and by a double click. */
  readonly onOpen?: (index: number) => void;
  /** Opens the context menu of a row. */
  readonly onMenu?: (index: number, at: MenuPosition) => void;
  /** Copies the selected rows, if there may be too many to read them here. */
  readonly onCopy?: () => void;
  /** Called before keys of the grid; returns whether it handled the key. */
  readonly onKey?: (event: KeyboardEvent<HTMLElement>, pageRows: number) => boolean;
  readonly onHover?: (index: number | null) => void;
  /** Called with the rows that are rendered: the visible ones and a few around them. */
  readonly onRendered?: (from: number, to: number) => void;
  /** The focused row is scrolled to whenever this changes. */
  readonly follow?: string;
  /** `data-id` of a row. */
  readonly idOf?: (row: Row) => string;
  /** Heights are a number of rows at most, instead of the available height. */
  readonly maxRows?: number;
  readonly gridRef?: RefObject<HTMLDivElement | null>;
}

/** A grid of any number of rows, with the focus in `aria-activedescendant`. */
export function Grid<Row>(props: GridProps<Row>) {
  const { label, columns: all, rows, focus, isMulti = false, ticks, maxRows } = props;
  const ownRef = useRef<HTMLDivElement>(null);
  const grid = props.gridRef ?? ownRef;
  const gridId = useId();
  const besidesPx = SIDES_PX + (ticks === undefined ? 0 : TICK_PX);
  const widthPx = useWidth(grid);
  const columns = useMemo(() => fittingColumns(all, widthPx, besidesPx), [all, widthPx, besidesPx]);
  const headPx = columns.some(({ above, unit }) => above || unit) ? 2 * ROW_PX : ROW_PX;
  const scroll = useScroll(grid, rows.count, headPx);
  const isSelected = props.isSelected ?? ((_, index) => index === focus);
  const { from, to } = scroll;
  useScrolling(grid, props, scroll, columns);
  const keyboardAndPointer = inputOf(grid, { ...props, isMulti, isSelected, columns }, scroll);
  const style = {
    "--columns": `${ticks === undefined ? "" : `${TICK_PX}px `}${tracksOf(columns)}`,
    "--width": `${minWidthPx(columns) + besidesPx}px`,
    height: maxRows === undefined ? undefined : Math.min(rows.count, maxRows) * ROW_PX + headPx + 2,
  } as CSSProperties;
  const indices = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  return (
    <div
      ref={grid}
      role="grid"
      data-main
      tabIndex={0}
      aria-label={label}
      aria-multiselectable={isMulti || undefined}
      aria-rowcount={rows.count + 1}
      aria-activedescendant={focus >= from && focus < to ? `${gridId}-${focus}` : undefined}
      className={classes["grid"]}
      data-framed={maxRows !== undefined || undefined}
      style={style}
      onScroll={scroll.onScroll}
      {...keyboardAndPointer}
    >
      <Head columns={columns} ticks={ticks} heightPx={headPx} sort={props.sort} onSort={props.onSort} />
      <div role="rowgroup" className={classes["body"]} style={{ height: scroll.heightPx }}>
        {indices.map((index) => {
          const row = rows.at(index);
          return (
            <GridRow
              // Keyed by index, so that other rows update elements instead of creating them.
              key={index}
              id={`${gridId}-${index}`}
              index={index}
              topPx={scroll.topPx(index)}
              row={row}
              dataId={row && props.idOf?.(row)}
              columns={columns}
              hasTick={ticks !== undefined}
              isSelected={isSelected(row, index)}
              isFocused={index === focus}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Reports the rendered rows, and scrolls to the focused row and to the first column when others are shown. */
function useScrolling<Row>(
  grid: RefObject<HTMLDivElement | null>,
  { focus, follow, onRendered }: GridProps<Row>,
  { from, to, reveal, isMeasured }: ReturnType<typeof useScroll>,
  columns: readonly Column<Row>[],
): void {
  useLayoutEffect(() => onRendered?.(from, to), [onRendered, from, to]);
  const latest = useRef({ focus, reveal });
  latest.current = { focus, reveal };
  useLayoutEffect(() => {
    if (follow !== undefined) latest.current.reveal(latest.current.focus);
  }, [follow, isMeasured]);
  const firstColumn = columns[0]?.id;
  const lastColumn = columns.at(-1)?.id;
  useEffect(() => {
    // Other columns are read from the left. Braces, because newer browsers return a promise.
    grid.current?.scrollTo({ left: 0 });
  }, [grid, firstColumn, lastColumn]);
}

type InputProps<Row> = GridProps<Row> & Required<Pick<GridProps<Row>, "isMulti" | "isSelected">>;

/** Returns the handlers of the grid: selection, copying, opening and the context menu, by keyboard and pointer. */
function inputOf<Row>(
  grid: RefObject<HTMLDivElement | null>,
  props: InputProps<Row>,
  { reveal, pageRows }: ReturnType<typeof useScroll>,
) {
  const { rows, focus, isMulti } = props;
  const act = (action: RowAction): void => {
    props.onAct(isMulti || action.kind === "all" ? action : { kind: "move", index: action.index });
    if (action.kind !== "all") reveal(action.index);
  };
  const rowAt = (target: EventTarget | null): number => {
    const row = target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;
    return row && grid.current?.contains(row) ? Number(row.dataset["row"]) : -1;
  };
  const menu = contextMenuHandlers(
    (target, place) => {
      const index = target ? rowAt(target) : focus;
      if (!props.onMenu || index < 0 || index >= rows.count) return false;
      props.onMenu(index, place);
      return true;
    },
    (host) => host.querySelector("[data-focused]"),
  );
  return {
    onContextMenu: menu.onContextMenu,
    onClick(event: MouseEvent): void {
      const index = rowAt(event.target);
      const target = event.target as Element;
      // The controls of a cell answer for themselves.
      if (index < 0 || target.closest("button, input, a")) return;
      const withControl = event.ctrlKey || event.metaKey;
      if (event.shiftKey) act({ kind: "extend", index, add: withControl });
      else if (withControl || target.closest("[data-tick]")) act({ kind: "toggle", index });
      else act({ kind: props.press ?? "move", index });
    },
    onDoubleClick(event: MouseEvent): void {
      const index = rowAt(event.target);
      if (index >= 0) props.onOpen?.(index);
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>): void {
      // The buttons of headings and cells have their own keys, except for the menu.
      if (menu.onMenuKey(event) || event.target !== event.currentTarget) return;
      const withControl = event.ctrlKey || event.metaKey;
      if (!props.onKey?.(event, pageRows)) {
        const action = actionOfKey(event, { focus, rows: rows.count, pageRows });
        if (withControl && event.key.toLowerCase() === "c") copySelected(props);
        else if (event.key === "Enter" && props.onOpen && focus >= 0) props.onOpen(focus);
        else if (action && (isMulti || action.kind !== "all")) act(action);
        else return;
      }
      event.preventDefault();
      event.stopPropagation();
    },
    onPointerOver(event: PointerEvent): void {
      const index = rowAt(event.target);
      props.onHover?.(index < 0 ? null : index);
    },
    onPointerLeave: () => props.onHover?.(null),
  };
}

function copySelected<Row>({ rows, columns, isSelected, onCopy }: InputProps<Row>): void {
  if (onCopy) return onCopy();
  const chosen = Array.from({ length: rows.count }, (_, i) => rows.at(i)).filter((row, i) => row && isSelected(row, i));
  if (chosen.length > 0) copyText(rowsText(chosen as Row[], columns), `${many(chosen.length, "row")} copied.`);
}

interface HeadProps<Row> extends Pick<GridProps<Row>, "columns" | "ticks" | "sort" | "onSort"> {
  readonly heightPx: number;
}

/** The headings, which sort. */
function Head<Row>({ columns, ticks, heightPx, sort, onSort }: HeadProps<Row>) {
  const stableSort = useStable(sort ?? null) ?? undefined;
  const latestSort = useRef(onSort);
  latestSort.current = onSort;
  const sortBy = useCallback((next: Sort) => latestSort.current?.(next), []);
  return (
    <div role="rowgroup" className={classes["head"]}>
      <div role="row" aria-rowindex={1} className={classes["heading"]} style={{ height: heightPx }}>
        {ticks === undefined ? null : (
          <span role="columnheader" className={classes["tickCell"]}>
            {ticks}
          </span>
        )}
        {columns.map((column) => (
          <Heading key={column.id} element="span" column={column} sort={stableSort} onSort={onSort && sortBy} />
        ))}
      </div>
    </div>
  );
}
