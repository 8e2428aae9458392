import { create } from "zustand";
import type { Connectivity, OpenedConnection } from "#shared/bridge/connections.ts";
import type { ConnectionInfo } from "#shared/connection.ts";
import type { AppFault } from "#shared/fault.ts";
import { bridge } from "../bridge/index.ts";
import { loadCatalogue } from "./catalogue.ts";
import { useSettings } from "./settings.ts";
import { loadWorkspace } from "./workspace.ts";

interface ConnectionStore {
  /** null before the list is known. */
  readonly all: readonly ConnectionInfo[] | null;
  readonly current: OpenedConnection | null;
  readonly connectivity: Connectivity | null;
  /** Why the connection that was chosen last could not be opened. */
  readonly fault: AppFault | null;
}

export const useConnection = create<ConnectionStore>(() => ({
  all: null,
  current: null,
  connectivity: null,
  fault: null,
}));

/** The id of the open connection, for calls. Only for what is shown while there is one. */
export function useConnectionId(): string {
  return useConnection((s) => s.current?.info.id ?? "");
}

export async function loadConnections(): Promise<void> {
  const answer = await bridge.connections.list({});
  if (answer.ok) useConnection.setState({ all: answer.value });
  else useConnection.setState({ all: [], fault: answer.error });
}

/** Shows another connection: its workspace and catalogue as they were left. */
export async function openConnection(connectionId: string): Promise<boolean> {
  const answer = await bridge.connections.open({ connectionId });
  if (!answer.ok) {
    useConnection.setState({ fault: answer.error });
    return false;
  }
  await loadWorkspace(connectionId, answer.value.serverNowMs);
  useConnection.setState({ current: answer.value, connectivity: answer.value.connectivity, fault: null });
  void useSettings.getState().change({ lastConnectionId: connectionId });
  void loadCatalogue(connectionId);
  return true;
}

/** Back to the first screen. */
export function leaveConnection(): void {
  useConnection.setState({ current: null, connectivity: null });
}

export function followConnections(): void {
  bridge.on("connectionsChanged", () => void loadConnections());
  bridge.on("connectivity", (connectivity) => {
    if (useConnection.getState().current?.info.id === connectivity.connectionId)
      useConnection.setState({ connectivity });
  });
}
