import { type FormEvent, useDeferredValue, useMemo, useState } from "react";
import { Label, TextArea, TextField } from "react-aria-components";
import { findListed } from "#shared/station/list.ts";
import { Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { useCatalogue } from "../../stores/catalogue.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { count, many } from "../../ui/text.ts";
import { closeGroupsDialog, useGroupsDialog } from "./GroupsMenu.tsx";
import { EditGroups } from "./EditGroups.tsx";
import classes from "./groups.module.css";

/** The dialogs about groups of stations, of which one is open at a time. */
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

/** Maximum number of unknown names listed in the message. */
const MAX_NAMES = 20;

/** Selects the stations of a pasted list, and reports unknown names. */
function PasteList({ initial, onClose }: { readonly initial: string; readonly onClose: () => void }) {
  const known = useCatalogue((s) => s.known);
  const [text, setText] = useState(initial);
  const settled = useDeferredValue(text);
  const { ids, missing } = useMemo(() => findListed(known, settled), [known, settled]);
  const choose = (before: readonly string[]): void => {
    selectStations([...before, ...ids]);
    onClose();
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (ids.length > 0) choose([]);
  };
  const names = missing.slice(0, MAX_NAMES).join(", ");
  const more = missing.length > MAX_NAMES ? ` and ${count(missing.length - MAX_NAMES)} more` : "";
  return (
    <form className={classes["form"]} onSubmit={onSubmit}>
      <TextField className={classes["field"]} value={text} onChange={setText} autoFocus>
        <Label>Names, ids or mount points of stations, separated by commas or lines</Label>
        <TextArea className={classes["area"]} rows={8} spellCheck="false" />
      </TextField>
      <p role="status" className={classes["found"]}>
        {text.trim() === "" ? "" : `${many(ids.length, "station")} found.`}
        {missing.length > 0 ? ` Not found: ${names}${more}.` : ""}
      </p>
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        <Button isDisabled={ids.length === 0} onPress={() => choose(useWorkspace.getState().stationIds)}>
          Add to the selection
        </Button>
        <Button type="submit" look="primary" isDisabled={ids.length === 0}>
          Select
        </Button>
      </DialogActions>
    </form>
  );
}
