import { Check, Minus } from "lucide-react";
import { type CSSProperties, type KeyboardEvent, type MouseEvent, type RefObject, useMemo, useRef } from "react";
import { COMMANDS } from "#shared/commands.ts";
import { focusStation, hoverStation, useFocus } from "../../stores/focus.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import { contextMenuHandlers } from "../../ui/ContextMenu.tsx";
import { useGridRows } from "../../ui/gridRows.ts";
import { type Sort, SortHeading } from "../../ui/SortHeading.tsx";
import classes from "./catalogue.module.css";
import { useStrips } from "./CoverageStrip.tsx";
import { actionOfKey, type ListAction, select } from "./select.ts";
import { openStationMenu } from "./stationMenu.ts";
import { StationRow } from "./StationRow.tsx";
import type { StationList } from "./useList.ts";
import { useWidth } from "../../ui/useSize.ts";
import { minWidthPx, shownColumns, TICK_PX } from "./view.ts";
import { count } from "../../ui/text.ts";

interface StationTableProps {
  readonly list: StationList;
  readonly columnIds: readonly string[];
  readonly sort: Sort<string>;
  readonly onSort: (sort: Sort<string>) => void;
  /** Called with a typed letter, which belongs to the search. */
  readonly onType: (letter: string) => void;
  readonly gridRef: RefObject<HTMLDivElement | null>;
}

/** The stations as a virtualized grid, whose focused row is given by `aria-activedescendant`. */
export function StationTable({ list, columnIds, sort, onSort, onType, gridRef }: StationTableProps) {
  const { stations, ids, context } = list;
  const selectedIds = useWorkspace((s) => s.stationIds);
  const slots = useWorkspace((s) => s.slots);
  const range = useWorkspace((s) => s.range);
  const focused = useFocus((s) => s.stationId);
  const anchor = useRef<string | null>(null);
  const widthPx = useWidth(gridRef);
  const columns = useMemo(() => shownColumns(columnIds, widthPx), [columnIds, widthPx]);
  const { rendered, bodyPx, idOf, pageRows, show } = useGridRows(gridRef, stations.length);
  const visibleIds = rendered.map(({ index }) => ids[index]).filter((id) => id !== undefined);
  const strips = useStrips(columnIds.includes("cached") ? visibleIds : []);

  const act = (action: ListAction): void => {
    const next = select({ selectedIds, anchor: anchor.current, focused }, action, ids);
    anchor.current = next.anchor;
    if (next.focused !== focused) focusStation(next.focused);
    if (next.selectedIds !== selectedIds) selectStations(next.selectedIds);
    const index = next.focused === null ? -1 : ids.indexOf(next.focused);
    if (index >= 0 && action.kind !== "all") show(index);
  };
  const onClick = (event: MouseEvent): void => {
    const id = stationAt(event);
    if (id === null || !(event.target instanceof Element)) return;
    const withControl = event.ctrlKey || event.metaKey;
    if (event.shiftKey) act({ kind: "extend", id, add: withControl });
    else if (withControl || event.target.closest("[data-tick]")) act({ kind: "toggle", id });
    // A click for details does not discard a selection of several stations.
    else act({ kind: selectedIds.length > 1 ? "move" : "only", id });
  };
  const menu = contextMenuHandlers(
    (target, at) => {
      const id = target ? (target.closest<HTMLElement>("[data-id]")?.dataset["id"] ?? null) : focused;
      if (id !== null) openStationMenu(id, at);
      return id !== null;
    },
    (grid) => grid.querySelector("[data-focused]"),
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    // Ignores keys pressed on the buttons of the header.
    if (event.target !== event.currentTarget || menu.onMenuKey(event)) return;
    const action = actionOfKey(event, ids, focused, pageRows());
    if (action) act(action);
    else if (isText(event)) onType(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const focusedIndex = focused === null ? -1 : ids.indexOf(focused);
  const widths = columns.map((c) => (c.id === "name" ? `minmax(${c.width}px, 1fr)` : `${c.width}px`));
  const minWidth = minWidthPx(columns);
  return (
    <div
      ref={gridRef}
      role="grid"
      data-main
      tabIndex={0}
      aria-label="Stations"
      aria-multiselectable
      aria-rowcount={stations.length + 1}
      aria-activedescendant={idOf(focusedIndex)}
      className={classes["grid"]}
      style={{ "--columns": `${TICK_PX}px ${widths.join(" ")}` } as CSSProperties}
      onClick={onClick}
      onContextMenu={menu.onContextMenu}
      onKeyDown={onKeyDown}
      onPointerOver={(event) => hoverStation(stationAt(event))}
      onPointerLeave={() => hoverStation(null)}
    >
      <div role="rowgroup" className={classes["head"]} style={{ minWidth }}>
        <div role="row" aria-rowindex={1} className={classes["headRow"]}>
          <span role="columnheader" className={classes["tickCell"]}>
            <SelectAll ids={ids} selectedIds={selectedIds} onSelect={selectStations} />
          </span>
          {columns.map(({ id, title, isNumber }) => (
            <SortHeading
              key={id}
              isSorted={sort.column === id}
              isDescending={sort.isDescending}
              onSort={(isDescending) => onSort({ column: id, isDescending })}
              className={`${classes["cell"]} ${isNumber ? classes["number"] : ""}`}
            >
              {title}
            </SortHeading>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={classes["body"]} style={{ height: bodyPx, minWidth }}>
        {rendered.map(({ index, id, topPx }) => {
          const station = stations[index];
          if (!station) return null;
          return (
            <StationRow
              // Keyed by index, so that a search updates rows instead of creating others.
              key={index}
              id={id}
              index={index}
              topPx={topPx}
              station={station}
              columns={columns}
              context={context}
              range={range}
              strip={strips.get(station.id)}
              slot={slots[station.id]}
              isFocused={index === focusedIndex}
            />
          );
        })}
      </div>
    </div>
  );
}

function stationAt({ target }: MouseEvent): string | null {
  return target instanceof Element ? (target.closest<HTMLElement>("[data-id]")?.dataset["id"] ?? null) : null;
}

/** Whether a key types a character and is not a command. */
function isText({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const isCommand = COMMANDS.some((c) => "key" in c && c.key === key);
  return key.length === 1 && !ctrlKey && !metaKey && !altKey && !isCommand;
}

interface SelectAllProps {
  /** Ids of the listed stations. */
  readonly ids: readonly string[];
  readonly selectedIds: readonly string[];
  readonly onSelect: (ids: readonly string[]) => void;
}

/** The checkbox in the header: selects or deselects all listed stations. */
function SelectAll({ ids, selectedIds, onSelect }: SelectAllProps) {
  const selectedCount = useMemo(() => {
    const selected = new Set(selectedIds);
    return ids.reduce((sum, id) => sum + Number(selected.has(id)), 0);
  }, [ids, selectedIds]);
  const isAll = selectedCount === ids.length;
  const label = `Select all ${count(ids.length)} in the list`;
  const toggle = (): void => {
    const listed = new Set(ids);
    onSelect(isAll ? selectedIds.filter((id) => !listed.has(id)) : [...selectedIds, ...ids]);
  };
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={isAll ? "true" : selectedCount > 0 ? "mixed" : "false"}
      aria-label={label}
      title={label}
      className={classes["chooseAll"]}
      onClick={toggle}
    >
      <span className={classes["tick"]}>{isAll ? <Check aria-hidden /> : <Minus aria-hidden />}</span>
    </button>
  );
}
