import { Search } from "lucide-react";
import { commandOf } from "#shared/commands.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { Button } from "../../ui/Button.tsx";
import { Keys } from "../../ui/notes.tsx";
import { TimeRange } from "../range/TimeRange.tsx";
import { ViewsMenu } from "../views/ViewsMenu.tsx";
import { ConnectionMenu } from "./ConnectionMenu.tsx";
import { IS_MAC, keysOf } from "./keys.ts";
import classes from "./title.module.css";

const [PALETTE_KEYS = ""] = keysOf(commandOf("palette"), IS_MAC);

/** The title bar: connection, palette, saved views and time range. */
export function TitleBar() {
  return (
    <header className={classes["title"]}>
      <h1 className="visually-hidden">Zenith Desk</h1>
      <ConnectionMenu />
      <div className={classes["search"]}>
        <Button onPress={() => openDialog({ kind: "palette" })}>
          <Search aria-hidden />
          <span className={classes["words"]}>Search or command </span>
          <span className={classes["keys"]}>
            <Keys keys={PALETTE_KEYS} />
          </span>
        </Button>
      </div>
      <ViewsMenu />
      <TimeRange />
    </header>
  );
}
