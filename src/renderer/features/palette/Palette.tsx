import { z } from "zod";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { Dialog, Input } from "react-aria-components";
import { Overlay } from "../../ui/Dialog.tsx";
import { useCatalogue } from "../../stores/catalogue.ts";
import { runCommand, useCommands } from "../../stores/commands.ts";
import { useConnection } from "../../stores/connection.ts";
import { closeDialog, openDialog, useDialog } from "../../stores/dialogs.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import { Keys } from "../../ui/notes.tsx";
import { many } from "../../ui/text.ts";
import { runOrShow, useSavedExports } from "../export/saved.ts";
import { showView } from "../views/actions.ts";
import { useViews } from "../views/store.ts";
import {
  commandItems,
  exportItems,
  type Findable,
  type PaletteItem,
  rangeItems,
  presetItems,
  search,
  stationItems,
  viewItems,
} from "./items.ts";
import classes from "./palette.module.css";
import { RowContent } from "./PaletteRow.tsx";
import { pane, usePane } from "../../stores/pane.ts";

const ROW_PX = 32;
const MAX_RECENT = 12;

/** Keys of recent commands. */
const RECENT = pane("palette.recent", z.array(z.string()).catch([]));

function closePalette(): void {
  closeDialog("palette");
}

/** The command palette: finds commands, stations, saved views and saved exports. */
export function Palette() {
  const isOpen = useDialog("palette") !== null;
  return (
    <Overlay
      isOpen={isOpen}
      onClose={closePalette}
      scrim={classes["scrim"]}
      modal="w-full max-w-[600px] overflow-hidden rounded-[9px] bg-surface shadow-float"
    >
      <Dialog aria-label="Search, or run a command" className="stack max-h-[76vh] outline-none">
        <PaletteContent />
      </Dialog>
    </Overlay>
  );
}

function useItems(): readonly Findable<PaletteItem>[] {
  const running = useCommands((s) => s.available);
  const reasons = useCommands((s) => s.reasons);
  const catalogue = useCatalogue((s) => s.catalogue);
  const connectionId = useConnection((s) => s.current?.info.id ?? null);
  const isConnected = connectionId !== null;
  const stations = useMemo(() => (isConnected ? stationItems(catalogue) : []), [catalogue, isConnected]);
  const saved = useViews();
  const views = useMemo(() => (isConnected ? viewItems(saved) : []), [saved, isConnected]);
  const kept = useSavedExports();
  const exports = useMemo(() => (connectionId === null ? [] : exportItems(kept, connectionId)), [kept, connectionId]);
  return useMemo(
    () => [...commandItems(running, reasons), ...presetItems(Date.now()), ...exports, ...views, ...stations],
    [running, reasons, exports, views, stations],
  );
}

/** The query, the items it finds, and the active one. */
function useFound() {
  const all = useItems();
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const [recent, setRecent] = usePane(RECENT);
  const found = useMemo(() => [...rangeItems(query, Date.now()), ...search(all, query, recent)], [all, query, recent]);
  return {
    query,
    found,
    active,
    setActive,
    search(text: string): void {
      setQuery(text);
      setActive(0);
    },
    remember: (key: string): void => setRecent([key, ...recent.filter((k) => k !== key)].slice(0, MAX_RECENT)),
  };
}

/** Runs an item: a command, a view, an export, or a selection. */
function apply(item: PaletteItem, isAlone: boolean): void {
  closePalette();
  switch (item.kind) {
    case "view":
      return void showView(item.view);
    case "export": {
      const { name: focus } = item.saved;
      return void runOrShow(item.saved, () => openDialog({ kind: "export", page: "saved", focus }));
    }
    case "range":
      return useWorkspace.setState({ ...item.shown, section: "explore" });
    case "station": {
      const { stationIds } = useWorkspace.getState();
      selectStations(isAlone ? [item.station.id] : [...stationIds, item.station.id]);
      return useWorkspace.setState({ section: "explore" });
    }
    case "command":
      // The palette restores the focus first; then what the command opens can take it.
      setTimeout(() => runCommand(item.command.id));
  }
}

