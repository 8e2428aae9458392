import { z } from "zod";
import { hasSameSettings } from "../edits.ts";

/** A named group of stations of one connection. */
const stationGroup = z.object({
  connectionId: z.string().min(1).max(100),
  name: z.string().trim().min(1).max(60),
  stationIds: z.array(z.string().min(1).max(200)).max(20_000).readonly(),
});
export const stationGroups = z.array(stationGroup).max(500).readonly();
export type StationGroup = z.output<typeof stationGroup>;

/** The group of starred stations. */
export const FAVOURITES = "Favourites";

/** Finds a group of a connection by its name, case-insensitively. */
export function groupNamed<Group extends Pick<StationGroup, "name">>(
  groups: readonly Group[],
  name: string,
): Group | undefined {
  const wanted = name.trim().toLowerCase();
  return groups.find((group) => group.name.toLowerCase() === wanted);
}

/** Applies the changes from `before` to `after` to the current groups. */
export function withGroupChanges(
  current: readonly StationGroup[],
  before: readonly StationGroup[],
  after: readonly StationGroup[],
): readonly StationGroup[] {
  const isIn = (groups: readonly StationGroup[], group: StationGroup): boolean =>
    groups.some((other) => hasSameSettings(other, group));
  const changed = [...before.filter((group) => !isIn(after, group)), ...after.filter((group) => !isIn(before, group))];
  const kept = current.filter(
    ({ connectionId, name }) => !changed.some((group) => group.connectionId === connectionId && group.name === name),
  );
  return [...kept, ...after.filter((group) => !isIn(before, group))];
}

/** Rank of each grouped station in lists with groups first: 0 for the first group, and so on. */
export type GroupRanks = ReadonlyMap<string, number>;

/** Returns the ranks of stations. A station of several groups belongs to the first of them. */
export function groupRanks(groups: readonly Pick<StationGroup, "stationIds">[]): GroupRanks {
  const ranks = new Map<string, number>();
  for (const [rank, { stationIds }] of groups.entries()) {
    for (const id of stationIds) if (!ranks.has(id)) ranks.set(id, rank);
  }
  return ranks;
}

/** Sorts stations of groups before the others; otherwise keeps the order. */
export function groupsFirst<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  ranks: GroupRanks,
): readonly Item[] {
  if (ranks.size === 0) return items;
  const rankOf = (item: Item): number => ranks.get(idOf(item)) ?? Number.MAX_SAFE_INTEGER;
  return items.toSorted((a, b) => rankOf(a) - rankOf(b));
}
