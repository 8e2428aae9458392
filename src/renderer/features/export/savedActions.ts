import type { KeptExport } from "#shared/bridge/methods/export.ts";
import type { Capabilities } from "#shared/bridge/methods/system.ts";
import type { AppFault } from "#shared/fault.ts";
import { neededFor, requestAt, type SavedExport } from "#shared/file/savedExport.ts";
import { freeName } from "#shared/views/freeName.ts";
import { bridge } from "../../bridge/index.ts";
import { showFault, showToast } from "../../stores/toasts.ts";
import { openExportPage, useExports } from "./saved.ts";
import { awaitFigure, fileNameNow } from "./savedFigure.ts";
import { destinationOf, startedHere } from "./startExport.ts";

/** Leaves room for a number. */
const MOST_NAME = 50;

/** Keeps an export under its name; one that is replaced can be brought back. @returns why not, or null */
export async function saveExport(saved: SavedExport): Promise<AppFault | null> {
  const answer = await bridge.export.save({ saved });
  if (!answer.ok) return answer.error;
  const replaced = answer.value;
  if (replaced === null) showToast(`“${saved.name}” is saved.`);
  else
    showToast(`“${saved.name}” is saved and replaces the earlier one.`, {
      label: "Undo",
      run: () => void bringBack(replaced),
    });
  return null;
}

async function bringBack(saved: SavedExport): Promise<void> {
  const answer = await bridge.export.save({ saved });
  if (!answer.ok) showFault(answer.error);
}

/** Removes one; it can be brought back for a while. Files that it wrote stay. */
export async function removeSaved(saved: KeptExport): Promise<void> {
  const answer = await bridge.export.removeSaved({ name: saved.name });
  if (!answer.ok) return showFault(answer.error);
  showToast(`“${saved.name}” is removed.`, { label: "Undo", run: () => void bringBack(saved) });
}

/** Keeps a changed one, under another name where it got one. @returns why not, or null */
export async function changeSaved(name: string, saved: SavedExport): Promise<AppFault | null> {
  if (name !== saved.name) {
    const renamed = await bridge.export.renameSaved({ name, to: saved.name });
    if (!renamed.ok) return renamed.error;
  }
  return saveExport(saved);
}

/** Opens the form with a copy of one, which is kept when it is saved. */
export function duplicateSaved({ command: _command, ...saved }: KeptExport): void {
  const taken = new Set(useExports.getState().saved.map((one) => one.name));
  const name = freeName(saved.name.slice(0, MOST_NAME), taken);
  openExportPage({ kind: "edit", name: null, saved: { ...saved, name } });
}

/** Asks for a place where the shell can, brings what is missing, and writes. It goes on when the window closes. */
export async function runSaved(saved: KeptExport, fetches: boolean, capabilities: Capabilities): Promise<void> {
  const { name, format } = saved;
  const nowMs = Date.now();
  const destination = await destinationOf(fileNameNow(saved, nowMs), format, capabilities);
  if (destination === null) return;
  if (fetches) showToast(`Downloading missing data, then writing “${name}”.`);
  const answer = await bridge.export.repeat({ name, destination });
  if (!answer.ok) return showFault(answer.error);
  if (destination.kind === "download") startedHere.add(answer.value.id);
  awaitFigure(answer.value.id, saved, nowMs);
}

/** Runs one at once where nothing has to be fetched for it; else shows what that costs, with the button that does it. */
export async function runOrShow(saved: KeptExport, capabilities: Capabilities, show: () => void): Promise<void> {
  const spec = neededFor(requestAt(saved, Date.now()));
  const answer = await bridge.jobs.estimate({ connectionId: saved.connectionId, spec });
  if (answer.ok && answer.value.pointsToFetch === 0) await runSaved(saved, false, capabilities);
  else show();
}
