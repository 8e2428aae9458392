import { useConnectionId } from "../../stores/connection.ts";
import { Button } from "../../ui/Button.tsx";
import { DialogActions } from "../../ui/Dialog.tsx";
import classes from "./export.module.css";
import { useExports } from "./saved.ts";
import { SavedItem } from "./SavedItem.tsx";

/** What was saved to be repeated, of this connection. */
export function SavedList({ onClose }: { readonly onClose: () => void }) {
  const connectionId = useConnectionId();
  const all = useExports((s) => s.saved);
  const focus = useExports((s) => (s.page?.kind === "saved" ? s.page.focus : null));
  const saved = all.filter((one) => one.connectionId === connectionId);
  return (
    <>
      {saved.length === 0 ? (
        <p className={classes["said"]}>No exports are saved. Configure one, then press “Save this export…”.</p>
      ) : (
        <ul className={classes["list"]} aria-label="Saved exports">
          {saved.map((one) => (
            <SavedItem key={one.name} saved={one} hasFocus={one.name === focus} onRun={onClose} />
          ))}
        </ul>
      )}
      <DialogActions>
        {saved.length === 0 ? null : (
          <p className={`${classes["atStart"]} ${classes["said"]}`}>
            A command writes into the folder in which it runs; --out names another.
          </p>
        )}
        <Button onPress={onClose}>Close</Button>
      </DialogActions>
    </>
  );
}
