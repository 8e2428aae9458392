import type { Bridge } from "#shared/bridge/contract.ts";
import { bridge } from "../../bridge/index.ts";
import { useConnection } from "../../stores/connection.ts";
import { useFocus } from "../../stores/focus.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { firstQuestion } from "./loader.ts";
import { queryOf, subjectOf } from "./query.ts";

type Window = Bridge["series"]["window"];

type Question = Parameters<Window>[0];

/** The last question that was asked ahead. */
let ahead: { readonly question: Question; readonly answer: ReturnType<Window> } | null = null;
/** Device pixels of the plot; null before there was one. */
let plotPx: number | null = null;

/** Somewhat wider than a plot will be that has not been put together yet: what is narrower is answered by it too. */
const PLOT_SHARE = 0.75;
const expectedPx = (): number => innerWidth * PLOT_SHARE * devicePixelRatio;

/** Windows of the core, and at once what was asked for ahead, as fine as it is wanted or finer. */
export const readAheadWindows: { readonly window: Window } = {
  window(input, options) {
    if (ahead && answers(ahead.question, input)) return ahead.answer;
    return bridge.series.window(input, options);
  },
};

function answers(asked: Question, wanted: Question): boolean {
  return (
    asked.columns >= wanted.columns && JSON.stringify({ ...asked, columns: wanted.columns }) === JSON.stringify(wanted)
  );
}

/** A plot so many device pixels wide is shown: what is asked ahead is asked as it will. */
export function showsPlot(widthPx: number): void {
  plotPx = widthPx;
}

export function wasPlotShown(): boolean {
  return plotPx !== null;
}

/**
 * Asks for what the series view is about to ask for, while the window is still being put together: both take their time,
 * and on different processors. And likewise for a station as soon as the pointer or the keyboard is on it in the list,
 * since most that are pressed were pointed at a moment before.
 */
export function followReadAhead(): void {
  useConnection.subscribe(({ current }, { current: before }) => {
    const connectionId = current?.info.id;
    if (connectionId === undefined || connectionId === before?.info.id) return;
    // Rejected the question for the list of stations, which is on its way in this very turn.
    queueMicrotask(() => void readAhead(connectionId, useWorkspace.getState().stationIds));
  });
  bridge.on("cacheChanged", forget);
  bridge.on("engineRestarted", forget);
  let next: string | null = null;
  let isReading = false;
  useFocus.subscribe(({ stationId, hoveredId }, before) => {
    if (hoveredId !== before.hoveredId) next = hoveredId;
    else if (stationId !== before.stationId) next = stationId;
    // What is pressed is chosen in this very turn, and is asked for by the view itself.
    if (!isReading) queueMicrotask(() => void readNext());
  });
  // One at a time, and of those that the pointer only passed over none.
  const readNext = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    while (next !== null) {
      const stationId = next;
      next = null;
      const connectionId = useConnection.getState().current?.info.id;
      const isChosen = useWorkspace.getState().stationIds.includes(stationId);
      if (connectionId !== undefined && !isChosen) await readAhead(connectionId, [stationId]);
    }
    isReading = false;
  };
}

/** What was read before a change is not what would be read after it. */
function forget(): void {
  ahead = null;
}

async function readAhead(connectionId: string, stationIds: readonly string[]): Promise<void> {
  const workspace = useWorkspace.getState();
  const query = queryOf({ ...subjectOf(workspace), stationIds: [...stationIds] }, connectionId);
  if (workspace.view !== "series" || query.stationIds.length === 0 || query.variables.length === 0) return;
  // To average takes as long as to ask for it.
  if (query.mode.resampled) return;
  const question = firstQuestion(query, workspace.range, plotPx ?? expectedPx());
  const answer = bridge.series.window(question);
  const asked = { question, answer };
  ahead = asked;
  // What failed is asked again.
  if (!(await answer).ok && ahead === asked) forget();
}
