import type { ConnectionInfo } from "#shared/connection.ts";
import { connectionName, removeConnection } from "../../stores/connection.ts";
import { openDialog } from "../../stores/dialogs.ts";
import type { MenuEntry } from "../../ui/MenuButton.tsx";

/** Menu entries for a saved connection. @param isNamed adds its name, for menus with several connections */
export function connectionEntries(connection: ConnectionInfo, isNamed = false): readonly MenuEntry[] {
  const name = isNamed ? ` “${connectionName(connection)}”` : "";
  const key: MenuEntry = {
    id: "key",
    label: isNamed ? `New key for${name}…` : "New key…",
    onAction: () => openDialog({ kind: "key", connection }),
  };
  const remove: MenuEntry = {
    id: "remove",
    label: `Remove${name}`,
    onAction: () => removeConnection(connection),
  };
  // A damaged connection can only be removed.
  if (connection.damage !== undefined) return [remove];
  return [
    { id: "rename", label: `Rename${name}…`, onAction: () => openDialog({ kind: "rename", connection }) },
    ...(connection.kind === "service" ? [key] : []),
    remove,
  ];
}
