import type { ConnectionInfo } from "#shared/connection.ts";
import { connectionName, removeConnection } from "../../stores/connection.ts";
import { openDialog } from "../../stores/dialogs.ts";
import type { MenuEntry } from "../../ui/MenuButton.tsx";

/** What can be done with a kept connection, beside opening it. @param isNamed says which, where the menu is about several */
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
  // Of a damaged one nothing else can be used.
  if (connection.damage !== undefined) return [remove];
  return [
    { id: "rename", label: `Rename${name}…`, onAction: () => openDialog({ kind: "rename", connection }) },
    ...(connection.kind === "service" ? [key] : []),
    remove,
  ];
}
