import { create } from "zustand";
import type { AppFault } from "#shared/fault.ts";
import {
  type Catalogue,
  type KnownStation,
  knownStations,
  stationLabel,
  withDistinctNames,
} from "#shared/service/catalogue.ts";
import { bridge } from "../bridge/index.ts";

interface CatalogueStore {
  readonly catalogue: Catalogue;
  /** Listed stations, then formerly listed ones that are still cached. */
  readonly known: readonly KnownStation[];
  readonly byId: ReadonlyMap<string, KnownStation>;
  readonly isRefreshing: boolean;
  /** Why the last refresh failed. */
  readonly fault: AppFault | null;
}

const NONE: Catalogue = { stations: [], withdrawn: [], networks: [], fetchedAtMs: null };
/** An older catalogue is requested again when the connection is opened, and while its window is visible. */
const MAX_AGE_MS = 15 * 60_000;
const CHECK_INTERVAL_MS = 60_000;

export const useCatalogue = create<CatalogueStore>(() => ({
  catalogue: NONE,
  known: [],
  byId: new Map(),
  isRefreshing: false,
  fault: null,
}));

/** Connection whose stations are shown; late answers for other connections are ignored. */
let shownFor: string | null = null;
/** False for the stations of a file, which never change. */
let isRefreshable = false;
/** Time of a monotonic clock: `fetchedAtMs` says little if the clocks of service and computer disagree. */
let requestedAtMs = -Infinity;

function showCatalogue(listed: Catalogue): void {
  const known = withDistinctNames(knownStations(listed));
  const catalogue = { ...listed, stations: known.slice(0, listed.stations.length) };
  useCatalogue.setState({ catalogue, known, byId: new Map(known.map((s) => [s.id, s])) });
}

/** Shows the stored catalogue at once, then refreshes it if it is stale and `mayRefresh`. */
export async function loadCatalogue(connectionId: string, mayRefresh = true): Promise<void> {
  if (shownFor !== connectionId) showCatalogue(NONE);
  shownFor = connectionId;
  isRefreshable = mayRefresh;
  useCatalogue.setState({ fault: null, isRefreshing: false });
  const kept = await bridge.catalogue.read({ connectionId });
  if (shownFor !== connectionId) return;
  if (kept.ok) showCatalogue(kept.value);
  else useCatalogue.setState({ fault: kept.error });
  if (mayRefresh && isStale(kept.ok ? kept.value : NONE)) await refreshCatalogue(connectionId);
}

function isStale({ fetchedAtMs }: Catalogue): boolean {
  return fetchedAtMs === null || Math.abs(Date.now() - fetchedAtMs) > MAX_AGE_MS;
}

/** The catalogue gives the time of each station's latest data, which changes every minute. */
function refreshIfStale(): void {
  const { catalogue, isRefreshing, fault } = useCatalogue.getState();
  // After a failure, the user has to retry.
  if (shownFor === null || !isRefreshable || isRefreshing || fault !== null || document.hidden) return;
  if (performance.now() - requestedAtMs < MAX_AGE_MS) return;
  if (catalogue.fetchedAtMs !== null && isStale(catalogue)) void refreshCatalogue(shownFor);
}

export async function refreshCatalogue(connectionId = shownFor ?? ""): Promise<void> {
  requestedAtMs = performance.now();
  useCatalogue.setState({ isRefreshing: true });
  const answer = await bridge.catalogue.refresh({ connectionId });
  if (shownFor !== connectionId) return;
  useCatalogue.setState({ isRefreshing: false, fault: answer.ok ? null : answer.error });
  if (answer.ok) showCatalogue(answer.value);
}

/**
 * Refreshes a stale catalogue, and one that could not be fetched once the service is reachable again, and shows the one
 * that another window fetched, and the stations of the first one as they arrive.
 */
export function followCatalogue(): void {
  setInterval(refreshIfStale, CHECK_INTERVAL_MS);
  let wasOffline = false;
  bridge.on("connectivity", ({ connectionId, state }) => {
    if (connectionId !== shownFor) return;
    const { fault, isRefreshing } = useCatalogue.getState();
    if (wasOffline && state === "online" && fault !== null && !isRefreshing) void refreshCatalogue(connectionId);
    wasOffline = state === "offline";
  });
  bridge.on("catalogueChanged", ({ connectionId }) => {
    if (shownFor === connectionId) void showKnown(connectionId);
  });
}

async function showKnown(connectionId: string): Promise<void> {
  const known = await bridge.catalogue.read({ connectionId });
  if (known.ok && shownFor === connectionId) showCatalogue(known.value);
}

/** Returns the display name of a station; its id if the catalogue never listed it. */
export function stationName(byId: ReadonlyMap<string, KnownStation>, id: string): string {
  const station = byId.get(id);
  return station ? stationLabel(station) : id;
}
