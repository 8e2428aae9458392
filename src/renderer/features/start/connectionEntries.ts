import type { ConnectionInfo } from "#shared/connection.ts";
import { removeConnection } from "../../stores/connection.ts";
import { openDialog } from "../../stores/dialogs.ts";
import type { MenuEntry } from "../../ui/MenuButton.tsx";

/** What can be done with a kept connection, beside opening it. */
export function connectionEntries(connection: ConnectionInfo): readonly MenuEntry[] {
  const key: MenuEntry = { id: "key", label: "New key…", onAction: () => openDialog({ kind: "key", connection }) };
  return [
    { id: "rename", label: "Rename…", onAction: () => openDialog({ kind: "rename", connection }) },
    ...(connection.kind === "demo" ? [] : [key]),
    { id: "remove", label: "Remove", onAction: () => removeConnection(connection) },
  ];
}
