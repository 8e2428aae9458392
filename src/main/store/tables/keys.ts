import { crc32 } from "node:zlib";
import type { SeriesMode } from "#shared/series/rows.ts";
import type { Variable, VariableKind } from "#shared/service/variables.ts";
import { DamagedData } from "../errors.ts";

/** A mode as it lies in the tables. */
export interface ModeKey {
  /** 0 is every observation. */
  readonly interval: number;
  readonly raw: 0 | 1;
}

/** The chunks of one station: all variables of a kind in one mode. */
export interface ChunkKey extends ModeKey {
  readonly site: number;
  readonly kind: VariableKind;
}

export interface SeriesKey extends ModeKey {
  readonly site: number;
  readonly variable: Variable;
}

/** Condition of a statement for one `ChunkKey`; takes `valuesOfChunk`. */
export const OF_CHUNK = "site = ? AND kind = ? AND interval_seconds = ? AND raw = ?";
/** Condition of a statement for one `SeriesKey`; takes `valuesOfSeries`. */
export const OF_SERIES = "site = ? AND variable = ? AND interval_seconds = ? AND raw = ?";

export function valuesOfChunk(key: ChunkKey): [number, string, number, number] {
  return [key.site, key.kind, key.interval, key.raw];
}

export function valuesOfSeries(key: SeriesKey): [number, string, number, number] {
  return [key.site, key.variable, key.interval, key.raw];
}

export function modeKey(mode: SeriesMode): ModeKey {
  return { interval: mode.intervalSeconds ?? 0, raw: mode.raw ? 1 : 0 };
}

/** Checksum of plain values and blobs; SQLite itself notices damage to its pages only where their order breaks. */
export function checksum(plain: readonly unknown[], ...blobs: readonly (Uint8Array | null)[]): number {
  let sum = crc32(plain.join());
  for (const blob of blobs) {
    if (blob === null) continue;
    // A damaged record may hold another type than its column has.
    if (!(blob instanceof Uint8Array)) throw new DamagedData("bytes that are none");
    sum = crc32(blob, sum);
  }
  return sum;
}

/**
 * The same of many rows of one series, each of `plain`, the text of its bucket and a blob: what they have in common is
 * counted once.
 */
export function bucketChecksums(plain: readonly unknown[]): (bucket: string, blob: Uint8Array) => number {
  const common = crc32(`${plain.join()},`);
  return (bucket, blob) => crc32(blob, crc32(bucket, common));
}

/** @throws DamagedData */
export function demand(stored: number, expected: number): void {
  if (stored !== expected) throw new DamagedData("a checksum that does not fit");
}
