import { exportFileName } from "#shared/file/names.ts";
import { requestAt, type SavedExport } from "#shared/file/savedExport.ts";
import { readSeriesFigure, type SeriesReader } from "#shared/plot/figure/seriesFigure.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bridge } from "../../bridge/index.ts";
import { saveBlob } from "../../stores/saveBlob.ts";
import { inPlotOrder } from "../../stores/groups.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useConnection } from "../../stores/connection.ts";
import { showFault, showToast } from "../../stores/toasts.ts";
import { figureWithSavedSettings } from "../figure/write.ts";
import { withExtension } from "#shared/file/fileName.ts";

/** Functions that save the figure of a run of this window, by the id of the run. */
const pendingFigures = new Map<string, () => Promise<void>>();

/** Remembers that a run is to be followed by its figure. */
export function awaitFigure(taskId: string, saved: SavedExport, startedMs: UtcMs): void {
  if (saved.figure) pendingFigures.set(taskId, () => saveFigureOf(saved, startedMs));
}

/** Called at the end of a run: if it succeeded, saves its figure, drawn from the cache. */
export async function saveFigureAfter(taskId: string, hasSucceeded: boolean): Promise<void> {
  const save = pendingFigures.get(taskId);
  pendingFigures.delete(taskId);
  if (hasSucceeded) await save?.();
}

async function saveFigureOf(saved: SavedExport, nowMs: UtcMs): Promise<void> {
  const { connectionId, stationIds, variables, intervalSeconds, raw, resampled } = saved;
  const { range } = requestAt(saved, nowMs);
  const mode = { intervalSeconds, raw, resampled };
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
