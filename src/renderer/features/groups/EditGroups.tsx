import { Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { groupNamed } from "#shared/station/group.ts";
import { chooseGroup, deleteGroup, saveGroup, useGroups } from "../../stores/groups.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { DialogActions } from "../../ui/Dialog.tsx";
import { TextField } from "../../ui/fields.tsx";
import { many } from "../../ui/text.ts";
import classes from "./groups.module.css";

const MAX_CHARACTERS = 60;

/** Lists the groups to select, add or delete, and saves the selection as a group. */
export function EditGroups({ onClose }: { readonly onClose: () => void }) {
  const groups = useGroups();
  const stationIds = useWorkspace((s) => s.stationIds);
  const [name, setName] = useState("");
  const isTaken = groupNamed(groups, name) !== undefined;
  const isTooLong = name.trim().length > MAX_CHARACTERS;
  const hasChosen = stationIds.length > 0;
  const save = (event: FormEvent): void => {
    event.preventDefault();
    saveGroup(name, stationIds);
    setName("");
  };
  return (
    <>
      {groups.length === 0 ? (
        <p className="caption">There are no groups yet. Select stations and enter a name.</p>
      ) : (
        <ul className={classes["list"]} aria-label="Groups">
          {groups.map((group) => (
            <li key={group.name} className={classes["item"]}>
              <span className={classes["name"]}>{group.name}</span>
              <span className="caption">{many(group.stationIds.length, "station")}</span>
              <Button
                onPress={() => {
                  chooseGroup(group);
                  onClose();
                }}
              >
                Select
              </Button>
              <Button look="quiet" onPress={() => selectStations([...stationIds, ...group.stationIds])}>
                Add
              </Button>
              <IconButton label={`Delete “${group.name}”`} onPress={() => deleteGroup(group)}>
                <Trash2 aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <form className={classes["form"]} onSubmit={save}>
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
        <DialogActions>
          <Button onPress={onClose}>Close</Button>
          <Button type="submit" look="primary" isDisabled={name.trim() === "" || isTooLong || !hasChosen}>
            {isTaken ? "Replace" : "Save group"}
          </Button>
        </DialogActions>
      </form>
    </>
  );
}
