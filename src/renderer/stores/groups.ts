import { useMemo } from "react";
import {
  FAVOURITES,
  groupNamed,
  groupPlaces,
  type GroupPlaces,
  groupsFirst,
  type StationGroup,
} from "#shared/station/group.ts";
import { useConnection } from "./connection.ts";
import { useSettings } from "./settings.ts";
import { showToast } from "./toasts.ts";
import { chooseStations } from "./workspace.ts";

const byName = new Intl.Collator("en", { numeric: true });

/** Groups of the open connection, the favourites first, the others by name. */
export function useGroups(): readonly StationGroup[] {
  const connectionId = useConnection((s) => s.current?.info.id ?? null);
  const all = useSettings((s) => s.settings.stationGroups);
  return useMemo(() => groupsOf(all, connectionId), [all, connectionId]);
}

function isStarred({ name }: StationGroup): number {
  return Number(name === FAVOURITES);
}

function groupsOf(all: readonly StationGroup[], connectionId: string | null): readonly StationGroup[] {
  return all
    .filter((group) => group.connectionId === connectionId)
    .toSorted((a, b) => isStarred(b) - isStarred(a) || byName.compare(a.name, b.name));
}

const NO_PLACES: GroupPlaces = new Map();

/** Where stations of groups belong in lists; empty where the user does not want them first. */
export function useGroupPlaces(): GroupPlaces {
  const groups = useGroups();
  const isWanted = useSettings((s) => s.settings.groupsFirst);
  return useMemo(() => (isWanted ? groupPlaces(groups) : NO_PLACES), [groups, isWanted]);
}

interface Ordered {
  readonly groups: readonly StationGroup[];
  readonly connectionId: string | null;
  readonly chosen: readonly string[];
  readonly ids: readonly string[];
}

let ordered: Ordered | null = null;

/** Chosen stations in the order in which plots show them: the same array as long as nothing changes. */
export function inPlotOrder(chosen: readonly string[]): readonly string[] {
  const { groupsFirst: isWanted, stationGroups: groups } = useSettings.getState().settings;
  if (!isWanted) return chosen;
  const connectionId = useConnection.getState().current?.info.id ?? null;
  const isSame = ordered?.groups === groups && ordered.connectionId === connectionId && ordered.chosen === chosen;
  if (ordered && isSame) return ordered.ids;
  const places = groupPlaces(groupsOf(groups, connectionId));
  ordered = { groups, connectionId, chosen, ids: groupsFirst(chosen, (id) => id, places) };
  return ordered.ids;
}

function change(next: (groups: readonly StationGroup[], connectionId: string) => readonly StationGroup[]): void {
  const connectionId = useConnection.getState().current?.info.id;
  const { settings, change: write } = useSettings.getState();
  if (connectionId === undefined) return;
  const others = settings.stationGroups.filter((group) => group.connectionId !== connectionId);
  const own = settings.stationGroups.filter((group) => group.connectionId === connectionId);
  void write({ stationGroups: [...others, ...next(own, connectionId)] });
}

/** Keeps stations under a name; a group of that name is replaced. */
export function saveGroup(name: string, stationIds: readonly string[]): void {
  const kept = name.trim();
  change((groups, connectionId) => {
    const before = groupNamed(groups, kept);
    return [...groups.filter((group) => group !== before), { connectionId, name: kept, stationIds: [...stationIds] }];
  });
}

/** Deletes a group; for a while it can be taken back. */
export function deleteGroup({ name, stationIds }: StationGroup): void {
  change((groups) => groups.filter((group) => group.name !== name));
  showToast(`The group “${name}” is deleted.`, { label: "Undo", run: () => saveGroup(name, stationIds) });
}

export function chooseGroup({ stationIds }: StationGroup): void {
  chooseStations(stationIds);
}

export function useIsFavourite(stationId: string): boolean {
  const favourites = groupNamed(useGroups(), FAVOURITES);
  return favourites?.stationIds.includes(stationId) ?? false;
}

/** Adds a station to the favourites, or takes it away; the last one takes the group with it. */
export function toggleFavourite(stationId: string): void {
  change((groups, connectionId) => {
    const before = groupNamed(groups, FAVOURITES);
    const ids = before?.stationIds ?? [];
    const left = ids.filter((id) => id !== stationId);
    const stationIds = left.length === ids.length ? [...ids, stationId] : left;
    const others = groups.filter((group) => group !== before);
    return stationIds.length === 0 ? others : [...others, { connectionId, name: FAVOURITES, stationIds }];
  });
}

export function isFavourite(stationId: string): boolean {
  const connectionId = useConnection.getState().current?.info.id ?? null;
  const groups = groupsOf(useSettings.getState().settings.stationGroups, connectionId);
  return groupNamed(groups, FAVOURITES)?.stationIds.includes(stationId) ?? false;
}
