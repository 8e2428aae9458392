import type { Db } from "../database.ts";
import { DamagedData } from "../errors.ts";
import { type CareTable, careTable } from "./care.ts";
import { type CatalogueTable, catalogueTable } from "./catalogue.ts";
import { type ChunkTable, chunkTable } from "./chunks.ts";
import { type ExtentTable, extentTable } from "./extents.ts";
import { type Memories, memories } from "./memories.ts";
import { type SettingTable, settingTable } from "./settings.ts";
import { type SiteTable, siteTable } from "./sites.ts";

/** All tables of a cache, with their statements prepared once. */
export interface Tables {
  readonly sites: SiteTable;
  readonly chunks: ChunkTable;
  readonly extents: ExtentTable;
  readonly settings: SettingTable;
  readonly catalogue: CatalogueTable;
  readonly memories: Memories;
  readonly care: CareTable;
}

export function openTables(db: Db): Tables {
  const kept = memories(db);
  return {
    memories: kept,
    sites: siteTable(db),
    chunks: chunkTable(db, kept),
    extents: extentTable(db),
    settings: settingTable(db),
    catalogue: catalogueTable(db),
    care: careTable(db),
  };
}

/** Statements that do not fit the tables of a file of the right version: its schema is damaged. @throws DamagedData */
export function soundTables(db: Db): Tables {
  try {
    return openTables(db);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "SQLITE_ERROR") {
      throw new DamagedData(`a table description that was changed: ${cause.message}`, { cause });
    }
    throw cause;
  }
}
