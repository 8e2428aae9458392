import { useDeferredValue, useMemo, useState } from "react";
import { Label, TextArea, TextField as AriaTextField } from "react-aria-components";
import { Trash2 } from "lucide-react";
import { findListed } from "#shared/station/list.ts";
import { groupNamed } from "#shared/station/group.ts";
import { DialogActions, WindowDialog, useClose, CloseButton } from "../../ui/Dialog.tsx";
import { useCatalogue } from "../../stores/catalogue.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import { Button, IconButton, QuietButton } from "../../ui/Button.tsx";
import { firstNames, many } from "../../ui/text.ts";
import classes from "./groups.module.css";
import { chooseGroup, deleteGroup, saveGroup, useGroups } from "../../stores/groups.ts";
import { Form, TextField } from "../../ui/fields.tsx";

/** The dialogs about groups of stations. */
export function GroupsDialogs() {
  return (
    <>
      <WindowDialog kind="groups" title="Groups of stations">
        {() => <EditGroups />}
      </WindowDialog>
      <WindowDialog kind="stationList" title="Select from a list">
        {({ text }) => <PasteList initial={text} />}
      </WindowDialog>
    </>
  );
}

/** Maximum number of unknown names listed in the message. */
const MAX_NAMES = 20;

/** Selects the stations of a pasted list, and reports unknown names. */
function PasteList({ initial }: { readonly initial: string }) {
  const close = useClose();
  const known = useCatalogue((s) => s.known);
  const [text, setText] = useState(initial);
  const settled = useDeferredValue(text);
  const { ids, missing } = useMemo(() => findListed(known, settled), [known, settled]);
  const choose = (before: readonly string[]): void => {
    selectStations([...before, ...ids]);
    close();
  };
  const submit = (): void => {
    if (ids.length > 0) choose([]);
  };
  return (
    <Form className="stack gap-2" onSubmit={submit}>
      <AriaTextField className="stack gap-1 text-quiet" value={text} onChange={setText} autoFocus>
        <Label>Names, ids or mount points of stations, separated by commas or lines</Label>
        <TextArea className={classes["area"]} rows={8} spellCheck="false" />
      </AriaTextField>
      <p role="status" className="min-h-5 max-h-25 overflow-auto text-quiet wrap-anywhere">
        {text.trim() === "" ? "" : `${many(ids.length, "station")} found.`}
        {missing.length > 0 ? ` Not found: ${firstNames(missing, MAX_NAMES)}.` : ""}
      </p>
      <DialogActions>
        <CloseButton />
        <Button isDisabled={ids.length === 0} onPress={() => choose(useWorkspace.getState().stationIds)}>
          Add to the selection
        </Button>
        <Button type="submit" look="primary" isDisabled={ids.length === 0}>
          Select
        </Button>
      </DialogActions>
    </Form>
  );
}

const MAX_CHARACTERS = 60;

/** Lists the groups to select, add or delete, and saves the selection as a group. */
function EditGroups() {
  const close = useClose();
  const groups = useGroups();
  const stationIds = useWorkspace((s) => s.stationIds);
  const [name, setName] = useState("");
  const isTaken = groupNamed(groups, name) !== undefined;
  const isTooLong = name.trim().length > MAX_CHARACTERS;
  const hasChosen = stationIds.length > 0;
  const save = (): void => {
    saveGroup(name, stationIds);
    setName("");
  };
  return (
    <>
      {groups.length === 0 ? (
        <p className="caption">There are no groups yet. Select stations and enter a name.</p>
      ) : (
        <ul className="scroll max-h-[50vh] mb-3 list-none" aria-label="Groups">
          {groups.map((group) => (
            <li key={group.name} className="row gap-2 py-1.5 border-b border-line">
              <span className="truncate flex-1 min-w-0 font-medium">{group.name}</span>
              <span className="caption">{many(group.stationIds.length, "station")}</span>
              <Button
                onPress={() => {
                  chooseGroup(group);
                  close();
                }}
              >
                Select
              </Button>
              <QuietButton label="Add" onPress={() => selectStations([...stationIds, ...group.stationIds])} />
              <IconButton label={`Delete “${group.name}”`} onPress={() => deleteGroup(group)} icon={Trash2} />
            </li>
          ))}
        </ul>
      )}
      <Form
        className="stack gap-2"
        onSubmit={save}
        action={{
          label: isTaken ? "Replace" : "Save group",
          cancelLabel: "Close",
          isDisabled: name.trim() === "" || isTooLong || !hasChosen,
        }}
      >
        <TextField
          label="Name of the group"
          value={name}
          onChange={setName}
          autoComplete="off"
          hint={
            isTaken
              ? "The group with this name will be replaced."
              : hasChosen
                ? `Saves the ${many(stationIds.length, "selected station")} under this name.`
                : "Select stations first."
          }
          problem={isTooLong ? `Use at most ${MAX_CHARACTERS} characters.` : null}
        />
      </Form>
    </>
  );
}
