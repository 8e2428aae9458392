/**
 * All randomness of the simulated world is a hash of a key and an integer. So any moment can be computed by itself, in
 * any order, with the same value as when computed along with its neighbours.
 */

/** A well mixed 32-bit number; keys are created once per station and purpose, then used with `hash`. */
export type Key = number;

const GOLDEN = 0x9e3779b1;
const TWO_POW_32 = 4_294_967_296;

/** @returns the key of a text such as `1:KALL00FIN0:outage` */
export function keyOf(...parts: readonly (string | number)[]): Key {
  let h = 0x811c9dc5;
  const text = parts.join(":");
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return mix(mix(h) ^ GOLDEN);
}

/** @returns 32 well mixed bits, as an unsigned integer; `n` is an integer, taken modulo 2^32 */
export function hash(key: Key, n: number): number {
  return mix(key ^ Math.imul(n, GOLDEN));
}

/** @returns a number in [0, 1) */
export function unit(key: Key, n: number): number {
  return hash(key, n) / TWO_POW_32;
}

/** @returns a number in [-1, 1) with a triangular distribution, standard deviation 0.41 */
export function bell(key: Key, n: number): number {
  const bits = hash(key, n);
  return ((bits & 0xffff) + (bits >>> 16)) / 65_536 - 1;
}

/** @returns an integer in [low, high] */
export function between(key: Key, n: number, low: number, high: number): number {
  return low + Math.floor(unit(key, n) * (high - low + 1));
}

/** @returns a UUID in the form of version 4, determined by the key */
export function uuidOf(key: Key): string {
  const hex = [0, 1, 2, 3].map((n) => hash(key, n).toString(16).padStart(8, "0")).join("");
  const variant = "89ab".charAt(hash(key, 4) & 3);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

/** The finalizer of MurmurHash3: every bit of the input affects every bit of the result. */
function mix(value: number): number {
  let h = value ^ (value >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

const HALF = 2_147_483_648;

/**
 * Smooth noise over time: random values at multiples of the period, and an S-curve between them. The value at a moment
 * depends on nothing but the moment, so it is the same in any order of calls.
 *
 * @returns a number in [-1, 1); standard deviation about 0.5
 */
export function smoothNoise(key: Key, timeMs: number, periodMs: number): number {
  const position = timeMs / periodMs;
  const cell = Math.floor(position);
  const f = position - cell;
  const from = hash(key, cell) / HALF - 1;
  const to = hash(key, cell + 1) / HALF - 1;
  return from + (to - from) * f * f * (3 - 2 * f);
}

export interface NoiseLayers {
  /** Of the first octave. */
  readonly periodMs: number;
  readonly octaves: number;
  readonly fade: number;
}

/**
 * Several octaves of smooth noise, each with half the period and `fade` times the amplitude of the one before: weather
 * varies on every scale, less on small ones.
 *
 * @returns a number with the amplitude of the first octave, in [-1, 1)
 */
export function layeredNoise(key: Key, timeMs: number, { periodMs, octaves, fade }: NoiseLayers): number {
  let sum = 0;
  let size = 1;
  let total = 0;
  let period = periodMs;
  for (let octave = 0; octave < octaves; octave++) {
    sum += size * smoothNoise((key + Math.imul(octave, 0x632be5ab)) >>> 0, timeMs, period);
    total += size;
    size *= fade;
    // Not exactly half: the knots of the octaves must not coincide.
    period *= 0.47;
  }
  return sum / total;
}

/** The S-curve from 0 at `from` to 1 at `to`; flat outside. */
export function smoothStep(x: number, from: number, to: number): number {
  const f = Math.min(1, Math.max(0, (x - from) / (to - from)));
  return f * f * (3 - 2 * f);
}
