import { create } from "zustand";
import type { AppFault } from "#shared/fault.ts";
import { type Catalogue, type KnownStation, knownStations, stationLabel } from "#shared/service/catalogue.ts";
import { bridge } from "../bridge/index.ts";

interface CatalogueStore {
  readonly catalogue: Catalogue;
  /** Listed stations, then formerly listed ones that are still cached. */
  readonly known: readonly KnownStation[];
  readonly byId: ReadonlyMap<string, KnownStation>;
  readonly isRefreshing: boolean;
  /** Why the last try to refresh brought nothing. */
  readonly fault: AppFault | null;
}

const NONE: Catalogue = { stations: [], withdrawn: [], networks: [], fetchedAtMs: null };
/** Older than this, the catalogue is asked again: when the connection is opened, and while its window is looked at. */
const FRESH_MS = 15 * 60_000;
const LOOK_MS = 60_000;

export const useCatalogue = create<CatalogueStore>(() => ({
  catalogue: NONE,
  known: [],
  byId: new Map(),
  isRefreshing: false,
  fault: null,
}));

/** Whose stations are shown: an answer that comes late must not show them under another connection. */
let shownFor: string | null = null;
/** What came in a file stays as it came. */
let mayAskNow = false;
/** By a clock that never jumps: where the service's and this computer's disagree, the age of a catalogue says little. */
let askedAtMs = -Infinity;

function show(catalogue: Catalogue): void {
  const known = knownStations(catalogue);
  useCatalogue.setState({ catalogue, known, byId: new Map(known.map((s) => [s.id, s])) });
}

/** The kept catalogue at once, then a fresh one where it is old and may be asked. */
export async function loadCatalogue(connectionId: string, mayAsk = true): Promise<void> {
  if (shownFor !== connectionId) show(NONE);
  shownFor = connectionId;
  mayAskNow = mayAsk;
  useCatalogue.setState({ fault: null, isRefreshing: false });
  const kept = await bridge.catalogue.read({ connectionId });
  if (shownFor !== connectionId) return;
  if (kept.ok) show(kept.value);
  else useCatalogue.setState({ fault: kept.error });
  if (mayAsk && isOld(kept.ok ? kept.value : NONE)) await refreshCatalogue(connectionId);
}

function isOld({ fetchedAtMs }: Catalogue): boolean {
  return fetchedAtMs === null || Math.abs(Date.now() - fetchedAtMs) > FRESH_MS;
}

/** Until when stations have sent changes by the minute: who has the window open all day reads it there. */
function keepFresh(): void {
  const { catalogue, isRefreshing, fault } = useCatalogue.getState();
  // After a failure the next try is the user's.
  if (shownFor === null || !mayAskNow || isRefreshing || fault !== null || document.hidden) return;
  if (performance.now() - askedAtMs < FRESH_MS) return;
  if (catalogue.fetchedAtMs !== null && isOld(catalogue)) void refreshCatalogue(shownFor);
}

export async function refreshCatalogue(connectionId: string): Promise<void> {
  askedAtMs = performance.now();
  useCatalogue.setState({ isRefreshing: true });
  const answer = await bridge.catalogue.refresh({ connectionId });
  if (shownFor !== connectionId) return;
  useCatalogue.setState({ isRefreshing: false, fault: answer.ok ? null : answer.error });
  if (answer.ok) show(answer.value);
}

/** What another window fetched is shown here too. */
export function followCatalogue(): void {
  setInterval(keepFresh, LOOK_MS);
  bridge.on("catalogueChanged", ({ connectionId }) => {
    if (shownFor === connectionId && !useCatalogue.getState().isRefreshing) void showKept(connectionId);
  });
}

async function showKept(connectionId: string): Promise<void> {
  const kept = await bridge.catalogue.read({ connectionId });
  if (kept.ok && shownFor === connectionId) show(kept.value);
}

/** The name of a station as the window writes it; its id where the catalogue never knew it. */
export function stationName(byId: ReadonlyMap<string, KnownStation>, id: string): string {
  const station = byId.get(id);
  return station ? stationLabel(station) : id;
}
