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

/** Saved exports that run for this window and are to be followed by their figure, by the id of the run. */
const awaited = new Map<string, () => Promise<void>>();

/** @param taskId the run whose end is told to `saveFigureAfter` */
export function awaitFigure(taskId: string, saved: SavedExport, startedMs: UtcMs): void {
  if (saved.figure) awaited.set(taskId, () => saveFigureOf(saved, startedMs));
}

/** The run has ended: its figure is drawn from the cache, and saved beside its file where it succeeded. */
export async function saveFigureAfter(taskId: string, hasSucceeded: boolean): Promise<void> {
  const save = awaited.get(taskId);
  awaited.delete(taskId);
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
    saveBlob(file, `${fileNameNow(saved, nowMs).replace(/\.[^.]*$/, "")}.${format}`);
  } catch (fault) {
    showToast(`The figure of “${saved.name}” was not saved. ${fault instanceof Error ? fault.message : ""}`.trim());
  }
}

/** The name of the file as it would be now; empty where the template is one of another version. */
export function fileNameNow(saved: SavedExport, nowMs: UtcMs): string {
  const answer = exportFileName(saved.template, {
    request: requestAt(saved, nowMs),
    stations: useCatalogue.getState().byId,
    connectionName: useConnection.getState().current?.info.name ?? "",
    exportName: saved.name,
  });
  return answer.ok ? answer.value : "";
}
