import { BellRing } from "lucide-react";
import {
  createContext,
  type KeyboardEvent,
  memo,
  type RefObject,
  use,
  useCallback,
  useMemo,
  useRef,
  useState,
} from "react";
import { NO_VALUE } from "#shared/text.ts";
import { COMMANDS } from "#shared/commands.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { focusStation, pointAtStation, useFocus } from "../../stores/focus.ts";
import { usePane } from "../../stores/pane.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import type { Column, Sort } from "../../ui/grid/columns.ts";
import { MiddleCut } from "../../ui/MiddleCut.tsx";
import { Grid } from "../../ui/grid/Grid.tsx";
import { type RowAction, select } from "../../ui/grid/select.ts";
import { TickAll } from "../../ui/grid/TickAll.tsx";
import { useSilentIds } from "../schedules/useSilent.ts";
import { LineSwatch } from "../series/Legend.tsx";
import { columnsWith } from "./columns.ts";
import { ON_MAP, useOnMap } from "./onMap.ts";
import { StripOf, StripsOf } from "./CoverageStrip.tsx";
import { openStationMenu } from "./stationMenu.ts";
import type { StationList } from "./useList.ts";
import { chosenColumns, VIEW } from "./view.ts";
import classes from "./catalogue.module.css";

interface StationTableProps {
  readonly list: StationList;
  /** Called with a typed letter, which belongs to the search. */
  readonly onType: (letter: string) => void;
  readonly gridRef: RefObject<HTMLDivElement | null>;
}

const NO_ROWS = { from: 0, to: 0 };
const NO_IDS: readonly string[] = [];
/** Stations that a schedule watches and that are silent. */
const SilentIds = createContext<ReadonlySet<string>>(new Set());

export const StationTable = memo(function StationTable(props: StationTableProps) {
  const { list, onType, gridRef } = props;
  const [{ columns: columnIds, sort }] = usePane(VIEW);
  const { stations, ids, context } = list;
  const selectedIds = useWorkspace((s) => s.stationIds);
  const focused = useFocus((s) => s.stationId);
  const anchor = useRef<string | null>(null);
  const title = useOnMap((s) => s.map?.title);
  const meaning = useOnMap((s) => s.map?.meaning);
  const columns = useMemo(() => {
    const chosen = chosenColumns(columnsWith(context), columnIds).map(withCell);
    return title === undefined ? chosen : withMap(chosen, title, meaning);
  }, [context, columnIds, title, meaning]);
  const [rendered, setRendered] = useState(NO_ROWS);
  const onRendered = useCallback((from: number, to: number) => setRendered({ from, to }), []);
  const rows = useMemo(() => ({ count: stations.length, at: (i: number) => stations[i] ?? null }), [stations]);
  const selected = useMemo(() => new Set(selectedIds), [selectedIds]);

  const act = (action: RowAction): void => {
    const next = select({ selectedIds, anchor: anchor.current, focused }, action, ids);
    anchor.current = next.anchor;
    if (next.focused !== focused) focusStation(next.focused);
    if (next.selectedIds !== selectedIds) selectStations(next.selectedIds);
  };
  const onKey = (event: KeyboardEvent): boolean => {
    if (!isText(event)) return false;
    onType(event.key);
    return true;
  };
  return (
    <SilentIds value={useSilentIds()}>
      <StripsOf
        gridRef={gridRef}
        stationIds={columnIds.includes("cached") ? ids.slice(rendered.from, rendered.to) : NO_IDS}
      />
      <Grid
        label="Stations"
        gridRef={gridRef}
        columns={columns}
        rows={rows}
        sort={sort}
        onSort={sortBy}
        focus={focused === null ? -1 : ids.indexOf(focused)}
        isSelected={(_, index) => selected.has(ids[index] ?? "")}
        idOf={stationId}
        isMulti
        // A click for details does not discard a selection of several stations.
        press={selectedIds.length > 1 ? "move" : "only"}
        ticks={<TickAll ids={ids} selectedIds={selectedIds} onSelect={selectStations} clears />}
        onAct={act}
        onKey={onKey}
        onMenu={(index, at) => openStationMenu(ids[index] ?? "", at)}
        onRendered={onRendered}
        onHover={(index) => pointAtStation(index === null ? null : (ids[index] ?? null))}
      />
    </SilentIds>
  );
});

function sortBy(sort: Sort): void {
  VIEW.change({ sort });
}

function stationId({ id }: CatalogueStation): string {
  return id;
}

// Cells follow what changes by themselves, so that the rows are drawn again only if their station changes.
function withCell(column: Column<CatalogueStation>): Column<CatalogueStation> {
  if (column.id === "name")
    return { ...column, renderCell: (station) => <NameCell id={station.id} name={column.text(station) ?? ""} /> };
  if (column.id === "cached") return { ...column, hint: () => null, renderCell: ({ id }) => <StripOf id={id} /> };
  return column;
}

/** Adds the column of the map after the name; in a narrow list, it takes the room of the strips. */
function withMap(
  [name, ...others]: readonly Column<CatalogueStation>[],
  title: string,
  meaning: string | undefined,
): readonly Column<CatalogueStation>[] {
  const onMap: Column<CatalogueStation> = {
    id: ON_MAP,
    title,
    meaning,
    // Wide enough for "not downloaded".
    width: 104,
    share: 1,
    align: "end",
    isSortable: true,
    text: ({ id }) => useOnMap.getState().map?.textOf(id) ?? null,
    hint: () => null,
    renderCell: ({ id }) => <MapCell id={id} />,
  };
  const room = others.map((column) => (column.id === "cached" ? { ...column, hideRank: 0 } : column));
  return [...(name ? [{ ...name, width: 118 }] : []), onMap, ...room];
}

/** The value of a station on the map, or the reason why it has none. */
function MapCell({ id }: { readonly id: string }) {
  const text = useOnMap((s) => s.map?.textOf(id) ?? null);
  const hint = useOnMap((s) => s.map?.hintOf(id) ?? null);
  const isValue = useOnMap((s) => !Number.isNaN(s.map?.valueOf(id) ?? Number.NaN));
  return (
    <span title={hint ?? undefined} className={`truncate ${isValue ? "" : "text-faint"}`}>
      {text ?? NO_VALUE}
    </span>
  );
}

const SILENT = "Silent for longer than a schedule allows. Schedules lists all such stations.";

/** The name, after a sample of the line of a selected station. */
function NameCell({ id, name }: { readonly id: string; readonly name: string }) {
  const slot = useWorkspace((s) => s.slots[id]);
  const isSilent = use(SilentIds).has(id);
  return (
    <strong className="row gap-1.5 min-w-0">
      {slot === undefined ? null : <LineSwatch slot={slot} />}
      <MiddleCut text={name} />
      {isSilent ? (
        <span role="img" aria-label="silent" title={SILENT} className={classes["silent"]}>
          <BellRing aria-hidden />
        </span>
      ) : null}
    </strong>
  );
}

/** Whether a key types a character and is not a command. */
function isText({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const isCommand = COMMANDS.some((c) => "key" in c && c.key === key);
  return key.length === 1 && key !== " " && !ctrlKey && !metaKey && !altKey && !isCommand;
}
