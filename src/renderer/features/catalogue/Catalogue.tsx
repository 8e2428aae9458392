import { TriangleAlert } from "lucide-react";
import { type ClipboardEvent, memo, useCallback, useRef } from "react";
import type { KeyboardEvent } from "react-aria-components";
import { refreshCatalogue, useCatalogue } from "../../stores/catalogue.ts";
import { useCommand } from "../../stores/commands.ts";
import { focusStation } from "../../stores/focus.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { Flyout } from "../../ui/Flyout.tsx";
import { SearchField } from "../../ui/fields.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { count } from "../../ui/text.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { GroupsMenu, isStationList, namesStations } from "../groups/GroupsMenu.tsx";
import classes from "./catalogue.module.css";
import { clearFilters, FilterButton } from "./FilterButton.tsx";
import { filterCount } from "./filters.ts";
import { useOnMap } from "./onMap.ts";
import { useWhyNoStation } from "./NoStation.tsx";
import { StationTable } from "./StationTable.tsx";
import { QUERY, VIEW } from "./view.ts";
import { useList } from "./useList.ts";
import { usePane } from "../../stores/pane.ts";

/** The station list, with search, filters, sorting and selection. */
export function Catalogue() {
  const { catalogue, known, isRefreshing } = useCatalogue();
  const [view] = usePane(VIEW);
  const [query] = usePane(QUERY);
  const list = useList(query, view);
  const search = useRef<HTMLInputElement | null>(null);
  const grid = useRef<HTMLDivElement | null>(null);
  useCommand("search", () => search.current?.select());
  useCommand("catalogue.refresh", () => void refreshCatalogue(), !isRefreshing);

  const onSearchKey = (event: KeyboardEvent): void => {
    const [first] = list.ids;
    if (first === undefined) {
      if (event.key === "Enter" && namesStations(known, query)) openDialog({ kind: "stationList", text: query });
      return;
    }
    if (event.key === "Enter") selectStations([first]);
    else if (event.key !== "ArrowDown") return;
    focusStation(first);
    grid.current?.focus();
    event.preventDefault();
  };
  const onType = useCallback(
    (letter: string) => {
      QUERY.set(query + letter);
      search.current?.focus();
    },
    [query],
  );
  const total = known.length;
  return (
    <>
      <header className="row @container flex-none gap-2 h-10 pr-1 pl-3 whitespace-nowrap">
        <h2>Stations {count(list.ids.length)}</h2>
        {list.ids.length < total ? <span className={classes["total"]}>of {count(total)}</span> : null}
        {catalogue.fetchedAtMs === null && total > 0 ? <span className={classes["quiet"]}>so far</span> : null}
        <SelectionCount />
        <ListNotice />
      </header>
      <div className={`${classes["tools"]} flex gap-1 pr-1 pb-2 pl-3`}>
        <SearchField
          label="Find a station"
          placeholder="Name, place, id"
          value={query}
          onChange={QUERY.set}
          inputRef={search}
          onKeyDown={onSearchKey}
          onPaste={onPaste}
        />
        <GroupsMenu />
        <FilterButton />
      </div>
      {list.ids.length > 0 ? <StationTable list={list} onType={onType} gridRef={grid} /> : <NoStations />}
    </>
  );
}

// Memoized, so that typing in the search does not rerender it, and selecting does not rerender the list.
const SelectionCount = memo(function SelectionCount() {
  const selected = useWorkspace((s) => s.stationIds.length);
  return (
    <span className={classes["quiet"]} aria-live="polite">
      {selected > 0 ? `${count(selected)} selected` : ""}
    </span>
  );
});

/** Opens the dialog for station lists if a list is pasted into the search. */
function onPaste(event: ClipboardEvent): void {
  const text = event.clipboardData.getData("text");
  if (!isStationList(text)) return;
  event.preventDefault();
  openDialog({ kind: "stationList", text });
}

/** What is wrong with the shown list, behind a button: as a text above it would move the list. */
function ListNotice() {
  const { catalogue, known, isRefreshing, fault } = useCatalogue();
  const text = fault?.message ?? catalogue.remark;
  if (!text || known.length === 0 || isRefreshing) return null;
  return (
    <span className="row ml-auto text-warn">
      <span role="alert" className="visually-hidden">
        {text}
      </span>
      <Flyout
        label="State of the list of stations"
        placement="bottom end"
        button={
          <IconButton label={fault ? "The list was not refreshed" : "The list is incomplete"} icon={TriangleAlert} />
        }
      >
        <div className="stack gap-3 max-w-[360px] items-start">
          <p className="wrap-anywhere select-text">{text}</p>
          <Button onPress={() => void refreshCatalogue()}>Try again</Button>
        </div>
      </Flyout>
    </span>
  );
}

function showAll(): void {
  QUERY.set("");
  clearFilters();
}

function NoStations() {
  const { known, isRefreshing, fault } = useCatalogue();
  const [query] = usePane(QUERY);
  const [{ filters }] = usePane(VIEW);
  const isPart = useOnMap((s) => s.only !== null);
  const isFiltered = known.length > 0;
  const why = useWhyNoStation();
  const refresh = (
    <Button look="primary" onPress={() => void refreshCatalogue()}>
      {fault ? "Try again" : "Fetch the station list"}
    </Button>
  );
  if (isFiltered && namesStations(known, query))
    return (
      <EmptyState
        title="The search is a list of stations"
        actions={
          <>
            <Button look="primary" onPress={() => openDialog({ kind: "stationList", text: query })}>
              Select from a list…
            </Button>
            <Button onPress={showAll}>Show all stations</Button>
          </>
        }
      />
    );
  if (isFiltered)
    return (
      <EmptyState
        title={
          filterCount(filters) > 0 || isPart
            ? "No station matches the search and filters"
            : "No station matches the search"
        }
        actions={<Button onPress={showAll}>Show all stations</Button>}
      />
    );
  return (
    <EmptyState title={why?.title ?? ""} actions={isRefreshing ? null : refresh}>
      {why?.text}
    </EmptyState>
  );
}
