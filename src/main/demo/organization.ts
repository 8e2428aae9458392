import type { ServiceOptions } from "#service/options.ts";

/** The organization of the demo: it sees everything, but little at a time, so that splitting and waiting can be seen. */
export function demoOptions(apiKey: string): ServiceOptions {
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
