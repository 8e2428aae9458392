import type { KeptExport } from "#shared/bridge/methods/export.ts";
import type { AppFault } from "#shared/fault.ts";
import { FORMATS } from "#shared/file/formats.ts";
import { exportFileName } from "#shared/file/names.ts";
import { downloadFor, MAX_NAME_LENGTH, requestAt, type SavedExport } from "#shared/file/savedExport.ts";
import type { Result } from "#shared/service/error.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { freeName } from "#shared/views/view.ts";
import { savedExportsOf } from "../../ask/questions.ts";
import { useAsk } from "../../ask/useAsk.ts";
import { bridge } from "../../bridge/index.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useConnection, useConnectionId } from "../../stores/connection.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { orShowFault, showToast, type Toast } from "../../stores/toasts.ts";
import { destinationOf, startedHere } from "./startExport.ts";

/** Returns the file name for a run now; empty if this version cannot read the template. */
export function fileNameNow(saved: SavedExport, nowMs: UtcMs): string {
  const answer = exportFileName(saved.template, {
    request: requestAt(saved, nowMs),
    stations: useCatalogue.getState().byId,
    connectionName: useConnection.getState().current?.info.name ?? "",
    exportName: saved.name,
  });
  return answer.ok ? answer.value : "";
}

const NONE: readonly KeptExport[] = [];

/** Returns the saved exports of all connections, sorted by name; none until they are known. */
export function useSavedExports(): readonly KeptExport[] {
  return useAsk(savedExportsOf, {}, { delayMs: 0 }).value ?? NONE;
}

/** Returns the saved exports of the open connection. */
export function useOwnExports(): readonly KeptExport[] {
  const connectionId = useConnectionId();
  return useSavedExports().filter((saved) => saved.connectionId === connectionId);
}

/** Saves an export under its name. Replacing one can be undone. */
export async function saveExport(saved: SavedExport): Promise<Result<unknown, AppFault>> {
  const answer = await bridge.export.save({ saved });
  if (!answer.ok) return answer;
  const replaced = answer.value;
  if (replaced === null) showToast(`“${saved.name}” was saved.`);
  else showToast(`“${saved.name}” was saved in place of the earlier one.`, undoBySaving(replaced, saved));
  return answer;
}

/** Saves an earlier export in place of the one that this window saved, unless another window has changed it meanwhile. */
function undoBySaving(saved: SavedExport, replaces: SavedExport | null): Toast["action"] {
  return { label: "Undo", run: () => void orShowFault(bridge.export.save({ saved, replaces })) };
}

/** Removes a saved export, which can be undone. The files that it wrote remain. */
export async function removeSaved(saved: KeptExport): Promise<void> {
  const answer = await orShowFault(bridge.export.removeSaved({ name: saved.name }));
  if (answer.ok) showToast(`“${saved.name}” was removed.`, undoBySaving(saved, null));
}

/** Saves an edited export, which can be undone. */
export async function changeSaved(before: SavedExport, edited: SavedExport): Promise<Result<unknown, AppFault>> {
  const answer = await bridge.export.edit({ before, saved: edited });
  if (!answer.ok) return answer;
  const { saved, replaced } = answer.value;
  showToast(`“${saved.name}” was saved.`, undoBySaving(replaced, saved));
  return answer;
}

/** Opens the form with a copy, which is only kept once it is saved. */
export async function duplicateSaved({ command: _command, ...saved }: KeptExport): Promise<void> {
  const kept = await bridge.export.saved({});
  const taken = new Set(kept.ok ? kept.value.map((one) => one.name) : []);
  const name = freeName(saved.name, taken, MAX_NAME_LENGTH);
  openDialog({ kind: "export", page: "edit", name: null, saved: { ...saved, name } });
}

/** Asks for a destination if the shell can, downloads missing data and writes the file. Closing the window does not stop it. */
export async function runSaved(saved: KeptExport, fetches: boolean): Promise<void> {
  const { name, format } = saved;
  const destination = await destinationOf(fileNameNow(saved, Date.now()), FORMATS[format].extension);
  if (destination === null) return;
  const answer = await orShowFault(bridge.export.repeat({ name, destination }));
  if (!answer.ok) return;
  if (fetches) showToast(`Downloading missing data, then writing “${name}”.`);
  if (destination.kind === "download") startedHere.add(answer.value.id);
}

/** Runs a saved export if its data are cached; otherwise calls `show`, so that the user sees the cost first. */
export async function runOrShow(saved: KeptExport, show: () => void): Promise<void> {
  const spec = downloadFor(requestAt(saved, Date.now()));
  const answer = await bridge.jobs.estimate({ connectionId: saved.connectionId, spec });
  if (answer.ok && answer.value.pointsToFetch === 0) await runSaved(saved, false);
  else show();
}
