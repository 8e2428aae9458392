import type { Coverage } from "#shared/series/rows.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { Db } from "../database/database.ts";
import { checksum, demand, type ModeKey, OF_SERIES, type SeriesKey, valuesOfSeries as of } from "./keys.ts";
import type { Covered, RegisterTable } from "./register.ts";

/** The extents of one series, as a whole or around a range. Nothing here opens a transaction. */
export interface ExtentTable {
  read(key: SeriesKey): Coverage;
  /** Only what overlaps or touches the range: a change in it depends on nothing else. */
  around(key: SeriesKey, range: TimeRange): Coverage;
  /** Puts `after` in the place of `before`, which `around` or `read` gave. */
  replace(key: SeriesKey, before: Coverage, after: Coverage): void;
  /** The stations of which anything was asked in a mode. */
  sites(mode: ModeKey): readonly number[];
  /** What reaches into the range, by station: one walk over all of them. */
  overlapping(variable: Variable, mode: ModeKey, range: TimeRange): ReadonlyMap<number, Coverage>;
  /** What reaches into the range, of rows that are as they were written; whether those are all. Verifies nothing else. */
  checkedParts(
    key: SeriesKey,
    range: TimeRange,
    isTolerant: boolean,
  ): { covered: readonly Covered[]; isWhole: boolean };
  /** Puts what is known in the place of all that reaches into the range, whatever it is. The register is the caller's. */
  rewrite(key: SeriesKey, range: TimeRange, known: Coverage): void;
  /** The series of a station for which anything was asked. */
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
  // Extents do not overlap: of those that begin before the range, only the last can reach into it.
  const around = db.prepare<unknown[], ExtentRow>(
    `SELECT ${FIELDS} FROM extent WHERE ${OF_SERIES} AND start_ms <= ? AND start_ms >= coalesce(
       (SELECT max(start_ms) FROM extent WHERE ${OF_SERIES} AND start_ms < ?), -9e15) AND end_ms >= ? ORDER BY start_ms`,
  );
  const reaching = db.prepare<unknown[], ExtentRow>(
    `SELECT ${FIELDS} FROM extent WHERE ${OF_SERIES} AND end_ms > ? AND start_ms < ?`,
  );
  const drop = db.prepare<unknown[]>(`DELETE FROM extent WHERE ${OF_SERIES} AND start_ms = ?`);
  const clear = db.prepare<unknown[]>(`DELETE FROM extent WHERE ${OF_SERIES} AND end_ms > ? AND start_ms < ?`);
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
  const put = (key: SeriesKey, range: TimeRange, fetchedAtMs: UtcMs | null): void => {
    insert.run(...of(key), range.startMs, range.endMs, fetchedAtMs, sumOf(key, { ...range, fetchedAtMs }));
  };
  const demandSound = (key: SeriesKey, range: TimeRange): void =>
    register.demandCoverage(key, range, ({ startMs, endMs }) => sound(key, reaching.all(...of(key), startMs, endMs)));
  return {
    read(key) {
      demandSound(key, ALWAYS);
      return coverageOf(key, all.all(...of(key)));
    },
    around(key, { startMs, endMs }) {
      demandSound(key, { startMs, endMs });
      return coverageOf(key, around.all(...of(key), endMs, ...of(key), startMs, startMs));
    },
    replace(key, before, after) {
      register.changeCoverage(key, coveredBy(before), coveredBy(after));
      for (const { startMs } of before.final) drop.run(...of(key), startMs);
      for (const { range } of before.provisional) drop.run(...of(key), range.startMs);
      for (const range of after.final) put(key, range, null);
      for (const { range, fetchedAtMs } of after.provisional) put(key, range, fetchedAtMs);
    },
    checkedParts(key, { startMs, endMs }, isTolerant) {
      try {
        const rows = reaching.all(...of(key), startMs, endMs);
        const covered = rows.filter((row) => row.checksum === sumOf(key, row));
        return { covered, isWhole: covered.length === rows.length };
      } catch (thrown) {
        if (!isTolerant) throw thrown;
        return { covered: [], isWhole: false };
      }
    },
    rewrite(key, { startMs, endMs }, known) {
      clear.run(...of(key), startMs, endMs);
      for (const { fetchedAtMs, ...range } of coveredBy(known)) put(key, range, fetchedAtMs);
    },
    sites: ({ interval, raw }) => sites.all(interval, raw),
    overlapping(variable, mode, { startMs, endMs }) {
      register.demandCoverages(variable, mode, { startMs, endMs }, (periods) =>
        Map.groupBy(
          overlapping
            .all(variable, mode.interval, mode.raw, periods.startMs, periods.endMs)
            .filter((row) => sound({ ...mode, site: row.site, variable }, [row])),
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

const ALWAYS: TimeRange = { startMs: -9e15, endMs: 9e15 };

function coveredBy({ final, provisional }: Coverage): Covered[] {
  return [
    ...final.map((range) => ({ ...range, fetchedAtMs: null })),
    ...provisional.map(({ range, fetchedAtMs }) => ({ ...range, fetchedAtMs })),
  ];
}

/** @throws DamagedData */
function sound<T extends readonly ExtentRow[]>(key: SeriesKey, rows: T): T {
  for (const row of rows) demand(row.checksum, sumOf(key, row));
  return rows;
}

function coverageOf(key: SeriesKey, rows: readonly ExtentRow[]): Coverage {
  sound(key, rows);
  const range = ({ startMs, endMs }: ExtentRow): TimeRange => ({ startMs, endMs });
  return {
    final: rows.filter((row) => row.fetchedAtMs === null).map(range),
    provisional: rows.flatMap((row) =>
      row.fetchedAtMs === null ? [] : [{ range: range(row), fetchedAtMs: row.fetchedAtMs }],
    ),
  };
}

function sumOf(key: SeriesKey, row: Omit<ExtentRow, "checksum">): number {
  return checksum([...of(key), row.startMs, row.endMs, row.fetchedAtMs]);
}
