import type { Bridge } from "#shared/bridge/contract.ts";
import { bridge } from "../../bridge/index.ts";
import { useConnection } from "../../stores/connection.ts";
import { useFocus } from "../../stores/focus.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { firstRequest, type WindowRequest } from "./loader.ts";
import { queryOf, subjectOf } from "./query.ts";

type Window = Bridge["series"]["window"];

/** The last request that was sent ahead. */
let ahead: { readonly request: WindowRequest; readonly answer: ReturnType<Window> } | null = null;
/** Width of the plot in device pixels; null before the first plot. */
let plotPx: number | null = null;

/** Somewhat wider than the first plot will be, because the answer is also sufficient for a narrower plot. */
const PLOT_SHARE = 0.75;
const expectedPx = (): number => innerWidth * PLOT_SHARE * devicePixelRatio;

/** Requests windows from the core, or returns the answer that was requested ahead if it is detailed enough. */
export const readAheadWindows: { readonly window: Window } = {
  window(input, options) {
    if (ahead && isSufficient(ahead.request, input)) return ahead.answer;
    return bridge.series.window(input, options);
  },
};

function isSufficient(sent: WindowRequest, wanted: WindowRequest): boolean {
  const isSameData = JSON.stringify({ ...sent, columns: wanted.columns }) === JSON.stringify(wanted);
  return isSameData && sent.columns >= wanted.columns;
}

/** Records the width of the plot in device pixels, so that requests sent ahead match it. */
export function setPlotWidth(widthPx: number): void {
  plotPx = widthPx;
}

export function wasPlotShown(): boolean {
  return plotPx !== null;
}

/**
 * Requests the data of the series view while the window is still loading, because both take time on different processors.
 * Also requests the data of a station when the pointer or the keyboard is on it in the list, because it may be selected
 * next.
 */
export function followReadAhead(): void {
  useConnection.subscribe(({ current }, { current: before }) => {
    const connectionId = current?.info.id;
    if (connectionId === undefined || connectionId === before?.info.id) return;
    // After the request for the catalogue, which is sent in the same task.
    queueMicrotask(() => void readAhead(connectionId, useWorkspace.getState().stationIds));
  });
  bridge.on("cacheChanged", forget);
  bridge.on("engineRestarted", forget);
  let next: string | null = null;
  let isReading = false;
  useFocus.subscribe(({ stationId, hoveredId }, before) => {
    if (hoveredId !== before.hoveredId) next = hoveredId;
    else if (stationId !== before.stationId) next = stationId;
    // A pressed station is selected in the same task, and the view requests it.
    if (!isReading) queueMicrotask(() => void readNext());
  });
  // One at a time, skipping stations that the pointer has already left.
  const readNext = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    while (next !== null) {
      const stationId = next;
      next = null;
      const connectionId = useConnection.getState().current?.info.id;
      const isSelected = useWorkspace.getState().stationIds.includes(stationId);
      if (connectionId !== undefined && !isSelected) await readAhead(connectionId, [stationId]);
    }
    isReading = false;
  };
}

/** Discards an answer that is outdated after a change of the cache. */
function forget(): void {
  ahead = null;
}

async function readAhead(connectionId: string, stationIds: readonly string[]): Promise<void> {
  const workspace = useWorkspace.getState();
  const query = queryOf({ ...subjectOf(workspace), stationIds: [...stationIds] }, connectionId);
  if (workspace.view !== "series" || query.stationIds.length === 0 || query.variables.length === 0) return;
  // Resampling takes as long as requesting it later.
  if (query.mode.resampled) return;
  const request = firstRequest(query, workspace.range, plotPx ?? expectedPx());
  const answer = bridge.series.window(request);
  const own = { request, answer };
  ahead = own;
  // The view requests failed windows again.
  if (!(await answer).ok && ahead === own) forget();
}
