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
