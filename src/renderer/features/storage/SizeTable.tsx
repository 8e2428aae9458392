import { Check, Pin } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef, useState } from "react";
import type { StationSize } from "#shared/series/cache.ts";
import { SATELLITE_VARIABLES, SCALAR_VARIABLES, shortName, type Variable } from "#shared/service/variables.ts";
import { useNowMs } from "../../stores/clock.ts";
import { ROW_PX, useGridRows } from "../../ui/gridRows.ts";
import { type Sort, SortHeading } from "../../ui/SortHeading.tsx";
import { ago, bytes, utcMinutes } from "../../ui/text.ts";
import { actionOfKey, type ListAction, select } from "../catalogue/select.ts";
import classes from "./sizeTable.module.css";

/** Columns of the table of sizes, with the variables whose bytes they add up. */
const SIZE_COLUMNS = [
  { id: "name", title: "Station", variables: null },
  ...SCALAR_VARIABLES.map((v) => ({ id: v, title: shortName(v), variables: [v] }) as const),
  { id: "satellites", title: "Satellites", variables: SATELLITE_VARIABLES },
  { id: "total", title: "Total", variables: null },
  { id: "used", title: "Last used", variables: null },
  { id: "pinned", title: "Pinned", variables: null },
] as const;

type SizeColumn = (typeof SIZE_COLUMNS)[number]["id"];

export type SizeOrder = Sort<SizeColumn>;

interface SizeRow {
  readonly size: StationSize;
  readonly name: string;
}

export function bytesOf({ bytes }: StationSize, variables: readonly Variable[]): number {
  return variables.reduce((sum, v) => sum + (bytes[v] ?? 0), 0);
}

/** Returns the sort value of a column other than the name. */
function valueOf(size: StationSize, column: SizeColumn): number {
  if (column === "total") return size.totalBytes;
  if (column === "used") return size.usedAtMs ?? 0;
  if (column === "pinned") return size.isPinned ? 1 : 0;
  const found = SIZE_COLUMNS.find((c) => c.id === column);
  return bytesOf(size, found?.variables ?? []);
}

const NAMES = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Sorts the rows; ties are sorted by name. */
export function sortSizes(rows: readonly SizeRow[], { column, isDescending }: SizeOrder): readonly SizeRow[] {
  const sign = isDescending ? -1 : 1;
  const byName = (a: SizeRow, b: SizeRow): number => NAMES.compare(a.name, b.name);
  if (column === "name") return rows.toSorted((a, b) => sign * byName(a, b));
  return rows.toSorted((a, b) => sign * (valueOf(a.size, column) - valueOf(b.size, column)) || byName(a, b));
}

const MAX_VISIBLE_ROWS = 12;

interface SizeTableProps {
  readonly rows: readonly SizeRow[];
  readonly order: SizeOrder;
  readonly onOrder: (order: SizeOrder) => void;
  readonly marked: readonly string[];
  readonly onMark: (stationIds: readonly string[]) => void;
}

/** The size of each station. Only visible rows are rendered; rows are selected as in the list of stations. */
export function SizeTable({ rows, order, onOrder, marked, onMark }: SizeTableProps) {
  const gridRef = useRef<HTMLDivElement>(null);
  const nowMs = useNowMs();
  const [anchor, setAnchor] = useState<string | null>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const ids = rows.map((row) => row.size.stationId);
  const isMarked = new Set(marked);
  const { rendered, bodyPx, idOf, pageRows, show } = useGridRows(gridRef, rows.length);
  const place = focused === null ? -1 : ids.indexOf(focused);

  const act = (action: ListAction): void => {
    const next = select({ selectedIds: marked, anchor, focused }, action, ids);
    setAnchor(next.anchor);
    setFocused(next.focused);
    if (next.selectedIds !== marked) onMark(next.selectedIds);
    const to = next.focused === null ? -1 : ids.indexOf(next.focused);
    if (to >= 0 && action.kind !== "all") show(to);
  };
  const onClick = (event: MouseEvent): void => {
    if (!(event.target instanceof Element)) return;
    const id = event.target.closest<HTMLElement>("[data-id]")?.dataset["id"];
    if (id === undefined) return;
    if (event.shiftKey) act({ kind: "extend", id, add: event.ctrlKey || event.metaKey });
    else act({ kind: "toggle", id });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget) return;
    const action = actionOfKey(event, ids, focused, pageRows());
    if (!action) return;
    act(action);
    event.preventDefault();
    event.stopPropagation();
  };
  const cell = (column: SizeColumn, { size, name }: SizeRow): ReactNode => {
    if (column === "name") return <span className={classes["name"]}>{name}</span>;
    if (column === "pinned") return size.isPinned ? <Pin aria-label="pinned" /> : null;
    if (column === "used") return size.usedAtMs === null ? "—" : ago(size.usedAtMs, nowMs);
    const own = SIZE_COLUMNS.find((c) => c.id === column)?.variables;
    const n = own ? bytesOf(size, own) : size.totalBytes;
    return n === 0 ? <span className={classes["absent"]}>—</span> : bytes(n);
  };

  return (
    <div
      ref={gridRef}
      role="grid"
      tabIndex={0}
      aria-label="Size by station"
      aria-multiselectable
      aria-rowcount={rows.length + 1}
      aria-activedescendant={idOf(place)}
      className={classes["grid"]}
      style={{ height: (Math.min(rows.length, MAX_VISIBLE_ROWS) + 1) * ROW_PX + 2 }}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" className={classes["head"]}>
        <div role="row" aria-rowindex={1} className={classes["headRow"]}>
          <span role="columnheader" className={classes["cell"]}>
            <span className="visually-hidden">Marked</span>
          </span>
          {SIZE_COLUMNS.map(({ id, title }) => (
            <SortHeading
              key={id}
              isSorted={order.column === id}
              isDescending={order.isDescending}
              // Sizes and times start with the largest and the latest.
              startsDescending={id !== "name"}
              onSort={(isDescending) => onOrder({ column: id, isDescending })}
              className={classes["cell"]}
              data-column={id}
            >
              {title}
            </SortHeading>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={classes["body"]} style={{ height: bodyPx }}>
        {rendered.map(({ index, id: rowId, topPx }) => {
          const row = rows[index];
          if (!row) return null;
          const { stationId, usedAtMs } = row.size;
          return (
            <div
              key={index}
              id={rowId}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={isMarked.has(stationId)}
              data-id={stationId}
              data-focused={index === place || undefined}
              className={classes["row"]}
              style={{ top: topPx }}
            >
              <span role="gridcell" className={classes["tickCell"]}>
                <span className={classes["tick"]}>
                  <Check aria-hidden />
                </span>
              </span>
              {SIZE_COLUMNS.map(({ id }) => (
                <span
                  key={id}
                  role="gridcell"
                  className={classes["cell"]}
                  data-column={id}
                  title={
                    id === "name"
                      ? row.name
                      : id === "used" && usedAtMs !== null
                        ? `${utcMinutes(usedAtMs)} UTC`
                        : undefined
                  }
                >
                  {cell(id, row)}
                </span>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}
