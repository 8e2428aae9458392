import { useMemo } from "react";
import { z } from "zod";
import type { Bridge } from "#shared/bridge/contract.ts";
import type { FileWindow } from "#shared/bridge/methods/files.ts";
import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import { success } from "#shared/service/error.ts";
import { bridge } from "../../bridge/index.ts";
import { showToast } from "../../stores/toasts.ts";
import { useWorkspace, type Workspace } from "../../stores/workspace.ts";
import type { SeriesQuery } from "../series/query.ts";
import { FILE_VARIABLE, MAX_FILE_LINES, parseLineId, shownOf, type ShownSeries, withShown } from "./fileLines.ts";
import { useFiles } from "./store.ts";
import { pane, usePane } from "../../stores/pane.ts";

/** Ids of the drawn series. */
const SHOWN = pane("files.shown", z.array(z.string()).readonly().catch([]));

function shownIn(workspace: Workspace): readonly ShownSeries[] {
  return shownOf(useFiles.getState().files, SHOWN.of(workspace));
}

export function useShownSeries(): readonly ShownSeries[] {
  const files = useFiles((s) => s.files);
  const [ticked] = usePane(SHOWN);
  return useMemo(() => shownOf(files, ticked), [files, ticked]);
}

/** Adds series to the plot, and says so if some do not fit. */
export function addSeries(lineIds: readonly string[]): void {
  const { shown, leftOut } = withShown(drawnIds(), lineIds);
  SHOWN.set(shown);
  if (leftOut > 0)
    showToast(
      `At most ${MAX_FILE_LINES} series of files are drawn, so ${leftOut === 1 ? "one was" : `${leftOut} were`} not added. Remove some from the plot first.`,
    );
}

export function removeSeries(lineIds: readonly string[]): void {
  SHOWN.set(drawnIds().filter((id) => !lineIds.includes(id)));
}

function drawnIds(): readonly string[] {
  return shownIn(useWorkspace.getState()).map(({ lineId }) => lineId);
}

/** Returns the query for the drawn series of open files; null if there are none. */
export function fileQueryOf(workspace: Workspace): SeriesQuery | null {
  const stationIds = shownIn(workspace).map(({ lineId }) => lineId);
  if (stationIds.length === 0) return null;
  const mode = { intervalSeconds: null, raw: false, resampled: false };
  return { connectionId: "files", stationIds, variables: [FILE_VARIABLE], mode };
}

/** Reads windows of file series through the same interface as windows of stations; the station ids are line ids. */
export const fileWindows: Pick<Bridge["series"], "window"> = {
  async window({ stationIds, range, columns, mostRows }, options) {
    const windows: SeriesWindow[] = [];
    for (const [fileId, ids] of Map.groupBy(stationIds, (id) => parseLineId(id).fileId)) {
      const seriesIds = ids.map((id) => parseLineId(id).seriesId);
      const answer = await bridge.files.window({ fileId, seriesIds, range, columns, mostRows }, options);
      if (!answer.ok) return answer;
      windows.push(...answer.value.map((window, i) => asStationWindow(window, ids[i] ?? "")));
    }
    return success(windows);
  },
};

function asStationWindow(window: FileWindow, stationId: string): SeriesWindow {
  const { range } = window;
  if (window.kind === "rows")
    return { kind: "rows", stationId, range, timesMs: window.timesMs, values: { [FILE_VARIABLE]: window.values } };
  return { kind: "columns", stationId, range, columns: window.columns, variables: { [FILE_VARIABLE]: window.values } };
}
