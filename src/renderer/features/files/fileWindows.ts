import type { Bridge } from "#shared/bridge/contract.ts";
import type { FileWindow } from "#shared/bridge/methods/files.ts";
import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import { success } from "#shared/service/error.ts";
import { bridge } from "../../bridge/index.ts";
import type { Workspace } from "../../stores/workspaceSchema.ts";
import type { SeriesQuery } from "../series/query.ts";
import { STAND_IN } from "./choice.ts";
import { fileOf } from "./lineId.ts";
import { shownIn } from "./shown.ts";

/** What of open files is drawn, as it is asked; null where nothing is. */
export function fileQueryOf(workspace: Workspace): SeriesQuery | null {
  const stationIds = shownIn(workspace).map(({ lineId }) => lineId);
  if (stationIds.length === 0) return null;
  const mode = { intervalSeconds: null, raw: false, resampled: false };
  return { connectionId: "files", stationIds, variables: [STAND_IN], mode };
}

/** Answers questions for windows of stations with those of series of files: the ids are those of lines. */
export const fileWindows: Pick<Bridge["series"], "window"> = {
  async window({ stationIds, range, columns, mostRows }, options) {
    const found: SeriesWindow[] = [];
    for (const [fileId, ids] of Map.groupBy(stationIds, (id) => fileOf(id).fileId)) {
      const seriesIds = ids.map((id) => fileOf(id).seriesId);
      const answer = await bridge.files.window({ fileId, seriesIds, range, columns, mostRows }, options);
      if (!answer.ok) return answer;
      found.push(...answer.value.map((window, i) => asStation(window, ids[i]!)));
    }
    return success(found);
  },
};

function asStation(window: FileWindow, stationId: string): SeriesWindow {
  const { range } = window;
  if (window.kind === "rows")
    return { kind: "rows", stationId, range, timesMs: window.timesMs, values: { [STAND_IN]: window.values } };
  return { kind: "columns", stationId, range, columns: window.columns, variables: { [STAND_IN]: window.values } };
}
