import { setImmediate as otherTurns } from "node:timers/promises";
import type { StationSize } from "#shared/series/stationSize.ts";
import type { Cache } from "../../store/types.ts";

/** What was forgotten to make room. */
export interface Eviction {
  readonly stationIds: readonly string[];
  readonly freedBytes: number;
  /** All that is left is pinned or in use, and it is more than the limit. */
  readonly isStillOver: boolean;
}

/** Stations whose data may go, the one that was used longest ago first; of two alike the larger one. */
export function evictionOrder(
  stations: readonly StationSize[],
  isInUse: (stationId: string) => boolean,
): readonly StationSize[] {
  return stations
    .filter((s) => !s.isPinned && s.asked !== null && !isInUse(s.stationId))
    .toSorted((a, b) => (a.usedAtMs ?? 0) - (b.usedAtMs ?? 0) || b.totalBytes - a.totalBytes);
}

/**
 * Forgets the data of stations until the file uses no more than the limit. Pinned ones and those in use are left alone.
 * Others have their turn after each station.
 *
 * @param isInUse whether a download works with the station, asked right before it would go
 * @throws StoreError
 */
export async function evict(
  cache: Pick<Cache, "usedBytes" | "sizes" | "forget">,
  limitBytes: number,
  isInUse: (stationId: string) => boolean,
): Promise<Eviction> {
  const before = cache.usedBytes();
  const stationIds: string[] = [];
  if (before > limitBytes) {
    for (const { stationId } of evictionOrder(cache.sizes(), isInUse)) {
      if (cache.usedBytes() <= limitBytes) break;
      const isStillFree = cache.sizes().some((s) => s.stationId === stationId && !s.isPinned) && !isInUse(stationId);
      if (!isStillFree) continue;
      cache.forget([stationId], null);
      stationIds.push(stationId);
      await otherTurns();
    }
  }
  const after = cache.usedBytes();
  return { stationIds, freedBytes: Math.max(0, before - after), isStillOver: after > limitBytes };
}
