import type { Db } from "../database.ts";

/** Stations by their short numbers. */
export interface SiteTable {
  find(stationId: string): number | null;
  /** Also makes one; only inside a transaction that writes. */
  ensure(stationId: string): number;
  all(): readonly { readonly site: number; readonly stationId: string }[];
}

export function siteTable(db: Db): SiteTable {
  const find = db.prepare<[string], number>("SELECT site FROM site WHERE station_id = ?").pluck();
  const insert = db.prepare<[string]>("INSERT INTO site (station_id) VALUES (?)");
  const all = db.prepare<[], { site: number; stationId: string }>("SELECT site, station_id AS stationId FROM site");
  return {
    find: (stationId) => find.get(stationId) ?? null,
    ensure: (stationId) => find.get(stationId) ?? Number(insert.run(stationId).lastInsertRowid),
    all: () => all.all(),
  };
}
