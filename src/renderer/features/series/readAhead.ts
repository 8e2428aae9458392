import { bridge } from "../../bridge/index.ts";
import { useConnection } from "../../stores/connection.ts";
import { useFocus } from "../../stores/focus.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { queryOf } from "./panels.ts";

/**
 * Has the core read what the series view is about to ask for, while the window is still being put together: both take
 * their time, and on different processors. And likewise a station as soon as the pointer or the keyboard is on it in the
 * list, since most that are pressed were pointed at a moment before. Of the answers nothing is used; what was read stays
 * in the core's memory.
 */
export function followReadAhead(): void {
  useConnection.subscribe(({ current }, { current: before }) => {
    const connectionId = current?.info.id;
    if (connectionId === undefined || connectionId === before?.info.id) return;
    // Behind the question for the list of stations, which is on its way in this very turn.
    queueMicrotask(() => void readAhead(connectionId, useWorkspace.getState().stationIds));
  });
  let next: string | null = null;
  let isReading = false;
  useFocus.subscribe(({ stationId, pointedId }, before) => {
    if (pointedId !== before.pointedId) next = pointedId;
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

async function readAhead(connectionId: string, stationIds: readonly string[]): Promise<void> {
  const workspace = useWorkspace.getState();
  const query = queryOf({ ...workspace, stationIds: [...stationIds] }, connectionId);
  if (workspace.view !== "series" || query.stationIds.length === 0 || query.variables.length === 0) return;
  // To average takes as long as to ask for it.
  if (query.mode.resampled) return;
  await bridge.series.window({ ...query, range: workspace.range, columns: 1, mostRows: 0 });
}
