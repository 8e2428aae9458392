import { z } from "zod";
import { create } from "zustand";
import { SERIES_COLOURS } from "#shared/plot/theme.ts";
import { zone } from "#shared/bridge/methods/schemas.ts";
import { variableSchema } from "#shared/service/query.ts";
import { parseStored } from "#shared/storedJson.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { resolveMovingRange } from "#shared/time/typed.ts";
import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";
import { movingRange } from "#shared/views/view.ts";
import { bridge } from "../bridge/index.ts";
import { storedInWindow, storeInWindow } from "../bridge/windowStorage.ts";

const range = z.object({ startMs: z.number(), endMs: z.number() }).refine((r) => r.endMs > r.startMs);

/**
 * What a window shows of one connection. Each field has its own fallback, so that a workspace written by an older or
 * newer version opens as far as possible.
 */
const workspaceSchema = z.object({
  /** Selected stations in the order of selection, the same for all views. */
  stationIds: z.array(z.string()).catch([]),
  /** Index of each selected station's colour in the palette: a station keeps it while it is selected. */
  slots: z.record(z.string(), z.number().int().min(0)).catch({}),
  /** The same of stations selected earlier, so that they get their colours back. */
  colours: z.record(z.string(), z.number().int().min(0)).catch({}),
  range: range.nullable().catch(null),
  /** The range as the user entered it, if it moves with the clock. */
  moving: movingRange.nullable().catch(null),
  variables: z.array(variableSchema).min(1).catch(["ztd", "pwv"]),
  intervalSeconds: z.number().int().min(1).nullable().catch(null),
  raw: z.boolean().catch(false),
  /** Averages are computed locally from cached native rows instead of requested. */
  resampled: z.boolean().catch(false),
  /** The time zone whose days are averaged, where averages of a day are computed locally. */
  zone: zone.catch(undefined),
  showSigma: z.boolean().catch(true),
  section: z.enum(["morning", "explore", "schedules", "storage", "settings"]).catch("explore"),
  view: z.string().catch("series"),
  /** The UTC day on which the workspace was opened last, in days since 1970; null before the first. */
  seenDay: z.number().int().nullable().catch(null),
  isDrawerOpen: z.boolean().catch(false),
  /** Sizes of panes and choices of single features, by name; see `pane`. */
  panes: z.record(z.string(), z.unknown()).catch({}),
});

export type Workspace = Omit<z.output<typeof workspaceSchema>, "range"> & { readonly range: TimeRange };

/** Range of a new workspace. */
const LAST_WEEK = { start: "now-7d", end: "now" };

/** Parses a stored workspace; on another day than the last, it opens with the morning page. @param text JSON, or null if nothing is stored */
export function readWorkspace(text: string | null, nowMs: UtcMs): Workspace {
  const read = parseStored(workspaceSchema, text) ?? workspaceSchema.parse({});
  const moving = read.moving ?? (read.range === null ? LAST_WEEK : null);
  const range = (moving && resolveMovingRange(moving, nowMs)) ?? read.range;
  if (range === null) throw new Error("The range of a new workspace cannot be resolved.");
  const today = Math.floor(nowMs / DAY_MS);
  const isNewDay = read.seenDay !== null && read.seenDay < today && read.stationIds.length > 0;
  return { ...read, range, moving, section: isNewDay ? "morning" : read.section, seenDay: today };
}

/** The selection, the time range and the layout of the window. */
export const useWorkspace = create<Workspace>(() => readWorkspace(null, Date.now()));

const SAVE_DELAY_MS = 400;
/** Connection for which changes are saved. */
let savedFor: string | null = null;

function storageKey(connectionId: string): string {
  return `window:${connectionId}`;
}

/**
 * Reads the saved workspace of a connection: the last one of this window, else of any window.
 *
 * @returns a function that shows it and saves changes from then on; if it could not be read, nothing is saved, so that
 * the stored workspace is not overwritten
 */
export async function loadWorkspace(connectionId: string): Promise<(nowMs: UtcMs) => void> {
  // Unsaved changes may belong to this connection.
  flush();
  const stored = await bridge.settings.readWorkspace({ key: storageKey(connectionId) });
  return (nowMs) => {
    flush();
    savedFor = null;
    const last = storedInWindow(storageKey(connectionId)) ?? (stored.ok ? stored.value : null);
    useWorkspace.setState(readWorkspace(last, nowMs), true);
    if (stored.ok) savedFor = connectionId;
  };
}

let timer: ReturnType<typeof setTimeout> | null = null;

function flush(): void {
  if (timer === null || savedFor === null) return;
  clearTimeout(timer);
  timer = null;
  const [key, content] = [storageKey(savedFor), JSON.stringify(useWorkspace.getState())];
  storeInWindow(key, content);
  void bridge.settings.writeWorkspace({ key, content });
}

/** Saves changes of the workspace a moment after them, and before the page is left. */
export function followWorkspace(): void {
  useWorkspace.subscribe(() => {
    if (savedFor === null) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(flush, SAVE_DELAY_MS);
  });
  // Before the next page is requested: a message that is sent at the very end of a page may not arrive.
  addEventListener("beforeunload", flush);
  addEventListener("pagehide", flush);
}

/** Stations, selected now or earlier, whose colours are remembered. */
const MAX_REMEMBERED_COLOURS = 500;

/**
 * Selects exactly these stations. Stations that stay selected keep their colours; a station that was selected earlier
 * gets its colour back if that is free; others get the first free colours. As long as there are enough colours, no two
 * of the others share one in different dashes.
 */
export function selectStations(stationIds: readonly string[]): void {
  const ids = [...new Set(stationIds)];
  const { slots: before, colours } = useWorkspace.getState();
  const slots: Record<string, number> = {};
  for (const id of ids) if (before[id] !== undefined) slots[id] = before[id];
  const taken = new Set(Object.values(slots));
  const isDistinct = (slot: number): boolean => ![...taken].some((other) => colourOf(other) === colourOf(slot));
  const isFree = ids.length <= SERIES_COLOURS ? isDistinct : (slot: number): boolean => !taken.has(slot);
  const take = (id: string, slot: number): void => {
    slots[id] = slot;
    taken.add(slot);
  };
  for (const id of ids) {
    const remembered = colours[id];
    if (slots[id] === undefined && remembered !== undefined && isFree(remembered)) take(id, remembered);
  }
  for (const id of ids) {
    if (slots[id] !== undefined) continue;
    let free = 0;
    while (free < SERIES_COLOURS && !isDistinct(free)) free++;
    if (free === SERIES_COLOURS) for (free = 0; taken.has(free);) free++;
    take(id, free);
  }
  // The colour of a large selection, in dashes, does not replace the plain one of a small selection.
  const lowest = Object.entries(slots).map(([id, slot]) => [id, Math.min(slot, colours[id] ?? slot)] as const);
  const remembered = Object.entries({ ...colours, ...Object.fromEntries(lowest) }).slice(-MAX_REMEMBERED_COLOURS);
  useWorkspace.setState({ stationIds: ids, slots, colours: Object.fromEntries(remembered) });
}

/** Selects a station in addition to the others. */
export function addStation(stationId: string): void {
  const { stationIds } = useWorkspace.getState();
  if (!stationIds.includes(stationId)) selectStations([...stationIds, stationId]);
}

function colourOf(slot: number): number {
  return slot % SERIES_COLOURS;
}
