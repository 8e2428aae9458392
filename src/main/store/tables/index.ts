import type { StationSize } from "#shared/series/cache.ts";
import { isVariable, type Variable } from "#shared/service/variables.ts";
import { codeOf, messageOf } from "#shared/fault.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { Db } from "../database/database.ts";
import { DamagedData } from "../errors.ts";
import { type CatalogueTable, catalogueTable } from "./catalogue.ts";
import { type ChunkTable, chunkTable } from "./chunks.ts";
import { type ColumnTable, columnTable } from "./columns.ts";
import { type ExtentTable, extentTable } from "./extents.ts";
import { type HeadTable, headTable } from "./heads.ts";
import { createReadCache, type PyramidTable, pyramidTable, type ReadCache } from "./pyramids.ts";
import { type RegisterTable, registerTable } from "./register.ts";
import { sealedSettingTable, type SettingTable } from "./settings.ts";
import { createVerifiedRanges, type SiteTable, siteTable, type VerifiedRanges } from "./sites.ts";

/** Storage used by stations, their pins and last uses. No method opens a transaction. */
interface MaintenanceTable {
  /** Returns every station that has data or is pinned. */
  sizes(): StationSize[];
  pin(stationIds: readonly string[], isPinned: boolean): void;
  use(usedAtMs: ReadonlyMap<string, UtcMs>): void;
}

interface StationRow {
  readonly stationId: string;
  readonly usedAtMs: number | null;
  readonly isPinned: number | null;
  readonly startMs: number | null;
  readonly endMs: number | null;
}

function maintenanceTable(db: Db): MaintenanceTable {
  const stations = db.prepare<[], StationRow>(
    `SELECT station_id AS stationId, used_at_ms AS usedAtMs, is_pinned AS isPinned, startMs, endMs
     FROM (SELECT station_id FROM site UNION SELECT station_id FROM care WHERE is_pinned = 1)
     LEFT JOIN care USING (station_id) LEFT JOIN site USING (station_id)
     LEFT JOIN (SELECT site, min(start_ms) AS startMs, max(end_ms) AS endMs FROM extent GROUP BY site) USING (site)`,
  );
  const sizes = db.prepare<[], { stationId: string; variable: string; bytes: number }>(
    "SELECT station_id AS stationId, variable, bytes FROM size JOIN site USING (site) WHERE bytes > 0",
  );
  const pin = db.prepare<[string, number]>(
    "INSERT INTO care (station_id, is_pinned) VALUES (?, ?) ON CONFLICT DO UPDATE SET is_pinned = excluded.is_pinned",
  );
  const use = db.prepare<[string, number]>(
    `INSERT INTO care (station_id, used_at_ms) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET used_at_ms = max(coalesce(used_at_ms, 0), excluded.used_at_ms)`,
  );
  return {
    sizes() {
      const bytesByStation = new Map<string, Partial<Record<Variable, number>>>();
      for (const { stationId, variable, bytes } of sizes.all()) {
        const own = bytesByStation.get(stationId) ?? {};
        if (isVariable(variable)) own[variable] = bytes;
        bytesByStation.set(stationId, own);
      }
      return stations.all().map(({ stationId, usedAtMs, isPinned, startMs, endMs }) => {
        const bytes = bytesByStation.get(stationId) ?? {};
        const totalBytes = Object.values(bytes).reduce((sum, n) => sum + n, 0);
        const asked = startMs === null || endMs === null ? null : { startMs, endMs };
        return { stationId, bytes, totalBytes, asked, usedAtMs, isPinned: isPinned === 1 };
      });
    },
    pin(stationIds, isPinned) {
      for (const id of stationIds) pin.run(id, isPinned ? 1 : 0);
    },
    use(usedAtMs) {
      for (const [id, ms] of usedAtMs) use.run(id, ms);
    },
  };
}

/** All tables of a cache, with prepared statements. */
export interface Tables {
  readonly sites: SiteTable;
  readonly register: RegisterTable;
  readonly verified: VerifiedRanges;
  readonly chunks: ChunkTable;
  /** Parts of chunks, to be read only: `chunks` writes them consistently. */
  readonly heads: Pick<HeadTable, "read" | "rows">;
  readonly columns: Pick<ColumnTable, "heads" | "isWhole" | "valueCounts" | "values" | "all" | "each" | "find">;
  readonly pyramids: Pick<PyramidTable, "read" | "seal">;
  readonly extents: ExtentTable;
  readonly settings: SettingTable;
  readonly catalogue: CatalogueTable;
  readonly readCache: ReadCache;
  readonly maintenance: MaintenanceTable;
}

export function openTables(db: Db): Tables {
  const readCache = createReadCache(db);
  const verified = createVerifiedRanges(db);
  const sites = siteTable(db, verified);
  const register = registerTable(db, sites, verified);
  const heads = headTable(db, sites, register, verified);
  const columns = columnTable(db, heads, register);
  const pyramids = pyramidTable(db, readCache, register);
  return {
    readCache,
    sites,
    verified,
    register,
    chunks: chunkTable({ heads, columns, pyramids, readCache, register }),
    heads,
    columns,
    pyramids,
    extents: extentTable(db, register),
    settings: sealedSettingTable(db),
    catalogue: catalogueTable(db),
    maintenance: maintenanceTable(db),
  };
}

/**
 * Opens the tables of a file.
 *
 * @throws DamagedData if statements do not fit the tables: the schema of the file is damaged
 */
export function assertTables(db: Db): Tables {
  try {
    return openTables(db);
  } catch (cause) {
    if (codeOf(cause) === "SQLITE_ERROR") {
      throw new DamagedData(`a table description that was changed: ${messageOf(cause)}`, { cause });
    }
    throw cause;
  }
}
