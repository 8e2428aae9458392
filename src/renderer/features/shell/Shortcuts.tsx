import { type Command, type CommandId, COMMANDS } from "#shared/commands.ts";
import { useCommands } from "../../stores/commands.ts";
import { Button } from "../../ui/Button.tsx";
import { DialogActions } from "../../ui/Dialog.tsx";
import { Keys } from "../../ui/notes.tsx";
import { closeDialog } from "../../stores/dialogs.ts";
import classes from "./dialogs.module.css";
import { IS_MAC, keysOf } from "./keys.ts";

/** Keys handled by the focused element, not by commands. */
const FOCUS_KEYS = [
  { title: "Close, or leave what is open", keys: ["Esc"] },
  { title: "Move in a list", keys: ["↑", "↓"] },
  { title: "Select more in a list", keys: ["Shift ↓"] },
  { title: "Mark", keys: ["Space"] },
  { title: "Open the menu of a station, gap or plot", keys: ["Shift F10"] },
  { title: "Read values of a plot, with Shift further apart", keys: ["←", "→"] },
  { title: "Read one station of a plot", keys: ["↑", "↓"] },
  { title: "Move a plot in time", keys: ["PgUp", "PgDn"] },
  { title: "Move a divider that has the focus", keys: ["←", "→"] },
] as const;

/** All keyboard shortcuts, generated from the list of commands. */
export function Shortcuts() {
  const running = useCommands((s) => s.available);
  const entries = COMMANDS.map((command: Command) => ({
    title: command.title,
    keys: keysOf(command, IS_MAC),
    isOff: !running.has(command.id as CommandId),
  })).filter(({ keys }) => keys.length > 0);
  return (
    <>
      <KeyList title="Everywhere" entries={entries} />
      <KeyList title="Where the focus is" entries={FOCUS_KEYS} />
      <p className={classes["quiet"]}>
        Single keys work while you are not typing. Grey commands are unavailable at the moment.
      </p>
      <DialogActions>
        <Button onPress={closeDialog}>Close</Button>
      </DialogActions>
    </>
  );
}

function KeyList(props: {
  readonly title: string;
  readonly entries: readonly { readonly title: string; readonly keys: readonly string[]; readonly isOff?: boolean }[];
}) {
  return (
    <section>
      <h3 className={classes["heading"]}>{props.title}</h3>
      <dl className={classes["keys"]}>
        {props.entries.map(({ title, keys, isOff }) => (
          <div key={title} className={classes["keyRow"]} data-off={isOff || undefined}>
            <dt>{title}</dt>
            <dd>
              {keys.map((key, i) => (
                <span key={key}>
                  {i > 0 ? <span className={classes["or"]}>or</span> : null}
                  <Keys keys={key} />
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
