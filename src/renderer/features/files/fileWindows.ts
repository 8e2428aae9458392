import type { Bridge } from "#shared/bridge/contract.ts";
import type { FileWindow } from "#shared/bridge/methods/files.ts";
import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import { success } from "#shared/service/error.ts";
import { bridge } from "../../bridge/index.ts";
import type { Workspace } from "../../stores/workspaceSchema.ts";
import type { SeriesQuery } from "../series/query.ts";
import { FILE_VARIABLE, parseLineId } from "./fileSeries.ts";
import { shownIn } from "./shownSeries.ts";

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
