import { ChevronRight, Ellipsis } from "lucide-react";
import { Button } from "react-aria-components";
import type { ConnectionInfo } from "#shared/connection.ts";
import { connectionName, openConnection, useConnection } from "../../stores/connection.ts";
import { IconButton } from "../../ui/Button.tsx";
import { MenuButton } from "../../ui/MenuButton.tsx";
import { connectionEntries } from "./connectionEntries.ts";
import classes from "./start.module.css";

function addressOf({ kind, baseUrl }: ConnectionInfo): string {
  if (kind === "demo") return "simulated service in this program";
  return kind === "file" ? `read only, from a file${baseUrl === "" ? "" : ` about ${baseUrl}`}` : baseUrl;
}

function stateOf({ damage, hasKey, kind }: ConnectionInfo): string {
  if (damage !== undefined) return "damaged";
  return hasKey || kind === "file" ? "" : "needs a key";
}

/** The list of saved connections; clicking one opens it. */
export function SavedConnections({ all }: { readonly all: readonly ConnectionInfo[] }) {
  const openingId = useConnection((s) => s.openingId);
  return (
    <section aria-labelledby="kept">
      <h2 id="kept" className={classes["heading"]}>
        Your connections
      </h2>
      <ul className={classes["kept"]}>
        {all.map((connection) => (
          <li key={connection.id}>
            <div className={classes["keptRow"]}>
              <Button
                className={classes["open"]}
                isDisabled={connection.damage !== undefined}
                onPress={() => void openConnection(connection.id)}
              >
                <span className={classes["name"]}>{connectionName(connection)}</span>
                <span className={classes["address"]}>{addressOf(connection)}</span>
                <span className={classes["state"]}>
                  {openingId === connection.id ? "Opening…" : stateOf(connection)}
                </span>
                <ChevronRight aria-hidden />
              </Button>
              <MenuButton
                label={`Connection ${connectionName(connection)}`}
                button={
                  <IconButton label={`More for ${connectionName(connection)}`}>
                    <Ellipsis aria-hidden />
                  </IconButton>
                }
                entries={connectionEntries(connection)}
              />
            </div>
            {connection.damage === undefined ? null : <p className={classes["damage"]}>{connection.damage}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
