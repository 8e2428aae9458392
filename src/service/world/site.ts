import { type Horizon, horizonOf, offsetKm, type Position, pressureShare } from "./geometry.ts";
import { keyOf, unit, type Key } from "./random.ts";
import type { WorldStation } from "./types.ts";

/** A part of the world with its own weather, which moves over all its stations. */
export interface Region extends Position {
  readonly name: string;
  /** Direction in which weather moves, degrees clockwise from north: eastward in middle latitudes, westward in the tropics. */
  readonly driftDeg: number;
}

/** Random keys of a station, one for each purpose, so that they are independent. */
interface SiteKeys {
  readonly turbulence: Key;
  readonly sigma: Key;
  readonly epoch: Key;
  readonly missing: Key;
  readonly episode: Key;
  readonly signal: Key;
}

/** The properties of a station for the simulation, beyond the catalogue; created once. */
export interface Site {
  readonly firstDataMs: number | null;
  readonly lastDataMs: number | null;
  readonly stepMs: number;
  readonly latitudeDeg: number;
  readonly longitudeDeg: number;
  /** Above the geoid, metres. */
  readonly heightM: number;
  readonly region: Region;
  readonly regionKey: Key;
  /** From the middle of the region. */
  readonly eastKm: number;
  readonly northKm: number;
  readonly pressureShare: number;
  readonly horizon: Horizon;
  /** ZTD uncertainty in normal operation. */
  readonly settledSigmaMm: number;
  /** Frequency of interference at this place: 1 is average; masts in towns have more. */
  readonly jamming: number;
  /** Antenna and cable, dB. */
  readonly gainDb: number;
  readonly keys: SiteKeys;
}

export function siteOf(seed: number, station: WorldStation, region: Region): Site {
  const heightM = station.ellipsoidalHeight - station.geoidUndulation;
  const key = (purpose: string): Key => keyOf(seed, station.mountpoint, purpose);
  const trait = key("trait");
  return {
    firstDataMs: station.firstDataMs,
    lastDataMs: station.lastDataMs,
    stepMs: station.nativeSeconds * 1000,
    latitudeDeg: station.latitudeDeg,
    longitudeDeg: station.longitudeDeg,
    heightM,
    region,
    regionKey: keyOf(seed, region.name, "weather"),
    ...offsetKm(station, region),
    pressureShare: pressureShare(heightM),
    horizon: horizonOf(station, station.ellipsoidalHeight),
    settledSigmaMm: 1.4 + 1.2 * unit(trait, 0),
    jamming: (station.sourceType === "telco" ? 1.4 : 0.8) * (0.7 + 0.6 * unit(trait, 1)),
    gainDb: unit(trait, 2) - 0.5,
    keys: {
      turbulence: key("turbulence"),
      sigma: key("sigma"),
      epoch: key("epoch"),
      missing: key("missing"),
      episode: key("episode"),
      signal: key("signal"),
    },
  };
}
