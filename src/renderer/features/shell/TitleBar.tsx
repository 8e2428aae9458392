import { Check, ChevronDown, Search } from "lucide-react";
import { commandOf } from "#shared/commands.ts";
import { type ConnectionInfo, FILES_CONNECTION_ID } from "#shared/connection.ts";
import { connectionName, openConnection, useConnection } from "../../stores/connection.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { showFault } from "../../stores/toasts.ts";
import { Button } from "../../ui/Button.tsx";
import { MenuButton, type MenuEntry } from "../../ui/MenuButton.tsx";
import { Keys } from "../../ui/notes.tsx";
import { closeAllFiles } from "../files/open.ts";
import { TimeRange } from "../range/TimeRange.tsx";
import { connectionEntries } from "../start/SavedConnections.tsx";
import { exploreDemo } from "../start/exploreDemo.ts";
import { useViewEntries } from "../views/viewEntries.tsx";
import { IS_MAC, keysOf } from "./keys.ts";
import classes from "./title.module.css";

async function switchTo(connection: ConnectionInfo): Promise<void> {
  const opened = await openConnection(connection.id);
  const { fault } = useConnection.getState();
  // The current connection stays open, so the fault is shown as a message only.
  if (!opened && fault) {
    showFault(fault);
    useConnection.setState({ fault: null });
  }
}

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
  const entries: readonly (MenuEntry | null)[] = [
    ...all.map((connection) => switchEntry(connection, connection.id === current.id)),
    null,
    ...views,
    null,
    { id: "connect", label: "Connect to another service…", onAction: () => openDialog({ kind: "connect" }) },
    ...(all.some((c) => c.kind === "demo")
      ? []
      : [{ id: "demo", label: "Explore the demo", onAction: () => void openDemo() }]),
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
        <Button look="quiet" aria-label={`Connection: ${connectionName(current)}`}>
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
      if (!isCurrent) void switchTo(connection);
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
