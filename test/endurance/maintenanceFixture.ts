import { join } from "node:path";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { tries } from "../support/endurance.ts";

export const CONNECTION = "kept";
export const STATIONS = ["a", "b", "c", "d", "e"];
/** Never evicted. */
export const PINNED = "b";
export const SCALARS: readonly Variable[] = ["ztd", "pwv"];
/** About 100 kB a day. */
export function daysOf(days: number): TimeRange {
  return { startMs: Date.UTC(2026, 0, 1), endMs: Date.UTC(2026, 0, 1 + days) };
}
export const RANGE = daysOf(tries(8, 20));
export const NATIVE = { intervalSeconds: null, raw: false } as const;

export function movedTo(folder: string): string {
  return join(folder, "elsewhere", "moved.db");
}

/** A session file with all data of the cache. */
export function shared(folder: string): string {
  return join(folder, "s.zenith");
}

/** A maximum size: half of the used bytes. */
export function halfOf(usedBytes: number): number {
  return Math.round(usedBytes / 2);
}
