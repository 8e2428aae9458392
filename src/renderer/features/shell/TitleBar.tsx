import { Check, ChevronDown, Search } from "lucide-react";
import { commandOf } from "#shared/commands.ts";
import { type ConnectionInfo, FILES_CONNECTION_ID } from "#shared/connection.ts";
import { connectionName, switchConnection, useConnection } from "../../stores/connection.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { showFault } from "../../stores/toasts.ts";
import { Button } from "../../ui/Button.tsx";
import { MenuButton, type MenuEntries, type MenuEntry } from "../../ui/MenuButton.tsx";
import { Keys } from "../../ui/notes.tsx";
import { closeAllFiles } from "../files/open.ts";
import { TimeRange } from "../range/TimeRange.tsx";
import { connectionEntries } from "../start/SavedConnections.tsx";
import { exploreDemo } from "../start/exploreDemo.ts";
import { IS_MAC, keysOf } from "./keys.ts";
import classes from "./title.module.css";
import type { SavedView } from "#shared/views/view.ts";
import { useCommand } from "../../stores/commands.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { showView } from "../views/actions.ts";
import { chooseFile } from "../views/files.ts";
import { useDamagedViews, useViews } from "../views/store.ts";

async function openDemo(): Promise<void> {
  const fault = await exploreDemo();
  if (fault) showFault(fault);
}

/** The menu of connections and saved views: opens, adds, renames, shares and removes them. */
function ConnectionMenu() {
  const current = useConnection((s) => s.current?.info ?? null);
  const isSimulated = useConnection((s) => s.current?.isSimulated ?? false);
  const all = useConnection((s) => s.all) ?? [];
  const openingId = useConnection((s) => s.openingId);
  const views = useViewEntries();
  if (!current) return null;
  const entries: MenuEntries = [
    ...all.map((connection) => switchEntry(connection, connection.id === current.id)),
    null,
    ...views,
    null,
    { id: "connect", label: "Connect to another service…", onAction: () => openDialog({ kind: "connect" }) },
    !all.some((c) => c.kind === "demo") && {
      id: "demo",
      label: "Explore the demo",
      onAction: () => void openDemo(),
    },
    null,
    ...(current.id === FILES_CONNECTION_ID
      ? [{ id: "close-files", label: "Close all files", onAction: () => void closeAllFiles() }]
      : connectionEntries(current, true)),
  ];
  return (
    <MenuButton
      label="Connections and views"
      entries={entries}
      button={
        <Button look="quiet">
          <span className="visually-hidden">Connection: </span>
          <span className={`${classes["connection"]} max-w-[200px] overflow-hidden font-semibold text-ellipsis`}>
            {openingId ? "Opening…" : connectionName(current)}
          </span>
          {current.kind === "file" ? (
            <span className="caption">{isSimulated ? "read only, simulated" : "read only"}</span>
          ) : null}
          {current.hasKey || current.kind === "file" ? null : <span className="text-warn text-small">needs a key</span>}
          <ChevronDown aria-hidden />
        </Button>
      }
    />
  );
}

const DETAILS: Partial<Record<ConnectionInfo["kind"], string>> = { demo: "simulated", file: "from a file" };

function switchEntry(connection: ConnectionInfo, isCurrent: boolean): MenuEntry {
  const name = connectionName(connection);
  return {
    id: `open:${connection.id}`,
    text: isCurrent ? `${name}, shown` : name,
    label: (
      <>
        <Check aria-hidden className={isCurrent ? classes["tick"] : classes["noTick"]} />
        <span className="truncate max-w-[240px]">{name}</span>
      </>
    ),
    detail:
      connection.damage === undefined
        ? (DETAILS[connection.kind] ?? URL.parse(connection.baseUrl)?.host ?? connection.baseUrl)
        : "damaged",
    onAction: () => {
      if (!isCurrent) void switchConnection(connection.id);
    },
  };
}

const [PALETTE_KEYS = ""] = keysOf(commandOf("palette"), IS_MAC);

/** The title bar: connection with saved views, palette and time range. */
export function TitleBar() {
  return (
    <header data-region className={classes["title"]}>
      <h1 className="visually-hidden">Zenith Desk</h1>
      <ConnectionMenu />
      <div className={`${classes["search"]} flex flex-1 min-w-0`}>
        <Button onPress={() => openDialog({ kind: "palette" })} icon={Search}>
          <span className={`${classes["words"]} flex-1 overflow-hidden text-left text-ellipsis`}>
            Search, or run a command{" "}
          </span>
          <span className={classes["keys"]}>
            <Keys keys={PALETTE_KEYS} />
          </span>
        </Button>
      </div>
      <TimeRange />
    </header>
  );
}

/** Maximum number of views in the menu; further ones are in the dialog and the palette. */
const MAX_ENTRIES = 12;

function share(): void {
  openDialog({ kind: "views", page: "share", names: [] });
}

/** Returns the saved views and their actions as entries of a menu. */
function useViewEntries(): MenuEntries {
  const views = useViews();
  const damaged = useDamagedViews();
  const current = useConnection((s) => s.current?.info.id ?? null);
  const all = useConnection((s) => s.all) ?? [];
  const hasChosen = useWorkspace((s) => s.stationIds.length > 0);
  useCommand("views.save", () => openDialog({ kind: "views", page: "save" }));
  useCommand("views.share", share, hasChosen || "Select stations first.");
  useCommand("views.open-file", () => void chooseFile());

  const otherConnection = ({ connectionId }: SavedView): string | null => {
    if (connectionId === null || connectionId === current) return null;
    const found = all.find((c) => c.id === connectionId);
    return found ? connectionName(found) : null;
  };
  // Views of this connection, and of none, come first.
  const ordered = views.toSorted((a, b) => Number(otherConnection(a) !== null) - Number(otherConnection(b) !== null));
  return [
    ...ordered.slice(0, MAX_ENTRIES).map((view) => ({
      id: `view:${view.name}`,
      text: view.name,
      label: <span className="truncate max-w-[280px]">{view.name}</span>,
      ...(otherConnection(view) === null ? {} : { detail: otherConnection(view) ?? "" }),
      onAction: () => void showView(view),
    })),
    { id: "save", label: "Save this view…", onAction: () => openDialog({ kind: "views", page: "save" }) },
    {
      id: "manage",
      label: views.length > MAX_ENTRIES ? `All ${views.length} views…` : "Rename, delete or share views…",
      isDisabled: views.length + damaged.length === 0,
      ...(damaged.length === 0 ? {} : { detail: `${damaged.length} damaged` }),
      onAction: () => openDialog({ kind: "views", page: "manage" }),
    },
    {
      id: "share-data",
      label: "Share this view with its data…",
      isDisabled: !hasChosen,
      onAction: share,
    },
    { id: "open", label: "Open a file from a colleague…", onAction: () => void chooseFile() },
  ];
}