/** Returns the row that a key moves to; null for other keys. */
function movedBy(key: string, active: number, count: number): number | null {
  const last = count - 1;
  const to = {
    ArrowDown: active >= last ? 0 : active + 1,
    ArrowUp: active === 0 ? last : active - 1,
    PageDown: active + 10,
    PageUp: active - 10,
  }[key];
  return to === undefined ? null : Math.max(0, Math.min(last, to));
}

function PaletteContent() {
  const { query, found, active, setActive, search: find, remember } = useFound();
  const choose = ({ key, item }: Findable<PaletteItem>, isAlone: boolean): void => {
    if (item.kind !== "range") remember(key);
    apply(item, isAlone);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const one = found[active];
    const to = movedBy(event.key, active, found.length);
    if (to !== null) setActive(to);
    else if (event.key === "Enter" && one && !event.nativeEvent.isComposing) choose(one, event.shiftKey);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className={`${classes["search"]} row flex-none gap-3 h-12 px-4 border-b border-line`}>
        <Search aria-hidden />
        <Input
          autoFocus
          role="combobox"
          aria-label="Search stations and commands"
          aria-expanded
          aria-controls="palette-list"
          aria-autocomplete="list"
          {...(found.length > 0 ? { "aria-activedescendant": `palette-${active}` } : {})}
          autoComplete="off"
          spellCheck={false}
          placeholder="Station, place, network, date or command"
          className="flex-1 min-w-0 h-full border-0 bg-transparent text-large outline-none placeholder:text-faint"
          value={query}
          onChange={(event) => find(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <Results found={found} active={active} onPoint={setActive} onUse={choose} />
      <div className={classes["foot"]}>
        <span role="status">
          {found.length === 0
            ? "No results. Try fewer words, or the name of a place or network."
            : many(found.length, "result")}
        </span>
        {found.length === 0 ? null : (
          <span className="flex flex-wrap gap-x-4 gap-y-1">
            <span>
              <Keys keys="Enter" /> run, or add the station
            </span>
            <span>
              <Keys keys="Shift Enter" /> only this station
            </span>
          </span>
        )}
      </div>
    </>
  );
}

interface ResultsProps {
  readonly found: readonly Findable<PaletteItem>[];
  readonly active: number;
  readonly onPoint: (index: number) => void;
  readonly onUse: (one: Findable<PaletteItem>, isAlone: boolean) => void;
}

/** The found items, of which only those near the visible part are rendered. */
function Results({ found, active, onPoint, onUse }: ResultsProps) {
  const chosen = useWorkspace((s) => s.stationIds);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: found.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
  });
  useEffect(() => {
    if (found.length > 0) rows.scrollToIndex(active);
  }, [active, found, rows]);
  return (
    <div
      ref={scroller}
      className={`${classes["scroller"]} scroll flex-1 h-[432px] min-h-16`}
      data-none={found.length === 0 || undefined}
    >
      <div
        id="palette-list"
        role="listbox"
        aria-label="Found"
        className="relative m-1"
        style={{ height: rows.getTotalSize() }}
      >
        {rows.getVirtualItems().map(({ index, start }) => {
          const one = found[index];
          return one ? (
            // The focus stays in the search field, which points to the active row by `aria-activedescendant`, and has the keys.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={one.key}
              id={`palette-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              aria-posinset={index + 1}
              aria-setsize={found.length}
              className={classes["row"]}
              style={{ transform: `translateY(${start}px)` }}
              onMouseMove={index === active ? undefined : () => onPoint(index)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={(event) => onUse(one, event.shiftKey)}
            >
              <RowContent
                item={one.item}
                isChosen={one.item.kind === "station" && chosen.includes(one.item.station.id)}
              />
            </div>
          ) : null;
        })}
      </div>
    </div>
  );
}
