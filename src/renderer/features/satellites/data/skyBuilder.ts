import type { SatelliteEpochs } from "#shared/bridge/methods/series.ts";
import { constellationOf } from "../constellations.ts";
import { discX, discY, type Sky } from "./sky.ts";

type NumberArray = Float64Array | Float32Array | Uint32Array | Uint16Array | Int32Array;

/** A longer time between epochs, in steps, is a gap that interrupts tracks. */
const GAP_STEPS = 2.5;
/** Number of time differences from which the step is determined. */
const STEP_SAMPLES = 400;

/** Arrays are allocated for all parts, assuming that they are about as long as the first. */
const CAPACITY_FACTOR = 1.05;

/**
 * Concatenates answers that follow each other in time.
 *
 * @param nominalStepMs the step if the data do not determine it
 * @param parts the expected number of parts
 */
export function createSkyBuilder(nominalStepMs: number, parts = 1) {
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
  /** Last entry of each satellite, and its time. */
  const last: number[] = [];
  const lastMs: number[] = [];

  function ensureCapacity(part: SatelliteEpochs): void {
    const factor = parts > 1 && entries === 0 ? Math.ceil(parts * CAPACITY_FACTOR) : 1;
    const size = entries + part.prn.length;
    timesMs = grow(timesMs, epochs + part.timesMs.length, factor);
    offsets = grow(offsets, epochs + part.timesMs.length + 1, factor);
    prn = grow(prn, size, factor);
    elevationDeg = grow(elevationDeg, size, factor);
    azimuthDeg = grow(azimuthDeg, size, factor);
    x = grow(x, size, factor);
    y = grow(y, size, factor);
    previous = grow(previous, size, factor);
    for (const { name } of part.bands) {
      // A band that appears in a later part has no earlier values.
      if (!bands.some((b) => b.name === name))
        bands.push({ name, cn0DbHz: new Float64Array(prn.length).fill(Number.NaN) });
    }
    for (const band of bands) {
      const before = band.cn0DbHz.length;
      band.cn0DbHz = grow(band.cn0DbHz, prn.length, 1);
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
    append(part: SatelliteEpochs): void {
      ensureCapacity(part);
      stepMs ??= stepOf(part.timesMs);
      const gapMs = GAP_STEPS * (stepMs ?? nominalStepMs);
      const indices = part.prns.map(indexFor);
      timesMs.set(part.timesMs, epochs);
      elevationDeg.set(part.elevationDeg, entries);
      azimuthDeg.set(part.azimuthDeg, entries);
      for (const { name, cn0DbHz } of part.bands) bands.find((b) => b.name === name)?.cn0DbHz.set(cn0DbHz, entries);
      for (const [epoch, timeMs] of part.timesMs.entries()) {
        const [start, end] = [part.offsets[epoch]!, part.offsets[epoch + 1]!];
        offsets[epochs + epoch] = entries + start;
        for (let i = start; i < end; i++) {
          const entry = entries + i;
          const satellite = indices[part.prn[i]!]!;
          prn[entry] = satellite;
          const [azimuth, elevation] = [part.azimuthDeg[i]!, part.elevationDeg[i]!];
          x[entry] = discX(azimuth, elevation);
          y[entry] = discY(azimuth, elevation);
          previous[entry] = timeMs - lastMs[satellite]! <= gapMs ? last[satellite]! : -1;
          // An entry without a position interrupts the track.
          const hasPosition = !Number.isNaN(x[entry]);
          last[satellite] = hasPosition ? entry : -1;
          lastMs[satellite] = timeMs;
        }
      }
      epochs += part.timesMs.length;
      entries += part.prn.length;
      offsets[epochs] = entries;
      for (const { problem, count } of part.problems) problems.set(problem, (problems.get(problem) ?? 0) + count);
    },
    /** Returns the sky so far, as views that later parts do not change. */
    sky: (): Sky => ({
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

/** @param factor capacity as a multiple of the required size */
function grow<T extends NumberArray>(values: T, size: number, factor: number): T {
  if (size <= values.length) return values;
  const Constructor = values.constructor as new (length: number) => T;
  const larger = new Constructor(Math.max(size * factor, 2 * values.length));
  larger.set(values);
  return larger;
}

/** Returns the lower quartile of time differences, which is robust against gaps; null for fewer than two epochs. */
function stepOf(timesMs: Float64Array): number | null {
  const [first, ...others] = timesMs.subarray(0, STEP_SAMPLES + 1);
  let beforeMs = first ?? 0;
  const differences = Float64Array.from(others, (timeMs) => {
    const difference = timeMs - beforeMs;
    beforeMs = timeMs;
    return difference;
  }).toSorted();
  return differences[differences.length >> 2] ?? null;
}
