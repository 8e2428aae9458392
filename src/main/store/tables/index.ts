import type { Db } from "../database/database.ts";
import { bucketTable } from "./buckets.ts";
import { catalogueTable } from "./catalogue.ts";
import { chunkTable } from "./chunks.ts";
import { columnTable } from "./columns.ts";
import { maintenanceTable } from "./maintenance.ts";
import { pyramidTable } from "./pyramids.ts";
import { createReadCache } from "./readCache.ts";
import { settingTable } from "./settings.ts";

/** All tables of a cache, with prepared statements. */
export function openTables(db: Db) {
  const readCache = createReadCache(db);
  const buckets = bucketTable(db, readCache);
  const columns = columnTable(db);
  const pyramids = pyramidTable(db);
  return {
    readCache,
    buckets,
    chunks: chunkTable({ buckets, columns, pyramids, readCache }),
    /** Parts of buckets, to be read only: `chunks` writes them consistently. */
    columns: { read: columns.read, find: columns.find },
    pyramids: { read: pyramids.read },
    settings: settingTable(db),
    catalogue: catalogueTable(db, buckets),
    maintenance: maintenanceTable(db, buckets, readCache),
  };
}

export type Tables = ReturnType<typeof openTables>;
