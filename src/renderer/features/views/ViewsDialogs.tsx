import { useEffect } from "react";
import { Dialog } from "../../ui/Dialog.tsx";
import { ShareDialog } from "./ShareDialog.tsx";
import { ManageViews } from "./ManageViews.tsx";
import { NameForm } from "./NameForm.tsx";
import { Opening } from "./Opening.tsx";
import { renameView } from "./rename.ts";
import { saveView } from "./actions.ts";
import { followViews, openViewsDialog, useViews } from "./store.ts";

function close(): void {
  openViewsDialog(null);
}

function manage(): void {
  openViewsDialog({ kind: "manage" });
}

/** The dialogs about saved views, one at a time. */
export function ViewsDialogs() {
  const dialog = useViews((s) => s.dialog);
  useEffect(followViews, []);
  const shared = dialog?.kind === "share" ? dialog.names : null;
  const opening = dialog?.kind === "opening" ? dialog : null;
  const renamed = dialog?.kind === "rename" ? dialog.view : null;
  return (
    <>
      <Dialog title="Save this view" isOpen={dialog?.kind === "save"} onClose={close}>
        <NameForm
          initial=""
          action="Save"
          hint="Saves the stations, the time range, the variables and the settings of each screen."
          replaces
          apply={saveView}
          onDone={close}
        />
      </Dialog>
      <Dialog title="Saved views" isOpen={dialog?.kind === "manage"} onClose={close} wide>
        <ManageViews onClose={close} />
      </Dialog>
      <Dialog title="Share with a colleague" isOpen={shared !== null} onClose={close}>
        {shared ? <ShareDialog names={shared} onClose={close} /> : null}
      </Dialog>
      <Dialog title="Opening a session" isOpen={opening !== null} onClose={() => opening?.stop()}>
        {opening ? <Opening dialog={opening} /> : null}
      </Dialog>
      <Dialog title="Rename the view" isOpen={renamed !== null} onClose={manage}>
        {renamed ? (
          <NameForm
            initial={renamed.name}
            action="Rename"
            apply={(name) => renameView(renamed, name)}
            onDone={manage}
          />
        ) : null}
      </Dialog>
    </>
  );
}
