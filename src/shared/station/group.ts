import { z } from "zod";

/** Stations of one connection that the user keeps under a name. */
export const stationGroup = z.object({
  connectionId: z.string().min(1).max(100),
  name: z.string().trim().min(1).max(60),
  stationIds: z.array(z.string().min(1).max(200)).max(20_000).readonly(),
});
export const stationGroups = z.array(stationGroup).max(500).readonly();
export type StationGroup = z.output<typeof stationGroup>;

/** The group that a star adds to. */
export const FAVOURITES = "Favourites";

/** The group of this name among those of a connection, in any case. */
export function groupNamed<Group extends Pick<StationGroup, "name">>(
  groups: readonly Group[],
  name: string,
): Group | undefined {
  const wanted = name.trim().toLowerCase();
  return groups.find((group) => group.name.toLowerCase() === wanted);
}

/** Where stations of groups belong in a list that shows groups first: 0 for the first group, and so on. */
export type GroupPlaces = ReadonlyMap<string, number>;

/** A station of several groups belongs to the first of them. */
export function groupPlaces(groups: readonly Pick<StationGroup, "stationIds">[]): GroupPlaces {
  const places = new Map<string, number>();
  groups.forEach(({ stationIds }, place) => {
    for (const id of stationIds) if (!places.has(id)) places.set(id, place);
  });
  return places;
}

/** Stations of groups before the others, each group in the order that its stations had. */
export function groupsFirst<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  places: GroupPlaces,
): readonly Item[] {
  if (places.size === 0) return items;
  const placeOf = (item: Item): number => places.get(idOf(item)) ?? Number.MAX_SAFE_INTEGER;
  return items.toSorted((a, b) => placeOf(a) - placeOf(b));
}
