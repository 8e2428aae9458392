import { useEffect } from "react";
import type { ExportTask } from "#shared/bridge/methods/export.ts";
import { download } from "../../bridge/files.ts";
import { bridge } from "../../bridge/index.ts";
import { capabilitiesNow } from "../../stores/capabilities.ts";
import { orShowFault, showFault, showToast, type Toast } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { bytes, many } from "../../ui/text.ts";
import { retryExport, startedHere } from "./startExport.ts";

/** Shows a written file in the system's file manager. */
export async function showFile(path: string): Promise<void> {
  await orShowFault(bridge.system.showInFolder({ path }));
}

/** Shows a message at the end of every export, with a button that leads to its file. */
export function useExportToasts(): void {
  useEffect(() => {
    const ended = new Set<string>();
    return bridge.on("exportChanged", (task) => {
      // One that is tried again ends again.
      if (task.state === "running") ended.delete(task.id);
      if (ended.has(task.id)) return;
      if (task.state === "finished" || task.state === "failed") ended.add(task.id);
      if (task.state === "failed" && task.fault)
        showFault(task.fault, { label: "Try again", run: () => retryExport(task) });
      if (task.state !== "finished" || !task.report) return;
      if (startedHere.delete(task.id)) void saveMain(task);
      if (task.figure?.ok === false) showToast(`The figure was not saved. ${task.figure.error.message}`, null, "fault");
      showToast(finishedText(task), fileAction(task));
    });
  }, []);
}

/**
 * Saves the first file and the figure. A browser asks once whether a page may save several files; the others, such as the
 * description, are in the drawer.
 */
async function saveMain({ downloads, figure }: ExportTask): Promise<void> {
  const [first] = downloads;
  const drawn = figure?.ok ? downloads.at(-1) : undefined;
  for (const file of [first, drawn]) if (file) await download(file.href, file.name);
}

function finishedText({ report }: ExportTask): string {
  const size = report?.files.reduce((sum, f) => sum + f.bytes, 0) ?? 0;
  return `The export is finished: ${many(report?.rows ?? 0, "row")}, ${bytes(size)}.`;
}

function fileAction({ report, downloads }: ExportTask): Toast["action"] {
  const path = report?.files[0]?.path;
  if (capabilitiesNow().showInFolder && path !== undefined)
    return { label: "Show in folder", run: () => void showFile(path) };
  if (downloads.length === 0) return null;
  return { label: "Show files", run: () => useWorkspace.setState({ isDrawerOpen: true }) };
}
