import { useVirtualizer } from "@tanstack/react-virtual";
import { Bookmark, CalendarRange, Check, ChevronRight, FileDown, Radio, Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { Dialog, Input } from "react-aria-components";
import { Overlay } from "../../ui/Dialog.tsx";
import { stationLabel } from "#shared/service/catalogue.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { runCommand, useCommands } from "../../stores/commands.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { useConnection } from "../../stores/connection.ts";
import { closeDialog, openDialog, useDialog } from "../../stores/dialogs.ts";
import { selectStations, usePane, useWorkspace } from "../../stores/workspace.ts";
import { Keys } from "../../ui/notes.tsx";
import { many, utcMinutes } from "../../ui/text.ts";
import { runOrShow, useExports } from "../export/saved.ts";
import { showView } from "../views/actions.ts";
import { useViews } from "../views/store.ts";
import {
  commandItems,
  exportItems,
  type Findable,
  type PaletteItem,
  rangeItems,
  search,
  stationItems,
  viewItems,
} from "./items.ts";
import classes from "./palette.module.css";
import { IS_MAC, keysOf } from "../shell/keys.ts";

const ROW_PX = 32;
const MAX_RECENT = 12;

function readKeys(kept: unknown): readonly string[] {
  return Array.isArray(kept) ? kept.filter((key) => typeof key === "string") : [];
}

function close(): void {
  closeDialog("palette");
}

/** The command palette: finds commands, stations, saved views and saved exports. */
export function Palette() {
  const isOpen = useDialog("palette") !== null;
  return (
    <Overlay
      isOpen={isOpen}
      onClose={close}
      scrim={classes["scrim"]}
      modal="w-full max-w-[600px] overflow-hidden rounded-[9px] bg-surface shadow-float"
    >
      <Dialog aria-label="Search or command" className="stack max-h-[76vh] outline-none">
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
  const saved = useViews((s) => s.views);
  const views = useMemo(() => (isConnected ? viewItems(saved) : []), [saved, isConnected]);
  const kept = useExports((s) => s.saved);
  const exports = useMemo(() => (connectionId === null ? [] : exportItems(kept, connectionId)), [kept, connectionId]);
  return useMemo(
    () => [...commandItems(running, reasons), ...exports, ...views, ...stations],
    [running, reasons, exports, views, stations],
  );
}

function PaletteContent() {
  const all = useItems();
  const capabilities = useCapabilities();
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const [recent, setRecent] = usePane("palette.recent", readKeys);
  const found = useMemo(() => [...rangeItems(query, Date.now()), ...search(all, query, recent)], [all, query, recent]);
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

  const choose = ({ key, item }: Findable<PaletteItem>, isAlone: boolean): void => {
    if (item.kind !== "range") setRecent([key, ...recent.filter((k) => k !== key)].slice(0, MAX_RECENT));
    close();
    if (item.kind === "view") void showView(item.view);
    else if (item.kind === "export")
      void runOrShow(item.saved, capabilities, () =>
        openDialog({ kind: "export", page: "saved", focus: item.saved.name }),
      );
    else if (item.kind === "range") useWorkspace.setState({ ...item.shown, section: "explore" });
    else if (item.kind === "station") {
      selectStations(isAlone ? [item.station.id] : [...chosen, item.station.id]);
      useWorkspace.setState({ section: "explore" });
      // The palette restores the focus first; then what the command opens can take it.
    } else setTimeout(() => runCommand(item.command.id));
  };
  const move = (to: number): void => setActive(Math.max(0, Math.min(found.length - 1, to)));
  const onKeyDown = (event: KeyboardEvent): void => {
    const one = found[active];
    if (event.key === "ArrowDown") move(active + 1 >= found.length ? 0 : active + 1);
    else if (event.key === "ArrowUp") move(active === 0 ? found.length - 1 : active - 1);
    else if (event.key === "PageDown") move(active + 10);
    else if (event.key === "PageUp") move(active - 10);
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
          onChange={(event) => {
            setQuery(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
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
              <PaletteRow
                key={one.key}
                id={`palette-${index}`}
                item={one.item}
                place={index + 1}
                total={found.length}
                offsetPx={start}
                isActive={index === active}
                isChosen={one.item.kind === "station" && chosen.includes(one.item.station.id)}
                onPoint={() => setActive(index)}
                onUse={(isAlone) => choose(one, isAlone)}
              />
            ) : null;
          })}
        </div>
      </div>
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

interface PaletteRowProps {
  readonly id: string;
  readonly item: PaletteItem;
  readonly place: number;
  readonly total: number;
  readonly offsetPx: number;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly onPoint: () => void;
  readonly onUse: (isAlone: boolean) => void;
}

/** A result. The focus stays in the search field, which points to the active row by `aria-activedescendant`. */
function PaletteRow({ item, isActive, isChosen, ...props }: PaletteRowProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the search field has the focus and handles keys
    <div
      id={props.id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      aria-posinset={props.place}
      aria-setsize={props.total}
      className={classes["row"]}
      style={{ transform: `translateY(${props.offsetPx}px)` }}
      onMouseMove={isActive ? undefined : props.onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => props.onUse(event.shiftKey)}
    >
      {item.kind === "command" ? <CommandLine item={item} /> : null}
      {item.kind === "view" ? <ViewLine name={item.view.name} /> : null}
      {item.kind === "export" ? <ExportLine name={item.saved.name} /> : null}
      {item.kind === "range" ? <RangeLine range={item.shown.range} /> : null}
      {item.kind === "station" ? <StationLine item={item} isChosen={isChosen} /> : null}
    </div>
  );
}

function CommandLine({ item: { command, reason } }: { readonly item: PaletteItem & { readonly kind: "command" } }) {
  const [first] = keysOf(command, IS_MAC);
  return (
    <>
      <ChevronRight aria-hidden />
      <span className="flex-1 min-w-16 overflow-hidden text-ellipsis">{command.title}</span>
      {reason === null ? null : <span className={classes["more"]}>{reason}</span>}
      {first === undefined ? null : <Keys keys={first} />}
    </>
  );
}

function ViewLine({ name }: { readonly name: string }) {
  return (
    <>
      <Bookmark aria-hidden />
      <span className="flex-1 min-w-16 overflow-hidden text-ellipsis">View: {name}</span>
    </>
  );
}

function ExportLine({ name }: { readonly name: string }) {
  return (
    <>
      <FileDown aria-hidden />
      <span className="flex-1 min-w-16 overflow-hidden text-ellipsis">Run export: {name}</span>
    </>
  );
}

function RangeLine({ range: { startMs, endMs } }: { readonly range: TimeRange }) {
  return (
    <>
      <CalendarRange aria-hidden />
      <span className="flex-1 min-w-16 overflow-hidden text-ellipsis">
        Show {utcMinutes(startMs)} → {utcMinutes(endMs)} UTC
      </span>
    </>
  );
}

function StationLine(props: { readonly item: PaletteItem & { readonly kind: "station" }; readonly isChosen: boolean }) {
  const { station } = props.item;
  const place = [station.locationAlias, station.countryCode].filter(Boolean).join(", ");
  return (
    <>
      {props.isChosen ? <Check aria-hidden /> : <Radio aria-hidden />}
      <span className="flex-1 min-w-16 overflow-hidden text-ellipsis">{stationLabel(station)}</span>
      {props.isChosen ? <span className={classes["more"]}>selected</span> : null}
      <span className={classes["more"]}>{place}</span>
      <span className={`${classes["network"]} w-16 text-right`}>{station.networkCode}</span>
    </>
  );
}
