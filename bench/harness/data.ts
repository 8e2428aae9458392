import type { JobSpec } from "#shared/job/job.ts";
import { createWorld } from "#service/world/index.ts";
import { DAY_MS } from "#shared/time/utc.ts";

/** All measurements use this year of the simulated world, which is over, so that all of its data is final. */
const START_MS = Date.UTC(2025, 0, 1);
const STATIONS = 10;

/** Ten stations of the simulated world with an observation every 30 s over the whole year. */
export function benchStations(): readonly string[] {
  const complete = createWorld().stations.filter(
    (s) => s.resolutionSeconds === 30 && s.firstDataMs !== null && s.firstDataMs < START_MS && s.lastDataMs === null,
  );
  return complete.slice(0, STATIONS).map((s) => s.id);
}

/** ztd, ztd_sigma and pwv of the first stations over a number of days. */
export function scalarJob(stations: number, days: number): JobSpec {
  return {
    stationIds: benchStations().slice(0, stations),
    variables: ["ztd", "ztd_sigma", "pwv"],
    range: { startMs: START_MS, endMs: START_MS + days * DAY_MS },
    intervalSeconds: null,
    raw: false,
  };
}

/** The satellite variables of one station over a number of days. */
export function satelliteJob(days: number): JobSpec {
  return { ...scalarJob(1, days), variables: ["snr", "el", "az", "prn"] };
}
