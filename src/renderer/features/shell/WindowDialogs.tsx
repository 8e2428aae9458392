import { connectionName } from "../../stores/connection.ts";
import { closeDialog, useDialogs } from "../../stores/dialogs.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { AdoptForm } from "../start/AdoptForm.tsx";
import { ConnectForm } from "../start/ConnectForm.tsx";
import { KeyForm } from "../start/KeyForm.tsx";
import { RenameForm } from "../start/RenameForm.tsx";
import { About } from "./About.tsx";
import { Log } from "./Log.tsx";
import { ReleaseNotes } from "./ReleaseNotes.tsx";
import { Shortcuts } from "./Shortcuts.tsx";

/** The dialogs of the window as a whole. */
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
