import { create } from "zustand";
import type { UtcMs } from "#shared/time/utc.ts";
import { bridge } from "../bridge/index.ts";
import { readWorkspace, type Workspace } from "./workspaceSchema.ts";

/** The one selection and the one time range, and how the window is arranged. */
export const useWorkspace = create<Workspace>(() => readWorkspace(null, Date.now()));

const WRITE_AFTER_MS = 400;
let keptFor: string | null = null;

function keyOf(connectionId: string): string {
  return `window:${connectionId}`;
}

/**
 * Reads the workspace of a connection as it was left.
 *
 * @returns shows it, and keeps changes for this connection from then on; where it could not be read, nothing is written
 * over what may still be there
 */
export async function loadWorkspace(connectionId: string): Promise<(nowMs: UtcMs) => void> {
  // First what is not written yet: it may be of this same connection.
  flush();
  const kept = await bridge.settings.readWorkspace({ key: keyOf(connectionId) });
  return (nowMs) => {
    flush();
    keptFor = null;
    useWorkspace.setState(readWorkspace(kept.ok ? kept.value : null, nowMs), true);
    if (kept.ok) keptFor = connectionId;
  };
}

let timer: ReturnType<typeof setTimeout> | null = null;

function flush(): void {
  if (timer === null || keptFor === null) return;
  clearTimeout(timer);
  timer = null;
  void bridge.settings.writeWorkspace({ key: keyOf(keptFor), content: JSON.stringify(useWorkspace.getState()) });
}

useWorkspace.subscribe(() => {
  if (keptFor === null) return;
  if (timer !== null) clearTimeout(timer);
  timer = setTimeout(flush, WRITE_AFTER_MS);
});
addEventListener("pagehide", flush);

/** Places in the palette that are remembered of stations that are not chosen any more. */
const MOST_REMEMBERED = 500;

/**
 * Chooses exactly these stations. Those that stay keep their colours, and those that were chosen before get theirs back
 * where no other has it; new ones get the first free ones.
 */
export function chooseStations(stationIds: readonly string[]): void {
  const ids = [...new Set(stationIds)];
  const { slots: before, colours } = useWorkspace.getState();
  const slots: Record<string, number> = {};
  for (const id of ids) if (before[id] !== undefined) slots[id] = before[id];
  const taken = new Set(Object.values(slots));
  for (const id of ids) {
    const remembered = colours[id];
    if (slots[id] !== undefined || remembered === undefined || taken.has(remembered)) continue;
    slots[id] = remembered;
    taken.add(remembered);
  }
  let free = 0;
  for (const id of ids) {
    if (slots[id] !== undefined) continue;
    while (taken.has(free)) free++;
    taken.add(free);
    slots[id] = free;
  }
  const remembered = Object.entries({ ...colours, ...slots }).slice(-MOST_REMEMBERED);
  useWorkspace.setState({ stationIds: ids, slots, colours: Object.fromEntries(remembered) });
}

/** A choice of one feature, kept with the workspace under its own name. */
export function usePane<T>(name: string, read: (kept: unknown) => T): [T, (value: T) => void] {
  const kept = useWorkspace((s) => s.panes[name]);
  return [read(kept), (value) => useWorkspace.setState((s) => ({ panes: { ...s.panes, [name]: value } }))];
}
