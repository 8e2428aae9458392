import type { SatelliteEpochs } from "#shared/bridge/methods/series.ts";
import { upperBound } from "#shared/arrays.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { constellationAt } from "../constellations.ts";

// The sky as a unit disc with north at the top: zenith at the centre, horizon at radius 1, x to the east and y to the
// south, as on a canvas. The radius is linear in elevation.

const RADIANS = Math.PI / 180;

export function discX(azimuthDeg: number, elevationDeg: number): number {
  return ((90 - elevationDeg) / 90) * Math.sin(azimuthDeg * RADIANS);
}

export function discY(azimuthDeg: number, elevationDeg: number): number {
  return ((elevationDeg - 90) / 90) * Math.cos(azimuthDeg * RADIANS);
}

/** Returns the azimuth in degrees, 0 to 360, clockwise from north; 0 at the zenith. */
export function azimuthAt(x: number, y: number): number {
  const degrees = Math.atan2(x, -y) / RADIANS;
  return degrees < 0 ? degrees + 360 : degrees;
}

/** Returns the elevation in degrees: 90 at the centre, 0 at the rim, negative outside. */
export function elevationAt(x: number, y: number): number {
  return 90 - 90 * Math.hypot(x, y);
}

/**
 * Satellites of one station over time. Epoch i has the entries from `offsets[i]` to before `offsets[i + 1]`; arrays of
 * entries have the length of `prn`.
 */
export interface Sky {
  /** UTC, strictly ascending. */
  readonly timesMs: Float64Array;
  /** One longer than `timesMs`. */
  readonly offsets: Uint32Array;
  readonly prns: readonly string[];
  /** Index into `CONSTELLATIONS` for each of `prns`. */
  readonly constellation: Uint8Array;
  /** Index into `prns`. */
  readonly prn: Uint16Array;
  /** NaN: no value, here and below. */
  readonly elevationDeg: Float64Array;
  readonly azimuthDeg: Float64Array;
  /** Position on the disc, by `discX` and `discY`. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Previous entry of the same satellite, one step before; -1: none. */
  readonly previous: Int32Array;
  readonly bands: readonly { readonly name: string; readonly cn0DbHz: Float64Array }[];
  readonly problems: SatelliteEpochs["problems"];
  /** Milliseconds between consecutive epochs. */
  readonly stepMs: number;
}

/** Returns a sky without epochs. */
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

/** Selects entries of a sky. */
export interface SkyFilter {
  /** Entries below are excluded; 0 excludes none, not even entries without elevation. */
  readonly cutOffDeg: number;
  /** 1 for each shown constellation, by index into `CONSTELLATIONS`. */
  readonly shown: Uint8Array;
}

export function constellationIndex(sky: Sky, entry: number): number {
  return sky.constellation[sky.prn[entry]!]!;
}

/** Returns the identifier of the satellite of an entry; empty outside the sky. */
export function prnAt(sky: Sky, entry: number): string {
  return sky.prns[sky.prn[entry] ?? -1] ?? "";
}

/** Returns an entry as an object, for tables and texts; too slow for loops over all entries. */
export function satelliteAt(sky: Sky, entry: number) {
  return {
    prn: prnAt(sky, entry),
    constellation: constellationAt(constellationIndex(sky, entry)),
    elevationDeg: sky.elevationDeg[entry] ?? Number.NaN,
    azimuthDeg: sky.azimuthDeg[entry] ?? Number.NaN,
    bands: sky.bands.map(({ name, cn0DbHz }) => ({ name, cn0DbHz: cn0DbHz[entry] ?? Number.NaN })),
  };
}

export function passes(sky: Sky, { cutOffDeg, shown }: SkyFilter, entry: number): boolean {
  if (shown[constellationIndex(sky, entry)] !== 1) return false;
  return cutOffDeg <= 0 || sky.elevationDeg[entry]! >= cutOffDeg;
}

/** Returns the entries of an epoch that pass the filter; none if the epoch is negative. */
export function entriesAt(sky: Sky, filter: SkyFilter, epoch: number): number[] {
  const entries: number[] = [];
  const [start = 0, end = 0] = epoch < 0 ? [] : sky.offsets.subarray(epoch, epoch + 2);
  for (let entry = start; entry < end; entry++) if (passes(sky, filter, entry)) entries.push(entry);
  return entries;
}

export function entriesUpTo(sky: Sky, momentMs: UtcMs): number {
  return sky.offsets[upperBound(sky.timesMs, momentMs)] ?? 0;
}

export function timeOf(sky: Sky, entry: number): UtcMs {
  return sky.timesMs[sky.offsets.findLastIndex((first) => first <= entry)] ?? Number.NaN;
}

/** Returns the entries at a moment, and the last entry of each other satellite whose track of this length is drawn. */
export function trackEnds(sky: Sky, filter: SkyFilter, momentMs: UtcMs, windowMs: number): number[] {
  const ends = entriesAt(sky, filter, epochAt(sky, momentMs));
  const isFound = new Uint8Array(sky.prns.length);
  for (const entry of ends) isFound[sky.prn[entry]!] = 1;
  const first = entriesUpTo(sky, momentMs - windowMs);
  for (let entry = entriesUpTo(sky, momentMs) - 1; entry >= first; entry--) {
    const prn = sky.prn[entry]!;
    if (isFound[prn] === 1 || Number.isNaN(sky.x[entry]) || !passes(sky, filter, entry)) continue;
    isFound[prn] = 1;
    ends.push(entry);
  }
  return ends;
}

/** Returns the last epoch not after a moment, if it is at most 1.5 steps old; else -1. */
export function epochAt({ timesMs, stepMs }: Sky, momentMs: number): number {
  const epoch = upperBound(timesMs, momentMs) - 1;
  return momentMs - (timesMs[epoch] ?? Number.NEGATIVE_INFINITY) <= 1.5 * stepMs ? epoch : -1;
}
