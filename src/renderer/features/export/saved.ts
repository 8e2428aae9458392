import type { KeptExport } from "#shared/bridge/methods/export.ts";
import type { Capabilities } from "#shared/bridge/methods/system.ts";
import type { AppFault } from "#shared/fault.ts";
import { withExtension } from "#shared/file/fileName.ts";
import { exportFileName } from "#shared/file/names.ts";
import { downloadFor, requestAt, type SavedExport } from "#shared/file/savedExport.ts";
import { readSeriesFigure, type SeriesReader } from "#shared/plot/figure/seriesFigure.ts";
import type { Result } from "#shared/service/error.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { freeName } from "#shared/views/view.ts";
import { savedExportsOf } from "../../ask/questions.ts";
import { useAsk } from "../../ask/useAsk.ts";
import { bridge } from "../../bridge/index.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useConnection, useConnectionId } from "../../stores/connection.ts";
import { inPlotOrder } from "../../stores/groups.ts";
import { saveBlob } from "../../stores/saveBlob.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { orShowFault, showFault, showToast, type Toast } from "../../stores/toasts.ts";
import { figureWithSavedSettings } from "../figure/write.ts";
import { destinationOf, startedHere } from "./startExport.ts";

/** Functions that save the figure of a run of this window, by the id of the run. */
const pendingFigures = new Map<string, () => Promise<void>>();

/** Remembers that a run is to be followed by its figure. */
function awaitFigure(taskId: string, saved: SavedExport, startedMs: UtcMs): void {
  if (saved.figure) pendingFigures.set(taskId, () => saveFigureOf(saved, startedMs));
}

/** Called at the end of a run: if it succeeded, saves its figure, drawn from the cache. */
export async function saveFigureAfter(taskId: string, hasSucceeded: boolean): Promise<void> {
  const save = pendingFigures.get(taskId);
  pendingFigures.delete(taskId);
  if (hasSucceeded) await save?.();
}

async function saveFigureOf(saved: SavedExport, nowMs: UtcMs): Promise<void> {
  const { connectionId, stationIds, variables, intervalSeconds, raw, resampled, zone } = saved;
  const { range } = requestAt(saved, nowMs);
  const mode = { intervalSeconds, raw, resampled, zone };
  const reader: SeriesReader = {
    window: (query) => bridge.series.window({ ...query, connectionId }),
    gaps: (query) => bridge.series.gaps({ ...query, connectionId }),
  };
  const { byId } = useCatalogue.getState();
  const inOrder = inPlotOrder(stationIds);
  const source = await readSeriesFigure(reader, { stationIds: inOrder, variables, range, mode }, (id) =>
    stationName(byId, id),
  );
  if (!source.ok) return showFault(source.error);
  try {
    const { file, format } = await figureWithSavedSettings(source.value);
    saveBlob(file, withExtension(fileNameNow(saved, nowMs), format));
  } catch (fault) {
    showToast(`The figure of “${saved.name}” was not saved. ${fault instanceof Error ? fault.message : ""}`.trim());
  }
}

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

/** Maximum length of a proposed name, with room for a number. */
const MAX_PROPOSED_LENGTH = 50;

/** Saves an export under its name. Replacing one can be undone. */
export async function saveExport(saved: SavedExport): Promise<Result<unknown, AppFault>> {
  const answer = await bridge.export.save({ saved });
  if (!answer.ok) return answer;
  const replaced = answer.value;
  if (replaced === null) showToast(`“${saved.name}” is saved.`);
  else showToast(`“${saved.name}” is saved and replaces the earlier one.`, undoBySaving(replaced, saved));
  return answer;
}

/** Saves an earlier export in place of the one that this window saved, unless another window has changed it meanwhile. */
function undoBySaving(saved: SavedExport, replaces: SavedExport | null): Toast["action"] {
  return { label: "Undo", run: () => void orShowFault(bridge.export.save({ saved, replaces })) };
}

/** Removes a saved export, which can be undone. The files that it wrote remain. */
export async function removeSaved(saved: KeptExport): Promise<void> {
  const answer = await orShowFault(bridge.export.removeSaved({ name: saved.name }));
  if (answer.ok) showToast(`“${saved.name}” is removed.`, undoBySaving(saved, null));
}

/** Saves an edited export, which can be undone. */
export async function changeSaved(before: SavedExport, edited: SavedExport): Promise<Result<unknown, AppFault>> {
  const answer = await bridge.export.edit({ before, saved: edited });
  if (!answer.ok) return answer;
  const { saved, replaced } = answer.value;
  showToast(`“${saved.name}” is saved.`, undoBySaving(replaced, saved));
  return answer;
}

/** Opens the form with a copy, which is only kept once it is saved. */
export async function duplicateSaved({ command: _command, ...saved }: KeptExport): Promise<void> {
  const kept = await bridge.export.saved({});
  const taken = new Set(kept.ok ? kept.value.map((one) => one.name) : []);
  const name = freeName(saved.name.slice(0, MAX_PROPOSED_LENGTH), taken);
  openDialog({ kind: "export", page: "edit", name: null, saved: { ...saved, name } });
}

/** Asks for a destination if the shell can, downloads missing data and writes the file. Closing the window does not stop it. */
export async function runSaved(saved: KeptExport, fetches: boolean, capabilities: Capabilities): Promise<void> {
  const { name, format } = saved;
  const nowMs = Date.now();
  const destination = await destinationOf(fileNameNow(saved, nowMs), format, capabilities);
  if (destination === null) return;
  const answer = await orShowFault(bridge.export.repeat({ name, destination }));
  if (!answer.ok) return;
  if (fetches) showToast(`Downloading missing data, then writing “${name}”.`);
  if (destination.kind === "download") startedHere.add(answer.value.id);
  awaitFigure(answer.value.id, saved, nowMs);
}

/** Runs a saved export if its data are cached; otherwise calls `show`, so that the user sees the cost first. */
export async function runOrShow(saved: KeptExport, capabilities: Capabilities, show: () => void): Promise<void> {
  const spec = downloadFor(requestAt(saved, Date.now()));
  const answer = await bridge.jobs.estimate({ connectionId: saved.connectionId, spec });
  if (answer.ok && answer.value.pointsToFetch === 0) await runSaved(saved, false, capabilities);
  else show();
}
