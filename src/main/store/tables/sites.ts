import type { Db } from "../database.ts";
import { checksum, demand } from "./keys.ts";

/** Stations by their short numbers. */
export interface SiteTable {
  find(stationId: string): number | null;
  /** Also makes one; only inside a transaction that writes. */
  ensure(stationId: string): number;
  all(): readonly { readonly site: number; readonly stationId: string }[];
}

export function siteTable(db: Db): SiteTable {
  const lookUp = db.prepare<[string], { site: number; checksum: number }>(
    "SELECT site, checksum FROM site WHERE station_id = ?",
  );
  const insert = db.prepare<[string]>("INSERT INTO site (station_id) VALUES (?)");
  const seal = db.prepare<[number, number]>("UPDATE site SET checksum = ? WHERE site = ?");
  const all = db.prepare<[], { site: number; stationId: string; checksum: number }>(
    "SELECT site, station_id AS stationId, checksum FROM site",
  );
  // A damaged number would show the rows of one station under the name of another.
  const find = (stationId: string): number | null => {
    const row = lookUp.get(stationId);
    if (!row) return null;
    demand(row.checksum, checksum([row.site, stationId]));
    return row.site;
  };
  const create = (stationId: string): number => {
    const site = Number(insert.run(stationId).lastInsertRowid);
    seal.run(checksum([site, stationId]), site);
    return site;
  };
  return {
    find,
    ensure: (stationId) => find(stationId) ?? create(stationId),
    all() {
      const rows = all.all();
      for (const row of rows) demand(row.checksum, checksum([row.site, row.stationId]));
      return rows;
    },
  };
}
