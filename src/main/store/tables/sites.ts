import type { TimeRange } from "#shared/time/range.ts";
import { type Db, foreignCommitsOf } from "../database/database.ts";
import { DamagedData } from "../errors.ts";
import { assertChecksum, checksum } from "./keys.ts";

/** Ranges that were verified since another process last wrote to the file, so that each is verified once. */
export interface VerifiedRanges {
  /** Calls `verify` for the parts of the range that were not verified under this name yet. */
  verifyOnce(name: string, range: TimeRange, verify: (part: TimeRange) => void): void;
  forget(): void;
  /** Returns a number that changes when earlier results may no longer be valid. */
  version(): number;
}

/** About 100 bytes each. */
const MAX_NAMES = 100_000;

export function createVerifiedRanges(db: Db): VerifiedRanges {
  const known = new Map<string, TimeRange>();
  const versionOf = foreignCommitsOf(db);
  let knownVersion = versionOf();
  let forgotten = 0;
  const forget = (): void => {
    known.clear();
    forgotten++;
  };
  return {
    verifyOnce(name, range, verify) {
      const version = versionOf();
      if (version !== knownVersion || known.size > MAX_NAMES) forget();
      knownVersion = version;
      const before = known.get(name);
      if (!before || range.startMs > before.endMs || range.endMs < before.startMs) {
        verify(range);
        known.set(name, range);
        return;
      }
      if (range.startMs < before.startMs) verify({ startMs: range.startMs, endMs: before.startMs });
      if (range.endMs > before.endMs) verify({ startMs: before.endMs, endMs: range.endMs });
      known.set(name, {
        startMs: Math.min(range.startMs, before.startMs),
        endMs: Math.max(range.endMs, before.endMs),
      });
    },
    forget,
    version: () => forgotten,
  };
}

/** The short numbers of stations. */
export interface SiteTable {
  find(stationId: string): number | null;
  /** Returns the number of a station; creates it if missing. Must run inside a write transaction. */
  ensure(stationId: string): number;
  /** Returns the station of a number. @throws DamagedData if there is none */
  nameOf(site: number): string;
  all(): readonly { readonly site: number; readonly stationId: string }[];
}

export function siteTable(db: Db, verified: VerifiedRanges): SiteTable {
  const lookUp = db.prepare<[string], { site: number; checksum: number }>(
    "SELECT site, checksum FROM site WHERE station_id = ?",
  );
  const insert = db.prepare<[string]>("INSERT INTO site (station_id) VALUES (?)");
  const seal = db.prepare<[number, number]>("UPDATE site SET checksum = ? WHERE site = ?");
  const all = db.prepare<[], { site: number; stationId: string; checksum: number }>(
    "SELECT site, station_id AS stationId, checksum FROM site",
  );
  const byNumber = db.prepare<[number], { stationId: string; checksum: number }>(
    "SELECT station_id AS stationId, checksum FROM site WHERE site = ?",
  );
  const sums = db
    .prepare<[], 0 | 1>(
      `SELECT (SELECT count(*) || ' ' || total(site) FROM site NOT INDEXED)
       = (SELECT count(*) || ' ' || total(site) FROM site INDEXED BY sqlite_autoindex_site_1)`,
    )
    .pluck();
  // A station that the index misses would get a second number.
  const verifyIndex = (): void =>
    verified.verifyOnce("sites", { startMs: 0, endMs: 1 }, () => {
      if (sums.get() !== 1) throw new DamagedData("an index of stations that does not fit");
    });
  // A damaged number would show the rows of one station under the name of another.
  const find = (stationId: string): number | null => {
    verifyIndex();
    const row = lookUp.get(stationId);
    if (!row) return null;
    assertChecksum(row.checksum, checksum([row.site, stationId]));
    return row.site;
  };
  const create = (stationId: string): number => {
    const site = Number(insert.run(stationId).lastInsertRowid);
    seal.run(checksum([site, stationId]), site);
    return site;
  };
  return {
    find,
    nameOf(site) {
      const row = byNumber.get(site);
      if (!row) throw new DamagedData("data of no station");
      assertChecksum(row.checksum, checksum([site, row.stationId]));
      return row.stationId;
    },
    ensure: (stationId) => find(stationId) ?? create(stationId),
    all() {
      verifyIndex();
      const rows = all.all();
      for (const row of rows) assertChecksum(row.checksum, checksum([row.site, row.stationId]));
      return rows;
    },
  };
}
