import { codeOf, messageOf } from "#shared/thrown.ts";
import type { Db } from "../database/database.ts";
import { DamagedData } from "../errors.ts";
import { type MaintenanceTable, maintenanceTable } from "./maintenance.ts";
import { type CatalogueTable, catalogueTable } from "./catalogue.ts";
import { type ChunkTable, chunkTable } from "./chunks.ts";
import { type ColumnTable, columnTable } from "./columns.ts";
import { type ExtentTable, extentTable } from "./extents.ts";
import { type HeadTable, headTable } from "./heads.ts";
import { type ReadCache, createReadCache } from "./readCache.ts";
import { type PyramidTable, pyramidTable } from "./pyramids.ts";
import { type RegisterTable, registerTable } from "./register.ts";
import { sealedSettingTable, type SettingTable } from "./settings.ts";
import { type SiteTable, siteTable } from "./sites.ts";
import { type VerifiedRanges, createVerifiedRanges } from "./verifiedRanges.ts";

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
