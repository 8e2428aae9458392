import { createHash } from "node:crypto";
import type { WorldStation } from "../world/types.ts";

/** One to two kilometres, which rounding to about one kilometre cannot undo. */
const MIN_SHIFT_DEG = 0.01;
const MAX_SHIFT_DEG = 0.02;
const ROUND_PER_DEG = 100;

interface Position {
  readonly latitudeDeg: number;
  readonly longitudeDeg: number;
}

/** The position in the catalogue: moved by a distance that is constant for each station, then rounded. */
export function obfuscatedPosition(station: Pick<WorldStation, "id" | "latitudeDeg" | "longitudeDeg">): Position {
  const digest = createHash("sha256").update(station.id).digest();
  const shift = (at: number): number => {
    const chance = digest.readUInt32BE(at) / 2 ** 31 - 1;
    return Math.sign(chance) * (MIN_SHIFT_DEG + Math.abs(chance) * (MAX_SHIFT_DEG - MIN_SHIFT_DEG));
  };
  const latitude = Math.min(90, Math.max(-90, station.latitudeDeg + shift(0)));
  const longitude = ((station.longitudeDeg + shift(4) + 540) % 360) - 180;
  return { latitudeDeg: rounded(latitude), longitudeDeg: rounded(longitude) };
}

function rounded(degrees: number): number {
  return Math.round(degrees * ROUND_PER_DEG) / ROUND_PER_DEG + 0;
}
