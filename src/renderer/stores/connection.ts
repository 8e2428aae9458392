import { create } from "zustand";
import type { Connectivity, OpenedConnection } from "#shared/bridge/methods/connections.ts";
import { type ConnectionInfo, FILES_CONNECTION_ID } from "#shared/connection.ts";
import { isGone } from "#shared/bridge/client.ts";
import type { AppFault } from "#shared/fault.ts";
import { bridge } from "../bridge/index.ts";
import { followCatalogue, loadCatalogue } from "./catalogue.ts";
import { useSettings } from "./settings.ts";
import { showFault } from "./toasts.ts";
import { undoable } from "./undo.ts";
import { loadWorkspace } from "./workspace.ts";

interface ConnectionStore {
  /** Kept connections, those that are being removed left out; null before the list is known. */
  readonly all: readonly ConnectionInfo[] | null;
  readonly current: OpenedConnection | null;
  readonly connectivity: Connectivity | null;
  /** The connection that is being opened. */
  readonly openingId: string | null;
  /** Why the connection that was chosen last could not be opened. */
  readonly fault: AppFault | null;
}

export const useConnection = create<ConnectionStore>(() => ({
  all: null,
  current: null,
  connectivity: null,
  openingId: null,
  fault: null,
}));

/** Removed, but not for good yet. */
const leaving = new Set<string>();

/** As the window writes it. */
export function connectionName({ kind, name }: ConnectionInfo): string {
  return kind === "demo" && name === "demo" ? "Demo" : name;
}

/** The id of the open connection, for calls. Only for what is shown while there is one. */
export function useConnectionId(): string {
  return useConnection((s) => s.current?.info.id ?? "");
}

/** Whether the window shows opened files alone, without the stations of a service. */
export function useIsFilesAlone(): boolean {
  return useConnection((s) => s.current?.info.id === FILES_CONNECTION_ID);
}

export async function loadConnections(): Promise<void> {
  const answer = await bridge.connections.list({});
  if (!answer.ok) return useConnection.setState((s) => ({ all: s.all ?? [], fault: answer.error }));
  const all = answer.value.filter((c) => !leaving.has(c.id));
  useConnection.setState({ all });
  const { current } = useConnection.getState();
  // That of opened files is in no list.
  if (!current || current.info.id === FILES_CONNECTION_ID) return;
  const info = all.find((c) => c.id === current.info.id);
  // Another window may have removed it.
  if (info) useConnection.setState({ current: { ...current, info } });
  else leaveConnection();
}

/**
 * Shows another connection: its workspace and catalogue as they were left.
 *
 * @returns null where it cannot be opened, or another one was chosen meanwhile; `catalogue` ends when its stations are there
 */
export async function openConnection(connectionId: string): Promise<{ readonly catalogue: Promise<void> } | null> {
  useConnection.setState({ openingId: connectionId });
  // Who opens it again wants to keep it.
  leaving.delete(connectionId);
  const isChosen = (): boolean => useConnection.getState().openingId === connectionId;
  const [answer, showWorkspace] = await Promise.all([
    bridge.connections.open({ connectionId }),
    loadWorkspace(connectionId),
  ]);
  if (!isChosen()) return null;
  if (!answer.ok) {
    useConnection.setState({ openingId: null, fault: answer.error });
    return null;
  }
  const { connectivity, serverNowMs } = answer.value;
  showWorkspace(serverNowMs);
  useConnection.setState({ current: answer.value, connectivity, openingId: null, fault: null });
  void useSettings.getState().change({ lastConnectionId: connectionId });
  return { catalogue: loadKnown(connectionId) };
}

/** Back to the first screen. */
export function leaveConnection(): void {
  useConnection.setState({ current: null, connectivity: null, openingId: null });
}

/** Forgets a connection with its key, jobs and cache; for a while it can be taken back. */
export function removeConnection(connection: ConnectionInfo): void {
  const { id } = connection;
  const wasShown = useConnection.getState().current?.info.id === id;
  leaving.add(id);
  useConnection.setState((s) => ({ all: s.all?.filter((c) => c.id !== id) ?? null, fault: null }));
  if (wasShown) leaveConnection();
  undoable({
    text: `“${connectionName(connection)}” is removed, with ${connection.kind === "file" ? "the data of its file" : `its ${connection.kind === "demo" ? "" : "key, "}jobs and everything cached from it`}.`,
    async commit() {
      if (!leaving.has(id)) return;
      const answer = await bridge.connections.remove({ connectionId: id });
      leaving.delete(id);
      if (!answer.ok) showFault(answer.error);
      await loadConnections();
    },
    async undo() {
      leaving.delete(id);
      await loadConnections();
      if (wasShown && useConnection.getState().current === null) await openConnection(id);
    },
  });
}

/** After the engine was started again: the same connection, its window left as it is. */
export async function reopenConnection(): Promise<void> {
  await loadConnections();
  const connectionId = useConnection.getState().current?.info.id;
  if (connectionId === undefined) return;
  const answer = await bridge.connections.open({ connectionId });
  if (useConnection.getState().current?.info.id !== connectionId) return;
  // Gone once more: the next start opens it.
  if (!answer.ok) return isGone(answer.error) ? undefined : showFault(answer.error);
  useConnection.setState({ current: answer.value, connectivity: answer.value.connectivity });
  await loadKnown(connectionId);
}

/** The catalogue; where it was young enough not to be asked, one small request tells whether the service is there. */
async function loadKnown(connectionId: string): Promise<void> {
  // What came in a file stays as it came.
  const isFile = useConnection.getState().current?.info.kind === "file";
  await loadCatalogue(connectionId, !isFile);
  const { current, connectivity } = useConnection.getState();
  if (current?.info.id !== connectionId || connectivity?.state !== "unknown" || !current.info.hasKey) return;
  const answer = await bridge.connections.probe({ connectionId });
  if (answer.ok && useConnection.getState().current?.info.id === connectionId)
    useConnection.setState({ connectivity: answer.value });
}

export function followConnections(): void {
  followCatalogue();
  bridge.on("clocksChanged", ({ connectionId, disagreement }) => {
    const { current } = useConnection.getState();
    if (current?.info.id === connectionId) useConnection.setState({ current: { ...current, clocks: disagreement } });
  });
  bridge.on("connectionsChanged", () => void loadConnections());
  bridge.on("connectivity", (connectivity) => {
    if (useConnection.getState().current?.info.id === connectivity.connectionId)
      useConnection.setState({ connectivity });
  });
}
