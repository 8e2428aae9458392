import { useMemo } from "react";
import {
  FAVOURITES,
  groupNamed,
  groupRanks,
  type GroupRanks,
  groupsFirst,
  type StationGroup,
} from "#shared/station/group.ts";
import { useConnection } from "./connection.ts";
import { changeGroups, useSettings } from "./settings.ts";
import { showToast } from "./toasts.ts";
import { selectStations } from "./workspace.ts";

const byName = new Intl.Collator("en", { numeric: true });

/** Returns the groups of the open connection: favourites first, the others by name. */
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

const NO_PLACES: GroupRanks = new Map();

/** Returns the positions of grouped stations in lists; empty if the user does not want groups first. */
export function useGroupPlaces(): GroupRanks {
  const groups = useGroups();
  const isWanted = useSettings((s) => s.settings.groupsFirst);
  return useMemo(() => (isWanted ? groupRanks(groups) : NO_PLACES), [groups, isWanted]);
}

interface PlotOrder {
  readonly groups: readonly StationGroup[];
  readonly connectionId: string | null;
  readonly selectedIds: readonly string[];
  readonly orderedIds: readonly string[];
}

let last: PlotOrder | null = null;

/** Returns the selected stations in the order of the plots; the same array if nothing has changed. */
export function inPlotOrder(selectedIds: readonly string[]): readonly string[] {
  const { groupsFirst: isWanted, stationGroups: groups } = useSettings.getState().settings;
  if (!isWanted) return selectedIds;
  const connectionId = useConnection.getState().current?.info.id ?? null;
  const isSame = last?.groups === groups && last.connectionId === connectionId && last.selectedIds === selectedIds;
  if (last && isSame) return last.orderedIds;
  const places = groupRanks(groupsOf(groups, connectionId));
  const orderedIds = groupsFirst(selectedIds, (id) => id, places);
  last = { groups, connectionId, selectedIds, orderedIds };
  return orderedIds;
}

function change(next: (groups: readonly StationGroup[], connectionId: string) => readonly StationGroup[]): void {
  const connectionId = useConnection.getState().current?.info.id;
  const { settings } = useSettings.getState();
  if (connectionId === undefined) return;
  const others = settings.stationGroups.filter((group) => group.connectionId !== connectionId);
  const own = settings.stationGroups.filter((group) => group.connectionId === connectionId);
  void changeGroups([...others, ...next(own, connectionId)]);
}

/** Saves stations as a group, replacing a group of the same name. */
export function saveGroup(name: string, stationIds: readonly string[]): void {
  const trimmed = name.trim();
  change((groups, connectionId) => {
    const before = groupNamed(groups, trimmed);
    const group = { connectionId, name: trimmed, stationIds: [...stationIds] };
    return [...groups.filter((other) => other !== before), group];
  });
}

/** Deletes a group; the deletion can be undone for a while. */
export function deleteGroup(group: StationGroup): void {
  change((groups) => groups.filter(({ name }) => name !== group.name));
  showToast(`The group “${group.name}” was deleted.`, { label: "Undo", run: () => restoreGroup(group) });
}

/** Saves a deleted group again for its connection, unless there is another of this name by now. */
function restoreGroup(group: StationGroup): void {
  const { stationGroups } = useSettings.getState().settings;
  const own = stationGroups.filter(({ connectionId }) => connectionId === group.connectionId);
  if (groupNamed(own, group.name))
    showToast(`A new group is named “${group.name}”, so the deleted one was not restored.`);
  else void changeGroups([...stationGroups, group]);
}

export function chooseGroup({ stationIds }: StationGroup): void {
  selectStations(stationIds);
}

export function useIsFavourite(stationId: string): boolean {
  const favourites = groupNamed(useGroups(), FAVOURITES);
  return favourites?.stationIds.includes(stationId) ?? false;
}

/** Adds a station to the favourites or removes it; removing the last one deletes the group. */
export function toggleFavourite(stationId: string): void {
  change((groups, connectionId) => {
    const before = groupNamed(groups, FAVOURITES);
    const ids = before?.stationIds ?? [];
    const others = ids.filter((id) => id !== stationId);
    const stationIds = others.length === ids.length ? [...ids, stationId] : others;
    const otherGroups = groups.filter((group) => group !== before);
    return stationIds.length === 0 ? otherGroups : [...otherGroups, { connectionId, name: FAVOURITES, stationIds }];
  });
}

export function isFavourite(stationId: string): boolean {
  const connectionId = useConnection.getState().current?.info.id ?? null;
  const groups = groupsOf(useSettings.getState().settings.stationGroups, connectionId);
  return groupNamed(groups, FAVOURITES)?.stationIds.includes(stationId) ?? false;
}
