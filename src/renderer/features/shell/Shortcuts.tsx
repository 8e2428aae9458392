import { type Command, COMMANDS } from "#shared/commands.ts";
import { Button } from "../../ui/Button.tsx";
import { DialogActions } from "../../ui/Dialog.tsx";
import { Keys } from "../../ui/notes.tsx";
import { closeDialog } from "../../stores/dialogs.ts";
import classes from "./dialogs.module.css";
import { IS_MAC, keysOf } from "./keys.ts";

const commands: readonly Command[] = COMMANDS;

/** Keys that belong to what has the focus: they are no commands. */
const IN_PLACE = [
  { title: "Close, or leave what is open", keys: ["Esc"] },
  { title: "Move in a list", keys: ["↑", "↓"] },
  { title: "Choose more in a list", keys: ["Shift ↓"] },
  { title: "Mark", keys: ["Space"] },
  { title: "Move a divider that has the focus", keys: ["←", "→"] },
] as const;

/** Every key there is, from the one list of commands. */
export function Shortcuts() {
  const withKeys = commands.map((c) => ({ title: c.title, keys: keysOf(c, IS_MAC) })).filter((c) => c.keys.length > 0);
  return (
    <>
      <div className={classes["columns"]}>
        <KeyList title="Everywhere" entries={withKeys} />
        <KeyList title="Where the focus is" entries={IN_PLACE} />
      </div>
      <p className={classes["quiet"]}>Single keys work wherever you are not typing.</p>
      <DialogActions>
        <Button onPress={closeDialog}>Close</Button>
      </DialogActions>
    </>
  );
}

function KeyList(props: {
  readonly title: string;
  readonly entries: readonly { readonly title: string; readonly keys: readonly string[] }[];
}) {
  return (
    <section>
      <h3 className={classes["heading"]}>{props.title}</h3>
      <dl className={classes["keys"]}>
        {props.entries.map(({ title, keys }) => (
          <div key={title} className={classes["keyRow"]}>
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
