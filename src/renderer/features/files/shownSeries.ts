import { useMemo } from "react";
import { usePane, useWorkspace } from "../../stores/workspace.ts";
import type { Workspace } from "../../stores/workspaceSchema.ts";
import { MAX_FILE_LINES, type ShownSeries, shownOf } from "./fileSeries.ts";
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

/** Adds series to the plot, or removes them. */
export function setSeriesShown(lineIds: readonly string[], isShown: boolean): void {
  useWorkspace.setState((s) => {
    const open = shownIn(s).map(({ lineId }) => lineId);
    const kept = open.filter((id) => !lineIds.includes(id));
    return { panes: { ...s.panes, [PANE]: isShown ? [...kept, ...lineIds].slice(-MAX_FILE_LINES) : kept } };
  });
}
