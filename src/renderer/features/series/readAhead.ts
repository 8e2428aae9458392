import { bridge } from "../../bridge/index.ts";
import { useConnection } from "../../stores/connection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { queryOf } from "./panels.ts";

/**
 * Has the core read what the series view is about to ask for, while the window is still being put together: both take
 * their time, and on different processors. Of the answer nothing is used; what was read stays in the core's memory.
 */
export function followReadAhead(): void {
  useConnection.subscribe(({ current }, { current: before }) => {
    const connectionId = current?.info.id;
    if (connectionId === undefined || connectionId === before?.info.id) return;
    // Behind the question for the list of stations, which is on its way in this very turn.
    queueMicrotask(() => readAhead(connectionId));
  });
}

function readAhead(connectionId: string): void {
  const workspace = useWorkspace.getState();
  const query = queryOf(workspace, connectionId);
  if (workspace.view !== "series" || query.stationIds.length === 0 || query.variables.length === 0) return;
  void bridge.series.window({ ...query, range: workspace.range, columns: 1, mostRows: 0 });
}
