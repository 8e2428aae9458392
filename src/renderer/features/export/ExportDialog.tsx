import { CalendarClock, Copy, FileDown, Pencil, Trash2 } from "lucide-react";
import type { KeptExport } from "#shared/bridge/methods/export.ts";
import { downloadFor, requestAt } from "#shared/file/savedExport.ts";
import { useCommand } from "../../stores/commands.ts";
import { useIsOffline } from "../../stores/connection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button, CopyButton, Hint, IconButton, withShortcut } from "../../ui/Button.tsx";
import { Segments } from "../../ui/choices.tsx";
import { Dialog, DialogActions, CloseButton } from "../../ui/Dialog.tsx";
import { EditSaved } from "./EditSaved.tsx";
import { ExportForm } from "./ExportForm.tsx";
import { closeDialog, type ExportPage, openDialog, useDialog } from "../../stores/dialogs.ts";
import { duplicateSaved, removeSaved, runSaved, useOwnExports } from "./saved.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { NoWrapParts } from "../../ui/layout.tsx";
import { useCost } from "../fetch/useEstimate.ts";
import { fetchWords } from "../fetch/labels.ts";
import { stationWords } from "../jobs/labels.ts";
import { scheduleSaved } from "../schedules/draft.ts";
import { savedWords } from "./formats.ts";

/** Opens the export dialog: for the selection, or without one for the saved exports. */
export function ExportButton() {
  const hasStations = useWorkspace((s) => s.stationIds.length > 0);
  const saved = useOwnExports();
  const isEnabled = hasStations || saved.length > 0;
  const open = (): void =>
    openDialog({ kind: "export", ...(hasStations ? { page: "new" } : { page: "saved", focus: null }) });
  useCommand("export", open, isEnabled);
  return (
    <Hint text={withShortcut("Write to a file", "export")}>
      <Button isDisabled={!isEnabled} onPress={open} icon={FileDown}>
        Export
      </Button>
    </Hint>
  );
}

function closeExport(): void {
  closeDialog("export");
}

function showSaved(): void {
  openDialog({ kind: "export", page: "saved", focus: null });
}

/** The dialog that exports the selection, and saves, edits and repeats exports. */
export function ExportDialog() {
  const page = useDialog("export");
  const edited = page?.page === "edit" ? page : null;
  // A new export has no name yet. Its settings are restored when the user returns from the form that saves.
  const cancel = (): void =>
    edited?.saved.name === "" ? openDialog({ kind: "export", page: "new", previous: edited.saved }) : showSaved();
  return (
    <>
      <Dialog title="Export" isOpen={page !== null && edited === null} onClose={closeExport} wide>
        {page?.page === "new" || page?.page === "saved" ? <Pages {...page} /> : null}
      </Dialog>
      <Dialog
        title={edited?.name === null ? "Save an export" : "Edit the saved export"}
        isOpen={edited !== null}
        onClose={cancel}
        wide
      >
        {edited ? <EditSaved name={edited.name} saved={edited.saved} onDone={showSaved} /> : null}
      </Dialog>
    </>
  );
}

function Pages(page: Exclude<ExportPage, { readonly page: "edit" }>) {
  const count = useOwnExports().length;
  const hasStations = useWorkspace((s) => s.stationIds.length > 0);
  const choices = [
    { value: "new", label: "This selection" },
    { value: "saved", label: count === 0 ? "Saved exports" : `Saved exports · ${count}` },
  ] as const;
  return (
    <>
      {hasStations ? (
        <div className="flex">
          <Segments
            label="What to export"
            choices={choices}
            value={page.page}
            onChange={(value) => (value === "saved" ? showSaved() : openDialog({ kind: "export", page: "new" }))}
          />
        </div>
      ) : null}
      {page.page === "saved" ? <SavedList /> : <ExportForm previous={page.previous ?? null} />}
    </>
  );
}

/** The saved exports of the open connection. */
function SavedList() {
  const saved = useOwnExports();
  const page = useDialog("export");
  const focus = page?.page === "saved" ? page.focus : null;
  return (
    <>
      {saved.length === 0 ? (
        <p className="text-quiet wrap-anywhere">No exports are saved. Configure one, then press “Save this export…”.</p>
      ) : (
        <ul className="scroll max-h-[52vh] list-none" aria-label="Saved exports">
          {saved.map((one) => (
            <SavedItem key={one.name} saved={one} hasFocus={one.name === focus} />
          ))}
        </ul>
      )}
      <DialogActions>
        {saved.length === 0 ? null : (
          <p className="flex gap-2 mr-auto text-quiet wrap-anywhere">
            The command writes to the current folder. Use --out to choose another one.
          </p>
        )}
        <CloseButton>Close</CloseButton>
      </DialogActions>
    </>
  );
}

/** A saved export with its command line and buttons to run, schedule, edit, duplicate and remove it. */
function SavedItem({ saved, hasFocus }: { readonly saved: KeptExport; readonly hasFocus: boolean }) {
  const { name, command, stationIds } = saved;
  const byId = useCatalogue((s) => s.byId);
  const nowMs = useNowMs();
  const isOffline = useIsOffline();
  const estimate = useCost(downloadFor(requestAt(saved, nowMs)));
  const run = (): void => {
    closeExport();
    void runSaved(saved, estimate !== null);
  };
  return (
    <li className="row flex-wrap gap-1 py-2 border-b border-line">
      <div className="stack flex-1 min-w-[240px]">
        <strong className="wrap-anywhere">{name}</strong>
        <span className="text-quiet wrap-anywhere">
          <NoWrapParts text={`${stationWords(byId, stationIds)} · ${savedWords(saved)}`} separator=" · " />
        </span>
      </div>
      <Button autoFocus={hasFocus} onPress={run}>
        <span>
          {estimate ? `${fetchWords(estimate, isOffline)}, then write` : "Run"}
          <span className="visually-hidden"> “{name}”</span>
        </span>
      </Button>
      <IconButton
        label={`Schedule “${name}”`}
        onPress={() => {
          closeExport();
          scheduleSaved(saved);
        }}
        icon={CalendarClock}
      />
      <IconButton
        label={`Edit “${name}”`}
        onPress={() => openDialog({ kind: "export", page: "edit", name, saved })}
        icon={Pencil}
      />
      <IconButton label={`Duplicate “${name}”`} onPress={() => void duplicateSaved(saved)} icon={Copy} />
      <IconButton label={`Remove “${name}”`} onPress={() => void removeSaved(saved)} icon={Trash2} />
      <div className="row basis-full gap-2">
        <code className="caption flex-1 px-2 py-1 rounded-box bg-surface-2 wrap-anywhere select-all">{command}</code>
        <CopyButton text={() => command}>
          Copy<span className="visually-hidden"> the command of “{name}”</span>
        </CopyButton>
      </div>
    </li>
  );
}
