import { useMemo } from "react";
import { usePane, useWorkspace } from "../../stores/workspace.ts";
import type { Workspace } from "../../stores/workspaceSchema.ts";
import { showToast } from "../../stores/toasts.ts";
import { MAX_FILE_LINES, type ShownSeries, shownOf, withShown } from "./fileSeries.ts";
import { useFiles } from "./store.ts";

const PANE = "files.shown";

function readShown(kept: unknown): readonly string[] {
  return Array.isArray(kept) ? kept.filter((id) => typeof id === "string") : [];
}

export function shownIn(workspace: Workspace): readonly ShownSeries[] {
  return shownOf(useFiles.getState().files, readShown(workspace.panes[PANE]));
}

export function useShownSeries(): readonly ShownSeries[] {
  const files = useFiles((s) => s.files);
  const [ticked] = usePane(PANE, readShown);
  const key = ticked.join("\n");
  return useMemo(() => shownOf(files, key === "" ? [] : key.split("\n")), [files, key]);
}

/** Adds series to the plot, and says so if some do not fit. */
export function addSeries(lineIds: readonly string[]): void {
  const { shown, leftOut } = withShown(drawnIds(), lineIds);
  setPane(shown);
  if (leftOut > 0)
    showToast(
      `At most ${MAX_FILE_LINES} series of files are drawn, so ${leftOut === 1 ? "one was" : `${leftOut} were`} not added. Remove some from the plot first.`,
    );
}

export function removeSeries(lineId: string): void {
  setPane(drawnIds().filter((id) => id !== lineId));
}

function drawnIds(): readonly string[] {
  return shownIn(useWorkspace.getState()).map(({ lineId }) => lineId);
}

function setPane(lineIds: readonly string[]): void {
  useWorkspace.setState(({ panes }) => ({ panes: { ...panes, [PANE]: lineIds } }));
}
