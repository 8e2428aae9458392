import type { UtcMs } from "#shared/time/utc.ts";
import { catalogueOf } from "./catalogue/stations.ts";
import { epochsOf } from "./epochs.ts";
import { satelliteTexts, type SatelliteTexts } from "./satellites.ts";
import type { Site } from "./site.ts";
import { segmentAt, type State } from "./timeline.ts";
import type { World, WorldStation } from "./types.ts";
import { lastEpoch, observedIn, stateAt, visibleRange } from "./visible.ts";
import { emptyWeather, forecaster, type Weather } from "./weather.ts";

export type { SatelliteTexts } from "./satellites.ts";
export type { State } from "./timeline.ts";
export type { Weather } from "./weather.ts";

/** The simulated world, with the true values behind its measurements, for tests. */
interface SimulatedWorld extends World {
  /** The quality of an epoch, or `gap` if it has no observation; ignores latency. */
  explain(station: WorldStation, timeMs: UtcMs): State;
  /** The satellite texts of one epoch, as `epochs` returns them, whether or not the station observed. */
  satellites(station: WorldStation, timeMs: UtcMs): SatelliteTexts;
  /** The true atmosphere above a station. Pure; delays and water in mm, pressure in hPa, temperature in K. */
  weather(station: WorldStation, timeMs: UtcMs): Readonly<Weather>;
}

/**
 * Creates the world of the reference service: more than sixty fictional stations and everything they ever observed. It is a pure
 * function of the seed and of time: any epoch is computed by itself, on demand, and nothing is stored.
 *
 * @param options.stations number of stations, by default those of the plans; further ones are generated
 */
export function createWorld({
  seed = 1,
  stations: count,
}: { readonly seed?: number | undefined; readonly stations?: number | undefined } = {}): SimulatedWorld {
  const { networks, stations, sites } = catalogueOf(seed, count);
  const byId = new Map(stations.map((station) => [station.id, station]));
  const siteFor = (station: WorldStation): Site => {
    const site = sites.get(station.id);
    if (!site) throw new Error(`This world has no station ${station.id} (${station.displayName}).`);
    return site;
  };
  return {
    seed,
    networks,
    stations,
    station: (id) => byId.get(id),
    lastUpdated(station, nowMs) {
      const site = siteFor(station);
      if (site.firstDataMs === null) return null;
      const range = visibleRange(site, station.latencyMs, { startMs: site.firstDataMs, endMs: Infinity, nowMs });
      return range.endMs <= range.startMs ? null : lastEpoch(site, range.endMs - 1, range.startMs);
    },
    observed: (station, request) => observedIn(siteFor(station), station.latencyMs, request),
    epochs: (station, request, blockRows) => epochsOf(siteFor(station), station.latencyMs, request, blockRows),
    explain: (station, timeMs) => stateAt(siteFor(station), timeMs),
    satellites(station, timeMs) {
      const site = siteFor(station);
      return satelliteTexts(site)(timeMs, segmentAt(site, timeMs));
    },
    weather(station, timeMs) {
      const weather = emptyWeather();
      forecaster(siteFor(station))(timeMs, weather);
      return weather;
    },
  };
}
