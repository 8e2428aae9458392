import { create } from "zustand";
import type { Connectivity, OpenedConnection } from "#shared/bridge/methods/connections.ts";
import { type ConnectionInfo, FILES_CONNECTION_ID } from "#shared/connection.ts";
import { isGone } from "#shared/bridge/client.ts";
import type { AppFault } from "#shared/fault.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bridge } from "../bridge/index.ts";
import { storedInWindow, storeInWindow } from "../bridge/windowStorage.ts";
import { followCatalogue, loadCatalogue } from "./catalogue.ts";
import { useNowMs } from "./clock.ts";
import { useSettings } from "./settings.ts";
import { orShowFault, showFault, showToast, undoable } from "./toasts.ts";
import { loadWorkspace } from "./workspace.ts";

interface ConnectionStore {
  /** Saved connections, without those being removed; null until the list is loaded. */
  readonly all: readonly ConnectionInfo[] | null;
  readonly current: OpenedConnection | null;
  readonly connectivity: Connectivity | null;
  readonly openingId: string | null;
  /** Why the last connection could not be opened. */
  readonly fault: AppFault | null;
}

export const useConnection = create<ConnectionStore>(() => ({
  all: null,
  current: null,
  connectivity: null,
  openingId: null,
  fault: null,
}));

const CONNECTION_KEY = "connection";

/** The connection that this window opened last, before a reload of its page, else the last one of any window. */
export function lastConnectionId(): string | null {
  return storedInWindow(CONNECTION_KEY) ?? useSettings.getState().settings.lastConnectionId;
}

/** Connections whose removal can still be undone. */
const pendingRemoval = new Set<string>();

export function connectionName({ kind, name }: ConnectionInfo): string {
  return kind === "demo" && name === "demo" ? "Demo" : name;
}

/** Returns the id of the open connection; use it only in components that are shown while there is one. */
export function useConnectionId(): string {
  return useConnection((s) => s.current?.info.id ?? "");
}

/** Returns the id of the open connection; empty without one. */
export function openConnectionId(): string {
  return useConnection.getState().current?.info.id ?? "";
}

/** Whether the service of the open connection is unreachable. */
export function useIsOffline(): boolean {
  return useConnection((s) => s.connectivity?.state === "offline");
}

/** Until when the service of the open connection asked all requests to wait, UTC milliseconds; null if it does not now. */
export function usePausedUntilMs(): UtcMs | null {
  const nowMs = useNowMs();
  const untilMs = useConnection((s) => s.connectivity?.pausedUntilMs ?? null);
  return untilMs !== null && untilMs > nowMs ? untilMs : null;
}

/** Whether the open connection is a file with data, which has no service. */
export function useIsFile(): boolean {
  return useConnection((s) => s.current?.info.kind === "file");
}

/** Whether the window shows only opened files, without the stations of a service. */
export function useIsFilesAlone(): boolean {
  return useConnection((s) => s.current?.info.id === FILES_CONNECTION_ID);
}

export async function loadConnections(): Promise<void> {
  const answer = await bridge.connections.list({});
  if (!answer.ok) return useConnection.setState((s) => ({ all: s.all ?? [], fault: answer.error }));
  const all = answer.value.filter((c) => !pendingRemoval.has(c.id));
  useConnection.setState({ all });
  const { current } = useConnection.getState();
  // The connection of opened files is not in the list.
  if (!current || current.info.id === FILES_CONNECTION_ID) return;
  const info = all.find((c) => c.id === current.info.id);
  if (info) return useConnection.setState({ current: { ...current, info } });
  leaveConnection();
  // Like a fault, the message stays until it is closed: the user may be looking at that window.
  showToast(`“${connectionName(current.info)}” was removed in another window or by a command.`, null, "fault");
}

/**
 * Opens a connection with its saved workspace and catalogue.
 *
 * @returns null if it cannot be opened or the user chose another one meanwhile; `catalogue` resolves when its stations are loaded
 */
