import { Dialog } from "../../ui/Dialog.tsx";
import { closeGroupsDialog, useGroupsDialog } from "./dialog.ts";
import { EditGroups } from "./EditGroups.tsx";
import { PasteList } from "./PasteList.tsx";

/** The dialogs about groups of stations, one at a time. */
export function GroupsDialogs() {
  const open = useGroupsDialog((s) => s.open);
  return (
    <>
      <Dialog title="Groups of stations" isOpen={open?.kind === "groups"} onClose={closeGroupsDialog}>
        <EditGroups onClose={closeGroupsDialog} />
      </Dialog>
      <Dialog title="Select from a list" isOpen={open?.kind === "list"} onClose={closeGroupsDialog}>
        {open?.kind === "list" ? <PasteList initial={open.text} onClose={closeGroupsDialog} /> : null}
      </Dialog>
    </>
  );
}
