import type { SatelliteEpochs } from "#shared/bridge/methods/satellites.ts";
import { constellationOf } from "../constellations.ts";
import { discX, discY } from "./polar.ts";
import type { Sky } from "./sky.ts";

/** Puts answers together that follow each other in time. Arrays have room for all parts if they are like the first. */
export interface SkyBuilder {
  append(part: SatelliteEpochs): void;
  /** Everything so far, as views that later parts do not change. */
  sky(): Sky;
}

type Numbers = Float64Array | Float32Array | Uint32Array | Uint16Array | Int32Array;

/** A distance of more than so many steps is a gap: tracks are open there. */
const GAP_STEPS = 2.5;
/** So many distances between epochs tell the step. */
const SAMPLES = 400;

/** Parts after the first may be a little longer. */
const ROOM = 1.05;

/**
 * @param nominalStepMs the step where the data tell none
 * @param parts how many there will be
 */
export function createSkyBuilder(nominalStepMs: number, parts = 1): SkyBuilder {
  let epochs = 0;
  let entries = 0;
  let timesMs = new Float64Array(0);
  let offsets = new Uint32Array(1);
  let prn = new Uint16Array(0);
  let elevationDeg = new Float64Array(0);
  let azimuthDeg = new Float64Array(0);
  let x = new Float32Array(0);
  let y = new Float32Array(0);
  let previous = new Int32Array(0);
  let stepMs: number | null = null;
  const bands: { readonly name: string; cn0DbHz: Float64Array }[] = [];
  const prns: string[] = [];
  const indexOf = new Map<string, number>();
  const problems = new Map<string, number>();
  /** Last entry of each satellite, and when it was. */
  const last: number[] = [];
  const lastMs: number[] = [];

  function makeRoom(part: SatelliteEpochs): void {
    const more = parts > 1 && entries === 0 ? Math.ceil(parts * ROOM) : 1;
    const size = entries + part.prn.length;
    timesMs = grown(timesMs, epochs + part.timesMs.length, more);
    offsets = grown(offsets, epochs + part.timesMs.length + 1, more);
    prn = grown(prn, size, more);
    elevationDeg = grown(elevationDeg, size, more);
    azimuthDeg = grown(azimuthDeg, size, more);
    x = grown(x, size, more);
    y = grown(y, size, more);
    previous = grown(previous, size, more);
    for (const { name } of part.bands) {
      // A band that turns up late has no values before.
      if (!bands.some((b) => b.name === name))
        bands.push({ name, cn0DbHz: new Float64Array(prn.length).fill(Number.NaN) });
    }
    for (const band of bands) {
      const before = band.cn0DbHz.length;
      band.cn0DbHz = grown(band.cn0DbHz, prn.length, 1);
      if (band.cn0DbHz.length > before) band.cn0DbHz.fill(Number.NaN, before);
    }
  }

  function indexFor(name: string): number {
    const known = indexOf.get(name);
    if (known !== undefined) return known;
    indexOf.set(name, prns.length);
    last.push(-1);
    lastMs.push(Number.NEGATIVE_INFINITY);
    return prns.push(name) - 1;
  }

  return {
    append(part) {
      makeRoom(part);
      stepMs ??= stepOf(part.timesMs);
      const gapMs = GAP_STEPS * (stepMs ?? nominalStepMs);
      const indices = part.prns.map(indexFor);
      timesMs.set(part.timesMs, epochs);
      elevationDeg.set(part.elevationDeg, entries);
      azimuthDeg.set(part.azimuthDeg, entries);
      for (const { name, cn0DbHz } of part.bands) bands.find((b) => b.name === name)?.cn0DbHz.set(cn0DbHz, entries);
      for (let epoch = 0; epoch < part.timesMs.length; epoch++) {
        const timeMs = part.timesMs[epoch]!;
        offsets[epochs + epoch] = entries + part.offsets[epoch]!;
        for (let i = part.offsets[epoch]!; i < part.offsets[epoch + 1]!; i++) {
          const entry = entries + i;
          const satellite = indices[part.prn[i]!]!;
          prn[entry] = satellite;
          x[entry] = discX(part.azimuthDeg[i]!, part.elevationDeg[i]!);
          y[entry] = discY(part.azimuthDeg[i]!, part.elevationDeg[i]!);
          previous[entry] = timeMs - lastMs[satellite]! <= gapMs ? last[satellite]! : -1;
          // What has no place is no part of a track.
          const hasPlace = !Number.isNaN(x[entry]);
          last[satellite] = hasPlace ? entry : -1;
          lastMs[satellite] = timeMs;
        }
      }
      epochs += part.timesMs.length;
      entries += part.prn.length;
      offsets[epochs] = entries;
      for (const { problem, count } of part.problems) problems.set(problem, (problems.get(problem) ?? 0) + count);
    },
    sky: () => ({
      timesMs: timesMs.subarray(0, epochs),
      offsets: offsets.subarray(0, epochs + 1),
      prns: [...prns],
      constellation: Uint8Array.from(prns, constellationOf),
      prn: prn.subarray(0, entries),
      elevationDeg: elevationDeg.subarray(0, entries),
      azimuthDeg: azimuthDeg.subarray(0, entries),
      x: x.subarray(0, entries),
      y: y.subarray(0, entries),
      previous: previous.subarray(0, entries),
      bands: bands.map(({ name, cn0DbHz }) => ({ name, cn0DbHz: cn0DbHz.subarray(0, entries) })),
      problems: [...problems].map(([problem, count]) => ({ problem, count })),
      stepMs: stepMs ?? nominalStepMs,
    }),
  };
}

/** @param more how many times as large as needed */
function grown<T extends Numbers>(values: T, size: number, more: number): T {
  if (size <= values.length) return values;
  const Constructor = values.constructor as new (length: number) => T;
  const larger = new Constructor(Math.max(size * more, 2 * values.length));
  larger.set(values);
  return larger;
}

/** The step that most neighbours have: a lower quartile, which gaps do not move; null of fewer than two epochs. */
function stepOf(timesMs: Float64Array): number | null {
  const distances = Float64Array.from(
    { length: Math.min(SAMPLES, timesMs.length - 1) },
    (_, i) => timesMs[i + 1]! - timesMs[i]!,
  ).toSorted();
  return distances[distances.length >> 2] ?? null;
}
