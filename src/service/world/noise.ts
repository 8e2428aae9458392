import { hash, type Key } from "./random.ts";

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

/**
 * Several octaves of smooth noise, each with half the period and `fade` times the amplitude of the one before: weather
 * varies on every scale, less on small ones.
 *
 * @returns a number with the amplitude of the first octave, in [-1, 1)
 */
export function layeredNoise(key: Key, timeMs: number, periodMs: number, octaves: number, fade: number): number {
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
