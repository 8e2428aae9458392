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

/** Saves stations as a group. Replacing a group of the same name can be undone. */
export function saveGroup(name: string, stationIds: readonly string[]): void {
  const trimmed = name.trim();
  change((groups, connectionId) => {
    const before = groupNamed(groups, trimmed);
    const group = { connectionId, name: trimmed, stationIds: [...stationIds] };
    if (before) showUndo(`The group “${before.name}” was replaced.`, before, group);
    return [...groups.filter((other) => other !== before), group];
  });
}

/** Deletes a group; the deletion can be undone for a while. */
export function deleteGroup(group: StationGroup): void {
  change((groups) => groups.filter(({ name }) => name !== group.name));
  showUndo(`The group “${group.name}” was deleted.`, group, undefined);
}

/** Offers to put a group back for its connection, unless what this window left in its place was changed by then. */
function showUndo(text: string, before: StationGroup, left: StationGroup | undefined): void {
  const run = (): void => {
    const { stationGroups } = useSettings.getState().settings;
    const now = groupNamed(groupsOf(stationGroups, before.connectionId), before.name);
    if (JSON.stringify(now) !== JSON.stringify(left))
      showToast(`The group “${before.name}” was changed since, so the earlier one was not restored.`);
    else void changeGroups([...stationGroups.filter((other) => other !== now), before]);
  };
  showToast(text, { label: "Undo", run });
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
