import { Pencil, Share, Trash2 } from "lucide-react";
import type { SavedView } from "#shared/views/view.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { DialogActions } from "../../ui/Dialog.tsx";
import { many, utcMinutes } from "../../ui/text.ts";
import { deleteDamaged, deleteView, showView } from "./actions.ts";
import { chooseFile } from "./files.ts";
import { openViewsDialog, useViews } from "./store.ts";
import classes from "./views.module.css";

/** Lists the saved views to show, rename, share or delete. */
export function ManageViews({ onClose }: { readonly onClose: () => void }) {
  const views = useViews((s) => s.views);
  const damaged = useViews((s) => s.damaged);
  return (
    <>
      {views.length === 0 && damaged.length === 0 ? (
        <p className={classes["quiet"]}>
          No views are saved. Save one from the menu of views, or open a file with views.
        </p>
      ) : (
        <ul className={classes["list"]} aria-label="Saved views">
          {views.map((view) => (
            <ViewItem key={view.name} view={view} onClose={onClose} />
          ))}
          {damaged.map((name) => (
            <DamagedItem key={`damaged ${name}`} name={name} />
          ))}
        </ul>
      )}
      <p className={classes["quiet"]}>A shared file contains views and optionally their data, but never the key.</p>
      <DialogActions>
        <Button onPress={() => void chooseFile()}>Open a file…</Button>
        <Button
          isDisabled={views.length === 0}
          onPress={() => openViewsDialog({ kind: "share", names: views.map((v) => v.name) })}
        >
          Share all…
        </Button>
        <Button onPress={onClose}>Close</Button>
      </DialogActions>
    </>
  );
}

function DamagedItem({ name }: { readonly name: string }) {
  return (
    <li className={classes["item"]}>
      <div className={classes["what"]}>
        <span className={classes["name"]}>{name}</span>
        <span className={classes["bad"]}>
          This view is damaged or from a newer version and cannot be read. It is kept until you delete it.
        </span>
      </div>
      <IconButton label={`Delete “${name}”`} onPress={() => deleteDamaged(name)}>
        <Trash2 aria-hidden />
      </IconButton>
    </li>
  );
}

function ViewItem({ view, onClose }: { readonly view: SavedView; readonly onClose: () => void }) {
  const { name, workspace } = view;
  const { startMs, endMs } = workspace.range;
  const open = (): void => {
    onClose();
    void showView(view);
  };
  return (
    <li className={classes["item"]}>
      <div className={classes["what"]}>
        <span className={classes["name"]}>{name}</span>
        <span className={classes["quiet"]}>
          {many(workspace.stationIds.length, "station")} · {utcMinutes(startMs)} to {utcMinutes(endMs)} UTC
        </span>
      </div>
      <Button onPress={open}>Show</Button>
      <IconButton label={`Rename “${name}”`} onPress={() => openViewsDialog({ kind: "rename", view })}>
        <Pencil aria-hidden />
      </IconButton>
      <IconButton label={`Share “${name}” as a file`} onPress={() => openViewsDialog({ kind: "share", names: [name] })}>
        <Share aria-hidden />
      </IconButton>
      <IconButton label={`Delete “${name}”`} onPress={() => void deleteView(view)}>
        <Trash2 aria-hidden />
      </IconButton>
    </li>
  );
}
