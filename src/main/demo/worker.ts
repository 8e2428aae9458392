import { parentPort, workerData } from "node:worker_threads";
import { defined } from "#shared/defined.ts";
import { createWorld, startService } from "#service/index.ts";
import type { ServiceOptions } from "#service/index.ts";

type World = ReturnType<typeof createWorld>;

/** Names of the built-in world that exist only for tests, and realistic ones instead. */
const ORDINARY: Readonly<Record<string, string>> = {
  "=SUM(Mast 008)": "Mast 008 Bursztynowo",
  "@Mast 009 Uusisaari": "Mast 009 Uusisaari",
  'Drammenvik "Gamle Fyr"': "Drammenvik Gamle Fyr",
};

/** Returns the same world with realistic names of stations. */
function withOrdinaryNames(world: World): World {
  const stations = world.stations.map((station) => {
    const displayName = ORDINARY[station.displayName];
    return displayName === undefined ? station : { ...station, displayName };
  });
  const byId = new Map(stations.map((station) => [station.id, station]));
  return { ...world, stations, station: (id) => byId.get(id) };
}

/** The organization of the demo: entitled to everything, but with low limits, so that users see splitting and waiting. */
function demoOptions(apiKey: string): ServiceOptions {
  return {
    organizations: [
      {
        key: apiKey,
        name: "Aurora",
        owner: "aurora",
        networks: "all",
        stationIds: [],
        withheldStationIds: [],
        hasLocation: true,
        maxPoints: 50_000,
        deadlineMs: 30_000,
        maxConcurrent: 3,
      },
    ],
  };
}

// The service runs in a thread of its own, as it would on a machine of its own, so its computations do not delay the
// program.
const service = await startService({
  ...demoOptions((workerData as { apiKey: string }).apiKey),
  world: withOrdinaryNames(createWorld()),
  logLength: 0,
});
defined(parentPort).once("message", () => void service.close().then(() => process.exit(0)));
defined(parentPort).postMessage({ url: service.url });
