import { ChevronRight, Ellipsis } from "lucide-react";
import { Button } from "react-aria-components";
import type { ConnectionInfo } from "#shared/connection.ts";
import { connectionName, openConnection, removeConnection, useConnection } from "../../stores/connection.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { IconButton } from "../../ui/Button.tsx";
import { MenuButton, type MenuEntries } from "../../ui/MenuButton.tsx";
import { StartSection } from "./StartSection.tsx";
import classes from "./start.module.css";

/** Menu entries for a saved connection. @param isNamed adds its name, for menus with several connections */
export function connectionEntries(connection: ConnectionInfo, isNamed = false): MenuEntries {
  const name = isNamed ? ` “${connectionName(connection)}”` : "";
  // A damaged connection can only be removed.
  const isSound = connection.damage === undefined;
  return [
    isSound && { id: "rename", label: `Rename${name}…`, onAction: () => openDialog({ kind: "rename", connection }) },
    isSound &&
      connection.kind === "service" && {
        id: "key",
        label: isNamed ? `New key for${name}…` : "New key…",
        onAction: () => openDialog({ kind: "key", connection }),
      },
    { id: "remove", label: `Remove${name}`, onAction: () => removeConnection(connection) },
  ];
}

function addressOf({ kind, baseUrl }: ConnectionInfo): string {
  if (kind === "demo") return "simulated service in this program";
  return kind === "file" ? `read only, from a file${baseUrl === "" ? "" : ` about ${baseUrl}`}` : baseUrl;
}

function connectionState({ damage, hasKey, kind }: ConnectionInfo): string {
  if (damage !== undefined) return "damaged";
  return hasKey || kind === "file" ? "" : "needs a key";
}

/** The list of saved connections; clicking one opens it. */
export function SavedConnections({ all }: { readonly all: readonly ConnectionInfo[] }) {
  const openingId = useConnection((s) => s.openingId);
  return (
    <StartSection title="Your connections">
      <ul className="mt-2 border-t border-line list-none">
        {all.map((connection) => (
          <li key={connection.id}>
            <div className="row border-b border-line">
              <Button
                className={classes["open"]}
                isDisabled={connection.damage !== undefined}
                onPress={() => void openConnection(connection.id)}
              >
                <span className="truncate max-w-[60%] font-medium">{connectionName(connection)}</span>
                <span className="truncate flex-1 text-quiet">{addressOf(connection)}</span>
                <span className="caption">
                  {openingId === connection.id ? "Opening…" : connectionState(connection)}
                </span>
                <ChevronRight aria-hidden />
              </Button>
              <MenuButton
                label={`Connection ${connectionName(connection)}`}
                button={<IconButton label={`More for ${connectionName(connection)}`} icon={Ellipsis} />}
                entries={connectionEntries(connection)}
              />
            </div>
            {connection.damage === undefined ? null : (
              <p className="px-2 pb-2 text-danger text-small">{connection.damage}</p>
            )}
          </li>
        ))}
      </ul>
    </StartSection>
  );
}
