import type { SatelliteEpochs } from "#shared/bridge/methods/satellites.ts";
import { upperBound } from "#shared/time/search.ts";
import { constellationAt } from "../constellations.ts";

/**
 * Satellites of one station over time, ready to draw. Epoch i has the entries from `offsets[i]` up to `offsets[i + 1]`;
 * arrays of entries are as long as `prn`.
 */
export interface Sky {
  /** UTC, strictly ascending. */
  readonly timesMs: Float64Array;
  /** One longer than `timesMs`. */
  readonly offsets: Uint32Array;
  readonly prns: readonly string[];
  /** Place in `CONSTELLATIONS` of each of `prns`. */
  readonly constellation: Uint8Array;
  /** Index into `prns`. */
  readonly prn: Uint16Array;
  /** NaN: no value, here and below. */
  readonly elevationDeg: Float64Array;
  readonly azimuthDeg: Float64Array;
  /** Place on the disc of `polar.ts`. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Entry of the same satellite one step before; -1 where there is none. */
  readonly previous: Int32Array;
  readonly bands: readonly { readonly name: string; readonly cn0DbHz: Float64Array }[];
  readonly problems: SatelliteEpochs["problems"];
  /** Milliseconds between two epochs where none is missing. */
  readonly stepMs: number;
}

/** A sky that nothing is read of yet. */
export function emptySky(stepMs: number): Sky {
  const none = new Float64Array(0);
  return {
    timesMs: none,
    offsets: new Uint32Array(1),
    prns: [],
    constellation: new Uint8Array(0),
    prn: new Uint16Array(0),
    elevationDeg: none,
    azimuthDeg: none,
    x: new Float32Array(0),
    y: new Float32Array(0),
    previous: new Int32Array(0),
    bands: [],
    problems: [],
    stepMs,
  };
}

/** What of a sky is looked at. */
export interface SkyFilter {
  /** Entries below are left out; 0 leaves out nothing, also not those without elevation. */
  readonly cutOffDeg: number;
  /** 1 for each place of `CONSTELLATIONS` that is shown. */
  readonly shown: Uint8Array;
}

/** Place in `CONSTELLATIONS` of the satellite of an entry. */
export function constellationPlace(sky: Sky, entry: number): number {
  return sky.constellation[sky.prn[entry]!]!;
}

/** An entry as one object: for tables and words, not for loops over all of them. */
export function satelliteAt(sky: Sky, entry: number) {
  return {
    prn: sky.prns[sky.prn[entry]!]!,
    constellation: constellationAt(constellationPlace(sky, entry)),
    elevationDeg: sky.elevationDeg[entry]!,
    azimuthDeg: sky.azimuthDeg[entry]!,
    bands: sky.bands.map(({ name, cn0DbHz }) => ({ name, cn0DbHz: cn0DbHz[entry]! })),
  };
}

export function passes(sky: Sky, { cutOffDeg, shown }: SkyFilter, entry: number): boolean {
  if (shown[constellationPlace(sky, entry)] !== 1) return false;
  return cutOffDeg <= 0 || sky.elevationDeg[entry]! >= cutOffDeg;
}

/** The entries of an epoch that are shown; none of no epoch. */
export function entriesAt(sky: Sky, filter: SkyFilter, epoch: number): number[] {
  const entries: number[] = [];
  if (epoch < 0) return entries;
  const end = sky.offsets[epoch + 1]!;
  for (let entry = sky.offsets[epoch]!; entry < end; entry++) if (passes(sky, filter, entry)) entries.push(entry);
  return entries;
}

/** The epoch that stands at the moment: the last one not after it, if it is no older than a step and a half; else -1. */
export function epochAt({ timesMs, stepMs }: Sky, momentMs: number): number {
  const epoch = upperBound(timesMs, momentMs) - 1;
  return momentMs - (timesMs[epoch] ?? Number.NEGATIVE_INFINITY) <= 1.5 * stepMs ? epoch : -1;
}
