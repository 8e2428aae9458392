import type { SavedView } from "#shared/views/view.ts";
import { useCommand } from "../../stores/commands.ts";
import { connectionName, useConnection } from "../../stores/connection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import type { MenuEntry } from "../../ui/MenuButton.tsx";
import { showView } from "./actions.ts";
import { chooseFile } from "./files.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { useDamagedViews, useViews } from "./store.ts";

/** Maximum number of views in the menu; further ones are in the dialog and the palette. */
const MAX_ENTRIES = 12;

function share(): void {
  openDialog({ kind: "views", page: "share", names: [] });
}

/** Returns the saved views and their actions as entries of a menu. */
export function useViewEntries(): readonly (MenuEntry | null)[] {
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
