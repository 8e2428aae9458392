import { crc32 } from "node:zlib";
import type { SeriesMode } from "#shared/series/rows.ts";
import {
  SATELLITE_VARIABLES,
  SCALAR_VARIABLES,
  type Variable,
  type VariableKind,
  variableKind,
} from "#shared/service/variables.ts";
import { alignOutward, type TimeRange } from "#shared/time/range.ts";
import { DamagedData } from "../errors.ts";
import { DAY_MS, HOUR_MS, type UtcMs } from "#shared/time/utc.ts";

/** A mode as it is stored. */
export interface ModeKey {
  /** Seconds; 0 for every observation. */
  readonly interval: number;
  readonly raw: 0 | 1;
}

/** Identifies the buckets of one station: all variables of a kind in one mode. */
export interface ChunkKey extends ModeKey {
  readonly stationId: string;
  readonly kind: VariableKind;
}

/** SQL condition for one `ChunkKey`; takes `keyValues`. */
export const OF_KEY = "kind = ? AND interval_seconds = ? AND raw = ? AND station_id = ?";

export function keyValues({ kind, interval, raw, stationId }: ChunkKey): [string, number, number, string] {
  return [kind, interval, raw, stationId];
}

/** Returns a text that identifies a key. */
export function keyText(key: ChunkKey): string {
  return keyValues(key).join();
}

export function variablesOfKind(kind: VariableKind): readonly Variable[] {
  return kind === "scalar" ? SCALAR_VARIABLES : SATELLITE_VARIABLES;
}

/** Returns the length of the buckets of a key, ms. */
export function bucketLength({ kind, interval }: Pick<ChunkKey, "kind" | "interval">): number {
  return bucketMs(kind, interval === 0 ? null : interval);
}

/** Returns the whole buckets that a range touches, as one range. */
export function bucketsIn(key: Pick<ChunkKey, "kind" | "interval">, range: TimeRange): TimeRange {
  return alignOutward(range, bucketLength(key) / 1_000);
}

/** Returns the kinds of some variables, each with its own ones. */
export function byKind(variables: readonly Variable[]) {
  return (["scalar", "satellite"] as const)
    .map((kind) => ({ kind, variables: variables.filter((variable) => variableKind(variable) === kind) }))
    .filter((own) => own.variables.length > 0);
}

export function modeKey(mode: SeriesMode): ModeKey {
  return { interval: mode.intervalSeconds ?? 0, raw: mode.raw ? 1 : 0 };
}

export function modeOf({ interval, raw }: ModeKey): SeriesMode {
  return { intervalSeconds: interval === 0 ? null : interval, raw: raw === 1 };
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

/** Damage in the buckets of a key. */
export class DamagedSeries extends DamagedData {
  readonly key: ChunkKey;

  constructor(key: ChunkKey, detail: string) {
    super(detail);
    this.key = key;
  }
}

/** @throws DamagedSeries if the checksums differ */
export function assertChecksum(key: ChunkKey, stored: number, expected: number): void {
  if (stored !== expected) throw new DamagedSeries(key, "a checksum that does not fit");
}

/** A range that includes all times of a cache. */
export const ALL_TIME: TimeRange = { startMs: -9e15, endMs: 9e15 };

/** A bucket of averaged rows holds about as many as a day of 30 s observations. */
const ROWS_PER_BUCKET = 2_880;

/**
 * Returns the time that one chunk covers: a UTC day of observations (a quarter of it for their satellite texts, so that
 * a chunk of a 1 s receiver stays small), or a whole number of days, about 2,880 rows, of averages. It depends on the
 * series only, so the same row is in the same bucket whichever request delivered it.
 */
export function bucketMs(kind: VariableKind, intervalSeconds: number | null): number {
  if (intervalSeconds === null) return kind === "scalar" ? DAY_MS : 6 * HOUR_MS;
  return Math.max(1, Math.round((ROWS_PER_BUCKET * intervalSeconds * 1_000) / DAY_MS)) * DAY_MS;
}

/** Returns the start of the bucket that contains the moment; buckets are counted from the epoch. */
export function bucketStart(moment: UtcMs, lengthMs: number): UtcMs {
  return Math.floor(moment / lengthMs) * lengthMs;
}
