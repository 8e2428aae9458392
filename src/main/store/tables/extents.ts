import type { Coverage } from "#shared/series/rows.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { ALL_TIME } from "../chunks/bucket.ts";
import { coverageOfExtents, type Extent, extentsOf } from "../chunks/coverage.ts";
import type { Db } from "../database/database.ts";
import { checksum, assertChecksum, type ModeKey, OF_SERIES, type SeriesKey, valuesOfSeries as of } from "./keys.ts";
import type { RegisterTable } from "./register.ts";

/** The extents of a series. No method opens a transaction. */
export interface ExtentTable {
  read(key: SeriesKey): Coverage;
  /** Returns the coverage that overlaps or touches the range: a change in the range depends on nothing else. */
  around(key: SeriesKey, range: TimeRange): Coverage;
  /** Replaces `before`, a result of `around` or `read`, by `after`. */
  replace(key: SeriesKey, before: Coverage, after: Coverage): void;
  /** Returns the stations with any extent in a mode. */
  sites(mode: ModeKey): readonly number[];
  /** Returns the coverage that overlaps the range, by station, in a single scan. */
  overlapping(variable: Variable, mode: ModeKey, range: TimeRange): ReadonlyMap<number, Coverage>;
  /**
   * Returns the extents that overlap the range and match their checksums, and whether all do. Verifies nothing else.
   */
  checkedParts(key: SeriesKey, range: TimeRange, isTolerant: boolean): { covered: readonly Extent[]; isWhole: boolean };
  /** Replaces all extents that overlap the range, even damaged ones. The caller updates the register. */
  rewrite(key: SeriesKey, range: TimeRange, known: Coverage): void;
  /** Returns the series of a station that have any extent. */
  series(site: number): readonly SeriesKey[];
}

interface ExtentRow {
  readonly startMs: number;
  readonly endMs: number;
  readonly fetchedAtMs: number | null;
  readonly checksum: number;
}

const FIELDS = "start_ms AS startMs, end_ms AS endMs, fetched_at_ms AS fetchedAtMs, checksum";

export function extentTable(db: Db, register: RegisterTable): ExtentTable {
  const all = db.prepare<unknown[], ExtentRow>(`SELECT ${FIELDS} FROM extent WHERE ${OF_SERIES} ORDER BY start_ms`);
  // Extents do not overlap: of all that begin before the range, only the last can overlap it.
  const around = db.prepare<unknown[], ExtentRow>(
    `SELECT ${FIELDS} FROM extent WHERE ${OF_SERIES} AND start_ms <= ? AND start_ms >= coalesce(
       (SELECT max(start_ms) FROM extent WHERE ${OF_SERIES} AND start_ms < ?), -9e15) AND end_ms >= ? ORDER BY start_ms`,
  );
  const overlappingRange = db.prepare<unknown[], ExtentRow>(
    `SELECT ${FIELDS} FROM extent WHERE ${OF_SERIES} AND end_ms > ? AND start_ms < ?`,
  );
  const deleteExtent = db.prepare<unknown[]>(`DELETE FROM extent WHERE ${OF_SERIES} AND start_ms = ?`);
  const deleteOverlapping = db.prepare<unknown[]>(
    `DELETE FROM extent WHERE ${OF_SERIES} AND end_ms > ? AND start_ms < ?`,
  );
  const insert = db.prepare<unknown[]>("INSERT OR REPLACE INTO extent VALUES (?,?,?,?,?,?,?,?)");
  const series = db.prepare<[number], SeriesKey>(
    "SELECT DISTINCT site, variable, interval_seconds AS interval, raw FROM extent WHERE site = ?",
  );
  const sites = db
    .prepare<[number, number], number>("SELECT DISTINCT site FROM extent WHERE interval_seconds = ? AND raw = ?")
    .pluck();
  const overlapping = db.prepare<unknown[], ExtentRow & { readonly site: number }>(
    `SELECT site, ${FIELDS} FROM extent WHERE variable = ? AND interval_seconds = ? AND raw = ?
       AND end_ms > ? AND start_ms < ? ORDER BY site, start_ms`,
  );
  const insertExtent = (key: SeriesKey, range: TimeRange, fetchedAtMs: UtcMs | null): void => {
    insert.run(...of(key), range.startMs, range.endMs, fetchedAtMs, checksumOf(key, { ...range, fetchedAtMs }));
  };
  const verifyExtents = (key: SeriesKey, range: TimeRange): void =>
    register.verifyCoverage(key, range, ({ startMs, endMs }) =>
      assertSound(key, overlappingRange.all(...of(key), startMs, endMs)),
    );
  return {
    read(key) {
      verifyExtents(key, ALL_TIME);
      return coverageOf(key, all.all(...of(key)));
    },
    around(key, { startMs, endMs }) {
      verifyExtents(key, { startMs, endMs });
      return coverageOf(key, around.all(...of(key), endMs, ...of(key), startMs, startMs));
    },
    replace(key, before, after) {
      register.changeCoverage(key, extentsOf(before), extentsOf(after));
      for (const { startMs } of before.final) deleteExtent.run(...of(key), startMs);
      for (const { range } of before.provisional) deleteExtent.run(...of(key), range.startMs);
      for (const range of after.final) insertExtent(key, range, null);
      for (const { range, fetchedAtMs } of after.provisional) insertExtent(key, range, fetchedAtMs);
    },
    checkedParts(key, { startMs, endMs }, isTolerant) {
      try {
        const rows = overlappingRange.all(...of(key), startMs, endMs);
        const covered = rows.filter((row) => row.checksum === checksumOf(key, row));
        return { covered, isWhole: covered.length === rows.length };
      } catch (thrown) {
        if (!isTolerant) throw thrown;
        return { covered: [], isWhole: false };
      }
    },
    rewrite(key, { startMs, endMs }, known) {
      deleteOverlapping.run(...of(key), startMs, endMs);
      for (const { fetchedAtMs, ...range } of extentsOf(known)) insertExtent(key, range, fetchedAtMs);
    },
    sites: ({ interval, raw }) => sites.all(interval, raw),
    overlapping(variable, mode, { startMs, endMs }) {
      register.verifyCoverages(variable, mode, { startMs, endMs }, (periods) =>
        Map.groupBy(
          overlapping
            .all(variable, mode.interval, mode.raw, periods.startMs, periods.endMs)
            .filter((row) => assertSound({ ...mode, site: row.site, variable }, [row])),
          ({ site }) => site,
        ),
      );
      const rows = overlapping.all(variable, mode.interval, mode.raw, startMs, endMs);
      const bySite = Map.groupBy(rows, ({ site }) => site);
      return new Map(Array.from(bySite, ([site, own]) => [site, coverageOf({ ...mode, site, variable }, own)]));
    },
    series: (site) => series.all(site),
  };
}

/** @throws DamagedData */
function assertSound<T extends readonly ExtentRow[]>(key: SeriesKey, rows: T): T {
  for (const row of rows) assertChecksum(row.checksum, checksumOf(key, row));
  return rows;
}

function coverageOf(key: SeriesKey, rows: readonly ExtentRow[]): Coverage {
  return coverageOfExtents(assertSound(key, rows));
}

function checksumOf(key: SeriesKey, row: Omit<ExtentRow, "checksum">): number {
  return checksum([...of(key), row.startMs, row.endMs, row.fetchedAtMs]);
}
