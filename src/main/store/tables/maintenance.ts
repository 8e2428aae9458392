import type { StationSize } from "#shared/series/cache.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { Db } from "../database/database.ts";
import type { BucketTable } from "./buckets.ts";
import { ALL_TIME, type ChunkKey, keyText } from "./keys.ts";
import type { KeySummary, ReadCache } from "./readCache.ts";

interface StationRow {
  readonly stationId: string;
  readonly usedAtMs: number | null;
  readonly isPinned: number;
}

/** Storage used by stations, their pins and last uses. No method opens a transaction. */
export function maintenanceTable(db: Db, buckets: BucketTable, readCache: ReadCache) {
  const all = db.prepare<[], StationRow>(
    "SELECT station_id AS stationId, used_at_ms AS usedAtMs, is_pinned AS isPinned FROM maintenance",
  );
  const pin = db.prepare<[string, number]>(
    `INSERT INTO maintenance (station_id, is_pinned) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET is_pinned = excluded.is_pinned`,
  );
  const use = db.prepare<[string, number]>(
    `INSERT INTO maintenance (station_id, used_at_ms) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET used_at_ms = max(coalesce(used_at_ms, 0), excluded.used_at_ms)`,
  );
  const summaryOf = (key: ChunkKey): KeySummary => {
    const bytes: Partial<Record<Variable, number>> = {};
    let asked: TimeRange | null = null;
    for (const row of buckets.scan(key, ALL_TIME)) {
      for (const variable of row.variables)
        bytes[variable] = (bytes[variable] ?? 0) + (row.column(variable)?.bytes ?? 0);
      for (const variable of row.known)
        for (const { startMs, endMs } of row.extents(variable)) asked = hullOf(asked, { startMs, endMs });
    }
    return { bytes, asked };
  };
  return {
    /** Returns every station that has data or is pinned. */
    sizes(): StationSize[] {
      const known = new Map(all.all().map((row) => [row.stationId, row]));
      const summaries = Map.groupBy(buckets.keys(), ({ stationId }) => stationId);
      const pinned = [...known.values()].filter((row) => row.isPinned === 1).map((row) => row.stationId);
      return [...new Set([...summaries.keys(), ...pinned])].toSorted().map((stationId) => {
        const bytes: Partial<Record<Variable, number>> = {};
        let asked: TimeRange | null = null;
        for (const key of summaries.get(stationId) ?? []) {
          const own = readCache.summary(keyText(key), () => summaryOf(key));
          for (const [variable, n] of Object.entries(own.bytes) as [Variable, number][])
            bytes[variable] = (bytes[variable] ?? 0) + n;
          if (own.asked) asked = hullOf(asked, own.asked);
        }
        const totalBytes = Object.values(bytes).reduce((sum, n) => sum + n, 0);
        const { usedAtMs = null, isPinned = 0 } = known.get(stationId) ?? {};
        return { stationId, bytes, totalBytes, asked, usedAtMs, isPinned: isPinned === 1 };
      });
    },
    pin(stationIds: readonly string[], isPinned: boolean): void {
      for (const id of stationIds) pin.run(id, isPinned ? 1 : 0);
    },
    use(usedAtMs: ReadonlyMap<string, UtcMs>): void {
      for (const [id, ms] of usedAtMs) use.run(id, ms);
    },
  };
}

function hullOf(known: TimeRange | null, { startMs, endMs }: TimeRange): TimeRange {
  return known === null
    ? { startMs, endMs }
    : { startMs: Math.min(known.startMs, startMs), endMs: Math.max(known.endMs, endMs) };
}
