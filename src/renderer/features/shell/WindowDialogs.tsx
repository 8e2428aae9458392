import { connectionName } from "../../stores/connection.ts";
import { closeDialog, useDialogs } from "../../stores/dialogs.ts";
import { Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { AdoptForm, RenameForm } from "../start/ConnectionForms.tsx";
import { ConnectForm } from "../start/ConnectForm.tsx";
import { KeyForm } from "../start/KeyForm.tsx";
import { useReleases } from "../../stores/releases.ts";
import { Button, CopyButton } from "../../ui/Button.tsx";
import { About, Log, Shortcuts } from "./HelpDialogs.tsx";
import classes from "./dialogs.module.css";

/** The dialogs that do not belong to a feature. */
export function WindowDialogs() {
  const open = useDialogs((s) => s.open);
  const connection = open && "connection" in open ? open.connection : null;
  const name = connection ? connectionName(connection) : "";
  return (
    <>
      <Dialog title="Connect to a service" isOpen={open?.kind === "connect"} onClose={closeDialog}>
        <ConnectForm onDone={closeDialog} onCancel={closeDialog} />
      </Dialog>
      <Dialog title={`Rename “${name}”`} isOpen={open?.kind === "rename"} onClose={closeDialog}>
        {connection ? <RenameForm connection={connection} onDone={closeDialog} /> : null}
      </Dialog>
      <Dialog title={`New key for “${name}”`} isOpen={open?.kind === "key"} onClose={closeDialog}>
        {connection ? <KeyForm connection={connection} onDone={closeDialog} /> : null}
      </Dialog>
      <Dialog title="Adopt a cache" isOpen={open?.kind === "adopt"} onClose={closeDialog}>
        {open?.kind === "adopt" ? <AdoptForm cache={open.cache} onDone={closeDialog} /> : null}
      </Dialog>
      <Dialog title="Keyboard shortcuts" isOpen={open?.kind === "shortcuts"} onClose={closeDialog} wide>
        <Shortcuts />
      </Dialog>
      <Dialog title="About Zenith Desk" isOpen={open?.kind === "about"} onClose={closeDialog}>
        <About />
      </Dialog>
      <Dialog title="Log" isOpen={open?.kind === "log"} onClose={closeDialog} wide>
        <Log />
      </Dialog>
      <Dialog title="A newer version of Zenith Desk" isOpen={open?.kind === "release"} onClose={closeDialog}>
        <ReleaseNotes />
      </Dialog>
    </>
  );
}

/** The changes of a newer version and where to get it. The content comes from the network and is shown as plain text. */
function ReleaseNotes() {
  const news = useReleases((s) => s.news);
  if (!news?.newer) return null;
  const { version, date, notes } = news.newer;
  return (
    <>
      <p className="quiet">{date === null ? `Version ${version}` : `Version ${version}, published on ${date}`}</p>
      {notes.length === 0 ? null : (
        <ul className={classes["notes"]}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <p>
        Install it the way you installed this version, or from{" "}
        <span className={classes["address"]}>{news.address}</span>
      </p>
      <DialogActions>
        <CopyButton text={() => news.address}>Copy the address</CopyButton>
        <Button onPress={closeDialog}>Close</Button>
      </DialogActions>
    </>
  );
}
