import { Pencil, Share, Trash2 } from "lucide-react";
import { useState } from "react";
import { movingText } from "#shared/time/typed.ts";
import type { SavedView } from "#shared/views/view.ts";
import { bridge } from "../../bridge/index.ts";
import { useWorkProgress } from "../../stores/work.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { Dialog, DialogActions, CloseButton } from "../../ui/Dialog.tsx";
import { OneFieldForm } from "../../ui/OneField.tsx";
import { Progress } from "../../ui/notes.tsx";
import { many } from "../../ui/text.ts";
import { rangeText } from "../range/labels.ts";
import { deleteDamaged, deleteView, saveView, showView } from "./actions.ts";
import { chooseFile } from "./files.ts";
import { ShareDialog } from "./ShareDialog.tsx";
import { closeDialog, type DialogOf, openDialog, useDialog } from "../../stores/dialogs.ts";
import { useDamagedViews, useViews } from "./store.ts";

/** Lists the saved views to show, rename, share or delete. */
function ManageViews() {
  const views = useViews();
  const damaged = useDamagedViews();
  return (
    <>
      {views.length === 0 && damaged.length === 0 ? (
        <p className="caption">No views are saved. Save one from the menu of views, or open a file from a colleague.</p>
      ) : (
        <ul className="scroll max-h-[60vh] mb-3 list-none" aria-label="Saved views">
          {views.map((view) => (
            <ViewItem key={view.name} view={view} />
          ))}
          {damaged.map((name) => (
            <DamagedItem key={`damaged ${name}`} name={name} />
          ))}
        </ul>
      )}
      <p className="caption">A shared file contains views and optionally their data, but never the key.</p>
      <DialogActions>
        <Button onPress={() => void chooseFile()}>Open a file…</Button>
        <Button
          isDisabled={views.length === 0}
          onPress={() => openDialog({ kind: "views", page: "share", names: views.map((v) => v.name) })}
        >
          Share all…
        </Button>
        <CloseButton>Close</CloseButton>
      </DialogActions>
    </>
  );
}

function DamagedItem({ name }: { readonly name: string }) {
  return (
    <li className="row gap-1 py-1.5 border-b border-line">
      <div className="stack flex-1 min-w-0">
        <span className="truncate font-medium">{name}</span>
        <span className="text-danger text-small">
          This view is damaged or from a newer version and cannot be read. It is kept until you delete it.
        </span>
      </div>
      <IconButton label={`Delete “${name}”`} onPress={() => deleteDamaged(name)} icon={Trash2} />
    </li>
  );
}

function ViewItem({ view }: { readonly view: SavedView }) {
  const { name, workspace } = view;
  const open = (): void => {
    closeViews();
    void showView(view);
  };
  return (
    <li className="row gap-1 py-1.5 border-b border-line">
      <div className="stack flex-1 min-w-0">
        <span className="truncate font-medium">{name}</span>
        <span className="caption">
          {many(workspace.stationIds.length, "station")} ·{" "}
          {workspace.moving ? movingText(workspace.moving) : rangeText(workspace.range)}
        </span>
      </div>
      <Button onPress={open}>Show</Button>
      <IconButton
        label={`Rename “${name}”`}
        onPress={() => openDialog({ kind: "views", page: "rename", view })}
        icon={Pencil}
      />
      <IconButton
        label={`Share “${name}” as a file`}
        onPress={() => openDialog({ kind: "views", page: "share", names: [name] })}
        icon={Share}
      />
      <IconButton label={`Delete “${name}”`} onPress={() => void deleteView(view)} icon={Trash2} />
    </li>
  );
}

const MAX_CHARACTERS = 100;

const NAME = {
  label: "Name",
  read: (text: string) => (text === "" || text.length > MAX_CHARACTERS ? null : text),
  problem: `Use at most ${MAX_CHARACTERS} characters.`,
};

/** Saves the current view under a name; replacing one can be undone. */
function SaveForm() {
  const [name, setName] = useState("");
  const isTaken = useViews().some((view) => view.name === name.trim());
  return (
    <OneFieldForm
      {...NAME}
      action={isTaken ? "Replace" : "Save"}
      hint={
        isTaken
          ? "A view with this name exists and will be replaced. You can undo that."
          : "Saves the stations, the time range, the variables and the settings of each screen."
      }
      onChange={setName}
      onSubmit={saveView}
    />
  );
}

function closeViews(): void {
  closeDialog("views");
}

function manage(): void {
  openDialog({ kind: "views", page: "manage" });
}

/** The dialogs about saved views, of which one is open at a time. */
export function ViewsDialogs() {
  const dialog = useDialog("views");
  const shared = dialog?.page === "share" ? dialog.names : null;
  const opening = dialog?.page === "opening" ? dialog : null;
  const renamed = dialog?.page === "rename" ? dialog.view : null;
  return (
    <>
      <Dialog title="Save this view" isOpen={dialog?.page === "save"} onClose={closeViews}>
        <SaveForm />
      </Dialog>
      <Dialog title="Saved views" isOpen={dialog?.page === "manage"} onClose={closeViews} wide>
        <ManageViews />
      </Dialog>
      <Dialog title="Share with a colleague" isOpen={shared !== null} onClose={closeViews}>
        {shared ? <ShareDialog names={shared} /> : null}
      </Dialog>
      <Dialog title="Opening a session" isOpen={opening !== null} onClose={() => opening?.stop()}>
        {opening ? <Opening dialog={opening} /> : null}
      </Dialog>
      <Dialog title="Rename the view" isOpen={renamed !== null} onClose={manage}>
        {renamed ? (
          <OneFieldForm
            {...NAME}
            initial={renamed.name}
            action="Rename"
            onSubmit={(to) => bridge.views.rename({ name: renamed.name, to })}
          />
        ) : null}
      </Dialog>
    </>
  );
}

/** The progress of opening a session with data. */
function Opening({ dialog }: { readonly dialog: Extract<DialogOf<"views">, { readonly page: "opening" }> }) {
  const share = useWorkProgress(dialog.workId);
  return (
    <>
      <Progress label="Opening" share={share} text={`Reading ${dialog.name} and checking every row.`} />
      <DialogActions>
        <Button autoFocus onPress={dialog.stop}>
          Stop
        </Button>
      </DialogActions>
    </>
  );
}