export async function openConnection(connectionId: string): Promise<{ readonly catalogue: Promise<void> } | null> {
  useConnection.setState({ openingId: connectionId });
  // Opening a connection cancels its removal.
  pendingRemoval.delete(connectionId);
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
  storeInWindow(CONNECTION_KEY, connectionId);
  void useSettings.getState().change({ lastConnectionId: connectionId });
  return { catalogue: loadStations(connectionId) };
}

/** Opens a connection in place of the current one, which stays open if that fails; then, the fault is only a message. */
export async function switchConnection(connectionId: string): ReturnType<typeof openConnection> {
  const opened = await openConnection(connectionId);
  const { fault } = useConnection.getState();
  if (!opened && fault) {
    showFault(fault);
    useConnection.setState({ fault: null });
  }
  return opened;
}

export function leaveConnection(): void {
  useConnection.setState({ current: null, connectivity: null, openingId: null });
}

/** Removes a connection with its key, jobs and cache; the removal can be undone for a while. */
export function removeConnection(connection: ConnectionInfo): void {
  const { id } = connection;
  const name = connectionName(connection);
  const wasShown = useConnection.getState().current?.info.id === id;
  pendingRemoval.add(id);
  useConnection.setState((s) => ({ all: s.all?.filter((c) => c.id !== id) ?? null, fault: null }));
  if (wasShown) leaveConnection();
  undoable({
    text: `“${name}” will be removed, with ${connection.kind === "file" ? "the data of its file" : `its ${connection.kind === "demo" ? "" : "key, "}jobs and everything cached from it`}.`,
    async commit() {
      if (!pendingRemoval.has(id)) return;
      await orShowFault(bridge.connections.remove({ connectionId: id }));
      pendingRemoval.delete(id);
      await loadConnections();
    },
    async undo() {
      pendingRemoval.delete(id);
      await loadConnections();
      if (wasShown && useConnection.getState().current === null) await openConnection(id);
    },
  });
}

/** Opens the current connection again after a restart of the core, without changing the workspace. */
export async function reopenConnection(): Promise<void> {
  await loadConnections();
  const connectionId = useConnection.getState().current?.info.id;
  if (connectionId === undefined) return;
  const answer = await bridge.connections.open({ connectionId });
  if (useConnection.getState().current?.info.id !== connectionId) return;
  // If the core has stopped again, its next start opens the connection.
  if (!answer.ok) return isGone(answer.error) ? undefined : showFault(answer.error);
  useConnection.setState({ current: answer.value, connectivity: answer.value.connectivity });
  await loadStations(connectionId);
}

/** Loads the catalogue; if it is too recent for a request, a small request finds out whether the service is reachable. */
async function loadStations(connectionId: string): Promise<void> {
  // The stations of a file never change.
  const isFile = useConnection.getState().current?.info.kind === "file";
  await loadCatalogue(connectionId, !isFile);
  const { current, connectivity } = useConnection.getState();
  if (current?.info.id !== connectionId || connectivity?.state !== "unknown" || !current.info.hasKey) return;
  await probe(connectionId);
}

async function probe(connectionId: string): Promise<void> {
  // The service asked for no requests until then; the user can still check.
  if ((useConnection.getState().connectivity?.pausedUntilMs ?? 0) > Date.now()) return;
  const answer = await bridge.connections.probe({ connectionId });
  if (answer.ok && useConnection.getState().current?.info.id === connectionId)
    useConnection.setState({ connectivity: answer.value });
}

const RECHECK_MS = 60_000;

/** An outage is only as old as the last of these questions: without a download, nothing else would notice its end. */
function recheckOutage(): void {
  const { current, connectivity } = useConnection.getState();
  if (current && connectivity?.state === "offline" && !document.hidden) void probe(current.info.id);
}

export function followConnections(): void {
  followCatalogue();
  setInterval(recheckOutage, RECHECK_MS);
  addEventListener("online", recheckOutage);
  addEventListener("focus", recheckOutage);
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
