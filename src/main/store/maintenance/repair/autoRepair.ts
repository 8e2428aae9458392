import type { CacheDamage } from "#shared/series/cache.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { ALL_TIME } from "../../chunks/bucket.ts";
import type { Db } from "../../database/database.ts";
import { DamagedData } from "../../errors.ts";
import type { Tables } from "../../tables/index.ts";
import { checksum, type ChunkKey, modeKey } from "../../tables/keys.ts";
import { createRepairer, repairStation } from "./repairer.ts";

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

/** The data that an operation reads or writes; null means all. */
export interface Scope {
  readonly stationIds: readonly string[] | null;
  readonly variables: readonly Variable[] | null;
  readonly mode: SeriesMode | null;
  readonly range: TimeRange;
}

export const EVERYTHING: Scope = {
  stationIds: null,
  variables: null,
  mode: null,
  range: ALL_TIME,
};

/**
 * Returns a function that runs work in its own transaction. If that finds damage, it repairs the scope and runs the work
 * again, and then the same for all data. It throws DamagedData if no repair helped, and what SQLite throws.
 *
 * @param write runs work in a write transaction
 * @param onRepaired called after each repair
 */
export function createAutoRepair(
  db: Db,
  tables: Tables,
  write: (work: () => void) => void,
  onRepaired: (damages: readonly CacheDamage[]) => void,
): <T>(work: () => T, scope: Scope) => T {
  let repairer: ReturnType<typeof createRepairer> | null = null;
  const repair = (scope: Scope): CacheDamage[] => {
    repairer ??= createRepairer(db, tables);
    const opened = repairer;
    repairSites(db, tables);
    const wanted = scope.stationIds && new Set(scope.stationIds);
    const kinds = scope.variables && new Set(scope.variables.map(variableKind));
    const mode = scope.mode && modeKey(scope.mode);
    const wants = (key: ChunkKey): boolean =>
      (kinds === null || kinds.has(key.kind)) &&
      (mode === null || (mode.interval === key.interval && mode.raw === key.raw));
    return tables.sites
      .all()
      .filter(({ stationId }) => wanted === null || wanted.has(stationId))
      .flatMap(({ site }) => repairStation(opened, site, wants, scope.range));
  };
  return (work, scope) => {
    for (const repaired of [scope, EVERYTHING, null]) {
      try {
        return work();
      } catch (thrown) {
        if (!(thrown instanceof DamagedData) || repaired === null) throw thrown;
        let damages: readonly CacheDamage[] = [];
        tables.verified.forget();
        write(() => {
          damages = repair(repaired);
        });
        tables.readCache.clear();
        if (damages.length > 0) onRepaired(damages);
      }
    }
    throw new Error("not reached");
  };
}
