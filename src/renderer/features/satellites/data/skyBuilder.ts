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

/** Concatenates answers that follow each other in time. */
export class SkyBuilder {
  readonly #nominalStepMs: number;
  readonly #parts: number;
  #epochs = 0;
  #entries = 0;
  #timesMs = new Float64Array(0);
  #offsets = new Uint32Array(1);
  #prn = new Uint16Array(0);
  #elevationDeg = new Float64Array(0);
  #azimuthDeg = new Float64Array(0);
  #x = new Float32Array(0);
  #y = new Float32Array(0);
  #previous = new Int32Array(0);
  #stepMs: number | null = null;
  readonly #bands: { readonly name: string; cn0DbHz: Float64Array }[] = [];
  readonly #prns: string[] = [];
  readonly #indexOf = new Map<string, number>();
  readonly #problems = new Map<string, number>();
  /** Last entry of each satellite, and its time. */
  readonly #last: number[] = [];
  readonly #lastMs: number[] = [];

  /**
   * @param nominalStepMs the step if the data do not determine it
   * @param parts the expected number of parts
   */
  constructor(nominalStepMs: number, parts = 1) {
    this.#nominalStepMs = nominalStepMs;
    this.#parts = parts;
  }

  append(part: SatelliteEpochs): void {
    this.#ensureCapacity(part);
    this.#stepMs ??= typicalStep(part.timesMs);
    this.#timesMs.set(part.timesMs, this.#epochs);
    this.#elevationDeg.set(part.elevationDeg, this.#entries);
    this.#azimuthDeg.set(part.azimuthDeg, this.#entries);
    for (const { name, cn0DbHz } of part.bands)
      this.#bands.find((b) => b.name === name)?.cn0DbHz.set(cn0DbHz, this.#entries);
    const indices = part.prns.map((name) => this.#indexFor(name));
    for (const epoch of part.timesMs.keys()) this.#appendEpoch(part, epoch, indices);
    this.#epochs += part.timesMs.length;
    this.#entries += part.prn.length;
    this.#offsets[this.#epochs] = this.#entries;
    for (const { problem, count } of part.problems)
      this.#problems.set(problem, (this.#problems.get(problem) ?? 0) + count);
  }

  /** Returns the sky so far, as views that later parts do not change. */
  sky(): Sky {
    const entries = this.#entries;
    return {
      timesMs: this.#timesMs.subarray(0, this.#epochs),
      offsets: this.#offsets.subarray(0, this.#epochs + 1),
      prns: [...this.#prns],
      constellation: Uint8Array.from(this.#prns, constellationOf),
      prn: this.#prn.subarray(0, entries),
      elevationDeg: this.#elevationDeg.subarray(0, entries),
      azimuthDeg: this.#azimuthDeg.subarray(0, entries),
      x: this.#x.subarray(0, entries),
      y: this.#y.subarray(0, entries),
      previous: this.#previous.subarray(0, entries),
      bands: this.#bands.map(({ name, cn0DbHz }) => ({ name, cn0DbHz: cn0DbHz.subarray(0, entries) })),
      problems: [...this.#problems].map(([problem, count]) => ({ problem, count })),
      stepMs: this.#stepMs ?? this.#nominalStepMs,
    };
  }

  /** Places the satellites of an epoch, and connects them with their last entries. */
  #appendEpoch(part: SatelliteEpochs, epoch: number, indices: readonly number[]): void {
    const entries = this.#entries;
    const timeMs = part.timesMs[epoch]!;
    const gapMs = GAP_STEPS * (this.#stepMs ?? this.#nominalStepMs);
    const [start, end] = [part.offsets[epoch]!, part.offsets[epoch + 1]!];
    const [x, y, last, lastMs] = [this.#x, this.#y, this.#last, this.#lastMs];
    this.#offsets[this.#epochs + epoch] = entries + start;
    for (let i = start; i < end; i++) {
      const entry = entries + i;
      const satellite = indices[part.prn[i]!]!;
      this.#prn[entry] = satellite;
      const [azimuth, elevation] = [part.azimuthDeg[i]!, part.elevationDeg[i]!];
      x[entry] = discX(azimuth, elevation);
      y[entry] = discY(azimuth, elevation);
      this.#previous[entry] = timeMs - lastMs[satellite]! <= gapMs ? last[satellite]! : -1;
      // An entry without a position interrupts the track.
      const hasPosition = !Number.isNaN(x[entry]);
      last[satellite] = hasPosition ? entry : -1;
      lastMs[satellite] = timeMs;
    }
  }

  #ensureCapacity(part: SatelliteEpochs): void {
    const factor = this.#parts > 1 && this.#entries === 0 ? Math.ceil(this.#parts * CAPACITY_FACTOR) : 1;
    const size = this.#entries + part.prn.length;
    const epochs = this.#epochs + part.timesMs.length;
    this.#timesMs = grow(this.#timesMs, epochs, factor);
    this.#offsets = grow(this.#offsets, epochs + 1, factor);
    this.#prn = grow(this.#prn, size, factor);
    this.#elevationDeg = grow(this.#elevationDeg, size, factor);
    this.#azimuthDeg = grow(this.#azimuthDeg, size, factor);
    this.#x = grow(this.#x, size, factor);
    this.#y = grow(this.#y, size, factor);
    this.#previous = grow(this.#previous, size, factor);
    const { length } = this.#prn;
    for (const { name } of part.bands) {
      // A band that appears in a later part has no earlier values.
      if (!this.#bands.some((b) => b.name === name))
        this.#bands.push({ name, cn0DbHz: new Float64Array(length).fill(Number.NaN) });
    }
    for (const band of this.#bands) {
      const before = band.cn0DbHz.length;
      band.cn0DbHz = grow(band.cn0DbHz, length, 1);
      if (band.cn0DbHz.length > before) band.cn0DbHz.fill(Number.NaN, before);
    }
  }

  #indexFor(name: string): number {
    const known = this.#indexOf.get(name);
    if (known !== undefined) return known;
    this.#indexOf.set(name, this.#prns.length);
    this.#last.push(-1);
    this.#lastMs.push(Number.NEGATIVE_INFINITY);
    return this.#prns.push(name) - 1;
  }
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
function typicalStep(timesMs: Float64Array): number | null {
  const [first, ...others] = timesMs.subarray(0, STEP_SAMPLES + 1);
  let beforeMs = first ?? 0;
  const differences = Float64Array.from(others, (timeMs) => {
    const difference = timeMs - beforeMs;
    beforeMs = timeMs;
    return difference;
  }).toSorted();
  return differences[differences.length >> 2] ?? null;
}
