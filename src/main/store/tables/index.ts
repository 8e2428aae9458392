import { codeOf, messageOf } from "#shared/thrown.ts";
import type { Db } from "../database/database.ts";
import { DamagedData } from "../errors.ts";
import { type MaintenanceTable, maintenanceTable } from "./maintenance.ts";
import { type CatalogueTable, catalogueTable } from "./catalogue.ts";
import { type ChunkTable, chunkTable } from "./chunks.ts";
import { type ColumnTable, columnTable } from "./columns.ts";
import { type ExtentTable, extentTable } from "./extents.ts";
import { type HeadTable, headTable } from "./heads.ts";
import { type Caches, caches } from "./caches.ts";
import { type PyramidTable, pyramidTable } from "./pyramids.ts";
import { type RegisterTable, registerTable } from "./register.ts";
import { sealedSettingTable, type SettingTable } from "./settings.ts";
import { type SiteTable, siteTable } from "./sites.ts";
import { type Verified, verified } from "./verified.ts";

/** All tables of a cache, with their statements prepared once. */
export interface Tables {
  readonly sites: SiteTable;
  readonly register: RegisterTable;
  readonly verified: Verified;
  readonly chunks: ChunkTable;
  /** Parts of chunks, to be read alone: they are written through `chunks`, which keeps them together. */
  readonly heads: Pick<HeadTable, "read" | "rows">;
  readonly columns: Pick<ColumnTable, "heads" | "isWhole" | "valueCounts" | "values" | "all" | "each" | "find">;
  readonly pyramids: Pick<PyramidTable, "read" | "seal">;
  readonly extents: ExtentTable;
  readonly settings: SettingTable;
  readonly catalogue: CatalogueTable;
  readonly caches: Caches;
  readonly maintenance: MaintenanceTable;
}

export function openTables(db: Db): Tables {
  const kept = caches(db);
  const known = verified(db);
  const sites = siteTable(db, known);
  const register = registerTable(db, sites, known);
  const heads = headTable(db, sites, register, known);
  const columns = columnTable(db, heads, register);
  const pyramids = pyramidTable(db, kept, register);
  return {
    caches: kept,
    sites,
    verified: known,
    register,
    chunks: chunkTable({ heads, columns, pyramids, caches: kept, register }),
    heads,
    columns,
    pyramids,
    extents: extentTable(db, register),
    settings: sealedSettingTable(db),
    catalogue: catalogueTable(db),
    maintenance: maintenanceTable(db),
  };
}

/** Statements that do not fit the tables of a file of the right version: its schema is damaged. @throws DamagedData */
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
