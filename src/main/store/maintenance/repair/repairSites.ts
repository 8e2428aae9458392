import type { Db } from "../../database/database.ts";
import { checksum } from "../../tables/keys.ts";
import type { Tables } from "../../tables/index.ts";

/** Tables with rows that refer to a station by its number. */
const OF_SITES = ["chunk", "chunk_column", "pyramid", "extent", "register", "size"] as const;

interface SiteRow {
  readonly site: number;
  readonly stationId: string;
  readonly checksum: number;
}

/**
 * Finds the stations of damaged or lost site numbers among those of the catalogue, using the register, and deletes rows
 * that belong to no station. Must run in one immediate transaction.
 */
export function repairSites(db: Db, tables: Tables): void {
  const rows = db.prepare<[], SiteRow>("SELECT site, station_id AS stationId, checksum FROM site NOT INDEXED").all();
  const isSound = (row: SiteRow): boolean => row.checksum === checksum([row.site, row.stationId]);
  const named = new Map<string, number>();
  for (const { site, stationId } of rows.filter(isSound)) {
    // Two numbers of one station: the register knows which is right; if both are, take the first.
    const other = named.get(stationId);
    if (other === undefined || tables.register.ownerOf(other, [stationId]) === null) named.set(stationId, site);
  }
  const numbers = new Set(named.values());
  const candidates = db
    .prepare<[], string>("SELECT station_id FROM station UNION SELECT station_id FROM care")
    .pluck()
    .all()
    .filter((id) => !named.has(id));
  const known = db.prepare<[], number>("SELECT DISTINCT site FROM register UNION SELECT site FROM site").pluck().all();
  for (const site of known) {
    if (numbers.has(site)) continue;
    const own = rows.find((row) => row.site === site)?.stationId;
    const owner = tables.register.ownerOf(site, own === undefined ? candidates : [own, ...candidates]);
    if (owner === null || named.has(owner)) continue;
    named.set(owner, site);
    numbers.add(site);
  }
  db.exec("DELETE FROM site");
  const insert = db.prepare<[number, string, number]>("INSERT INTO site VALUES (?, ?, ?)");
  for (const [stationId, site] of named) insert.run(site, stationId, checksum([site, stationId]));
  for (const table of OF_SITES) db.exec(`DELETE FROM ${table} WHERE site NOT IN (SELECT site FROM site)`);
  tables.verified.forget();
}
