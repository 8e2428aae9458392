import type { createWorld } from "#service/index.ts";

type World = ReturnType<typeof createWorld>;

/** Names of the built-in world that tests want, and that nobody gives a station. */
const ORDINARY: Readonly<Record<string, string>> = {
  "=SUM(Mast 008)": "Mast 008 Bursztynowo",
  "@Mast 009 Uusisaari": "Mast 009 Uusisaari",
  'Drammenvik "Gamle Fyr"': "Drammenvik Gamle Fyr",
};

/** The same world, whose stations have names as stations have. */
export function withOrdinaryNames(world: World): World {
  const stations = world.stations.map((station) => {
    const displayName = ORDINARY[station.displayName];
    return displayName === undefined ? station : { ...station, displayName };
  });
  const byId = new Map(stations.map((station) => [station.id, station]));
  return { ...world, stations, station: (id) => byId.get(id) };
}
