import { crc32 } from "node:zlib";
import type { SeriesMode } from "#shared/series/rows.ts";
import { SATELLITE_VARIABLES, SCALAR_VARIABLES, type Variable, type VariableKind } from "#shared/service/variables.ts";
import { bucketMs } from "../chunks/bucket.ts";
import { DamagedData } from "../errors.ts";

/** A mode as it is stored. */
export interface ModeKey {
  /** Seconds; 0 for every observation. */
  readonly interval: number;
  readonly raw: 0 | 1;
}

/** Identifies the chunks of one station: all variables of a kind in one mode. */
export interface ChunkKey extends ModeKey {
  readonly site: number;
  readonly kind: VariableKind;
}

export interface SeriesKey extends ModeKey {
  readonly site: number;
  readonly variable: Variable;
}

/** SQL condition for one `ChunkKey`; takes `valuesOfChunk`. */
export const OF_CHUNK = "site = ? AND kind = ? AND interval_seconds = ? AND raw = ?";
/** SQL condition for one `SeriesKey`; takes `valuesOfSeries`. */
export const OF_SERIES = "site = ? AND variable = ? AND interval_seconds = ? AND raw = ?";

export function valuesOfChunk(key: ChunkKey): [number, string, number, number] {
  return [key.site, key.kind, key.interval, key.raw];
}

export function valuesOfSeries(key: SeriesKey): [number, string, number, number] {
  return [key.site, key.variable, key.interval, key.raw];
}

export function variablesOfKind(kind: VariableKind): readonly Variable[] {
  return kind === "scalar" ? SCALAR_VARIABLES : SATELLITE_VARIABLES;
}

/** Returns the length of the buckets of some chunks, ms. */
export function bucketLength({ kind, interval }: Pick<ChunkKey, "kind" | "interval">): number {
  return bucketMs(kind, interval === 0 ? null : interval);
}

export function modeKey(mode: SeriesMode): ModeKey {
  return { interval: mode.intervalSeconds ?? 0, raw: mode.raw ? 1 : 0 };
}

/**
 * Returns a checksum of plain values and blobs. SQLite itself detects damaged pages only if they break the order of
 * keys.
 *
 * @throws DamagedData if a blob is of another type
 */
export function checksum(plain: readonly unknown[], ...blobs: readonly (Uint8Array | null)[]): number {
  let sum = crc32(plain.join());
  for (const blob of blobs) {
    if (blob === null) continue;
    // A damaged record may have another type than its column.
    if (!(blob instanceof Uint8Array)) throw new DamagedData("a value that is not binary");
    sum = crc32(blob, sum);
  }
  return sum;
}

/**
 * Returns a function for the checksums of many rows of one series, each of `plain`, the text of its bucket and a blob.
 * The common part is computed once.
 */
export function bucketChecksums(plain: readonly unknown[]): (bucket: string, blob: Uint8Array) => number {
  const common = crc32(`${plain.join()},`);
  return (bucket, blob) => crc32(blob, crc32(bucket, common));
}

/** @throws DamagedData if the checksums differ */
export function assertChecksum(stored: number, expected: number): void {
  if (stored !== expected) throw new DamagedData("a checksum that does not fit");
}
