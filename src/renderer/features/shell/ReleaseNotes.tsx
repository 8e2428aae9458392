import { closeDialog } from "../../stores/dialogs.ts";
import { useReleases } from "../../stores/releases.ts";
import { Button } from "../../ui/Button.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { DialogActions } from "../../ui/Dialog.tsx";
import classes from "./dialogs.module.css";

/** What is new in a newer version, and where it is. All of it comes from elsewhere, and is shown as text. */
export function ReleaseNotes() {
  const news = useReleases((s) => s.news);
  if (!news?.newer) return null;
  const { version, date, notes } = news.newer;
  return (
    <>
      <p className={classes["quiet"]}>
        {date === null ? `Version ${version}` : `Version ${version}, published on ${date}`}
      </p>
      {notes.length === 0 ? null : (
        <ul className={classes["notes"]}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <p>
        Install it as you installed this version, or from <span className={classes["address"]}>{news.address}</span>
      </p>
      <DialogActions>
        <CopyButton text={() => news.address}>Copy the address</CopyButton>
        <Button onPress={closeDialog}>Close</Button>
      </DialogActions>
    </>
  );
}
