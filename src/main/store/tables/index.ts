import type { Db } from "../database.ts";
import { DamagedData } from "../errors.ts";
import { type CareTable, careTable } from "./care.ts";
import { type CatalogueTable, catalogueTable } from "./catalogue.ts";
import { type ChunkTable, chunkTable } from "./chunks.ts";
import { type ColumnTable, columnTable } from "./columns.ts";
import { type ExtentTable, extentTable } from "./extents.ts";
import { type HeadTable, headTable } from "./heads.ts";
import { type Memories, memories } from "./memories.ts";
import { type PyramidTable, pyramidTable } from "./pyramids.ts";
import { type SettingTable, settingTable } from "./settings.ts";
import { type SiteTable, siteTable } from "./sites.ts";

/** All tables of a cache, with their statements prepared once. */
export interface Tables {
  readonly sites: SiteTable;
  readonly chunks: ChunkTable;
  /** Parts of chunks, to be read alone: they are written through `chunks`, which keeps them together. */
  readonly heads: Pick<HeadTable, "read" | "rows" | "timed">;
  readonly columns: Pick<ColumnTable, "heads" | "isWhole" | "valueCounts" | "values" | "all" | "each">;
  readonly pyramids: Pick<PyramidTable, "read">;
  readonly extents: ExtentTable;
  readonly settings: SettingTable;
  readonly catalogue: CatalogueTable;
  readonly memories: Memories;
  readonly care: CareTable;
}

export function openTables(db: Db): Tables {
  const kept = memories(db);
  const heads = headTable(db);
  const columns = columnTable(db, heads);
  const pyramids = pyramidTable(db, kept);
  return {
    memories: kept,
    sites: siteTable(db),
    chunks: chunkTable({ heads, columns, pyramids, memories: kept }),
    heads,
    columns,
    pyramids,
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
