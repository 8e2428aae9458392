import { bytesOf } from "#shared/arrays.ts";
import { type Variable, type VariableKind, variableKind } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketStart } from "../chunks/bucket.ts";
import type { Extent } from "../chunks/coverage.ts";
import type { Db } from "../database/database.ts";
import { DamagedData } from "../errors.ts";
import {
  assertChecksum,
  checksum,
  type ChunkKey,
  OF_CHUNK,
  OF_SERIES,
  type SeriesKey,
  valuesOfChunk,
  valuesOfSeries,
} from "./keys.ts";
import {
  addChunk,
  addExtents,
  addSum,
  type CountedChunk,
  emptyTotals,
  extentSums,
  numbersOf,
  periodLength,
  type PeriodTotals,
  QUARTER_MS,
  SUM,
  sumIndex,
  wholePeriods,
} from "./periodTotals.ts";
import type { SiteTable, VerifiedRanges } from "./sites.ts";

/**
 * Checksums over the chunks, pyramids, counts and extents of a period, and the id of their station. They reveal a table
 * or page that is older than the rest (docs/decisions/0020-register.md). No method opens a transaction.
 */
export interface RegisterTable {
  /**
   * Verifies the chunks in the range.
   *
   * @throws DamagedData if chunks are missing, unexpected, or of another state of the file
   */
  verifyHeads(key: ChunkKey, buckets: TimeRange): void;
  /** Verifies the number of values of a variable in each chunk. */
  verifyCounts(key: SeriesKey, buckets: TimeRange): void;
  verifyPyramids(key: SeriesKey, buckets: TimeRange): void;
  /**
   * Verifies the extents of a series in the range.
   *
   * @param read returns extents that overlap a range of whole periods
   */
  verifyCoverage(key: SeriesKey, range: TimeRange, read: (periods: TimeRange) => readonly Extent[]): void;
  /** Verifies the extents of all stations in the range. @param read returns extents by station */
  verifyCoverages(
    variable: Variable,
    mode: Omit<ChunkKey, "site" | "kind">,
    range: TimeRange,
    read: (periods: TimeRange) => ReadonlyMap<number, readonly Extent[]>,
  ): void;
  changeChunks(key: ChunkKey, removed: readonly CountedChunk[], added: readonly CountedChunk[]): void;
  changeCoverage(key: SeriesKey, removed: readonly Extent[], added: readonly Extent[]): void;
  /** @throws DamagedData where the row itself is damaged */
  find(key: ChunkKey, periodMs: UtcMs): PeriodTotals | null;
  /** Returns the station, of these, to which a site number belongs according to the register; null if unknown. */
  ownerOf(site: number, stationIds: readonly string[]): string | null;
  /** Stores the totals of a period; deletes its row if they are zero. */
  set(key: ChunkKey, periodMs: UtcMs, totals: PeriodTotals): void;
}

interface Row {
  readonly site: number;
  readonly periodMs: UtcMs;
  readonly chunks: number;
  readonly n: number;
  readonly heads: number;
  readonly figures: Uint8Array;
  readonly checksum: number;
}

const FIELDS = "site, period_ms AS periodMs, chunks, n, heads, figures, checksum";

export function registerTable(db: Db, sites: SiteTable, verified: VerifiedRanges): RegisterTable {
  const selectIn = db.prepare<unknown[], Row>(
    `SELECT ${FIELDS} FROM register WHERE ${OF_CHUNK} AND period_ms >= ? AND period_ms < ?`,
  );
  const selectOfAllSites = db.prepare<unknown[], Row>(
    `SELECT ${FIELDS} FROM register WHERE kind = ? AND interval_seconds = ? AND raw = ?
       AND period_ms >= ? AND period_ms < ?`,
  );
  const selectOne = db.prepare<unknown[], Row>(`SELECT ${FIELDS} FROM register WHERE ${OF_CHUNK} AND period_ms = ?`);
  const insert = db.prepare<unknown[]>("INSERT OR REPLACE INTO register VALUES (?,?,?,?,?,?,?,?,?,?)");
  const deleteOne = db.prepare<unknown[]>(`DELETE FROM register WHERE ${OF_CHUNK} AND period_ms = ?`);
  // Also correct before 1970, where the remainder is negative.
  const sumsByPeriod = (sums: string, table: string, condition: string) =>
    db
      .prepare<unknown[], [period: number, first: number, second: number, third: number]>(
        `SELECT bucket_ms - ((bucket_ms % ?) + ?) % ? AS period, ${sums} FROM ${table}
         WHERE ${condition} AND bucket_ms >= ? AND bucket_ms < ? GROUP BY period`,
      )
      .raw();
  const heads = sumsByPeriod("count(*), sum(n), sum(checksum)", "chunk", OF_CHUNK);
  const counts = sumsByPeriod(
    `sum(n), sum(n * (bucket_ms / ${QUARTER_MS})), 0`,
    "chunk_column INDEXED BY chunk_column_count",
    OF_SERIES,
  );
  const pyramids = sumsByPeriod("sum(checksum), 0, 0", "pyramid", OF_SERIES);

  const assertFigures = (key: ChunkKey, stationId: string, row: Row): PeriodTotals => {
    if (!(row.figures instanceof Uint8Array)) throw new DamagedData("an invalid register");
    assertChecksum(row.checksum, checksumOf(key, stationId, row));
    return { chunks: row.chunks, rows: row.n, heads: row.heads, sums: numbersOf(row.figures, key.kind) };
  };
  const totalsIn = (key: ChunkKey, { startMs, endMs }: TimeRange): Map<UtcMs, PeriodTotals> => {
    const stationId = sites.nameOf(key.site);
    const rows = selectIn.all(...valuesOfChunk(key), startMs, endMs);
    return new Map(rows.map((row) => [row.periodMs, assertFigures(key, stationId, row)]));
  };
  const find = (key: ChunkKey, periodMs: UtcMs): PeriodTotals | null => {
    const row = selectOne.get(...valuesOfChunk(key), periodMs);
    return row ? assertFigures(key, sites.nameOf(key.site), row) : null;
  };
  const set = (key: ChunkKey, periodMs: UtcMs, { chunks, rows, heads: sum, sums }: PeriodTotals): void => {
    if (chunks === 0 && sums.every((n) => n === 0)) {
      deleteOne.run(...valuesOfChunk(key), periodMs);
      return;
    }
    const row = { periodMs, chunks, n: rows, heads: sum, figures: bytesOf(sums) };
    const own = checksumOf(key, sites.nameOf(key.site), row);
    insert.run(...valuesOfChunk(key), periodMs, chunks, rows, sum, row.figures, own);
  };

  const read = (statement: typeof heads, key: ChunkKey | SeriesKey, periods: TimeRange, kind: VariableKind) => {
    const own = "kind" in key ? valuesOfChunk(key) : valuesOfSeries(key);
    const length = periodLength({ kind, interval: key.interval });
    const rows = statement.all(length, length, length, ...own, periods.startMs, periods.endMs);
    return new Map(rows.map(([period, ...sums]) => [period, sums]));
  };
  const demandSums = (
    what: string,
    statement: typeof heads,
    { site, variable, interval, raw }: SeriesKey,
    buckets: TimeRange,
    wanted: readonly number[],
  ): void => {
    const kind = variableKind(variable);
    const key = { site, kind, interval, raw };
    const at = wanted.map((sum) => sumIndex(kind, variable, sum));
    verified.verifyOnce(`${what} ${site} ${variable} ${interval} ${raw}`, wholePeriods(key, buckets), (part) =>
      compare(what, totalsIn(key, part), read(statement, { site, variable, interval, raw }, part, kind), ({ sums }) =>
        at.map((i) => sums[i] ?? 0),
      ),
    );
  };
  const change = (key: ChunkKey, changes: ReadonlyMap<UtcMs, (totals: PeriodTotals) => void>): void => {
    for (const [periodMs, apply] of changes) {
      const totals = find(key, periodMs) ?? emptyTotals(key.kind);
      apply(totals);
      set(key, periodMs, totals);
    }
  };

  const ofSite = db.prepare<[number], Row & Omit<ChunkKey, "site">>(
    `SELECT ${FIELDS}, kind, interval_seconds AS interval, raw FROM register WHERE site = ?`,
  );
  return {
    find,
    set,
    ownerOf(site, stationIds) {
      const rows = ofSite.all(site);
      const fitsAny = (id: string): boolean => rows.some((row) => row.checksum === checksumOf(row, id, row));
      return stationIds.find(fitsAny) ?? null;
    },
    verifyHeads(key, buckets) {
      verified.verifyOnce(`chunks ${valuesOfChunk(key).join(" ")}`, wholePeriods(key, buckets), (part) =>
        compare("chunks of another moment, or lost", totalsIn(key, part), read(heads, key, part, key.kind), (f) => [
          f.chunks,
          f.rows,
          f.heads,
        ]),
      );
    },
    verifyCounts: (key, buckets) =>
      demandSums("counts of another moment", counts, key, buckets, [SUM.values, SUM.weighted]),
    verifyPyramids: (key, buckets) =>
      demandSums("pyramids of another moment, or lost", pyramids, key, buckets, [SUM.pyramids]),
    verifyCoverage({ site, variable, interval, raw }, range, readExtents) {
      const key = { site, kind: variableKind(variable), interval, raw };
      verified.verifyOnce(`extents ${site} ${variable} ${interval} ${raw}`, wholePeriods(key, range), (part) =>
        compareCoverage(key, variable, part, totalsIn(key, part), readExtents(part)),
      );
    },
    verifyCoverages(variable, { interval, raw }, range, readExtents) {
      const kind = variableKind(variable);
      verified.verifyOnce(`extents ${variable} ${interval} ${raw}`, wholePeriods({ kind, interval }, range), (part) => {
        const names = new Map(sites.all().map(({ site, stationId }) => [site, stationId]));
        const rows = Map.groupBy(
          selectOfAllSites.all(kind, interval, raw, part.startMs, part.endMs),
          ({ site }) => site,
        );
        const extents = readExtents(part);
        for (const site of new Set([...rows.keys(), ...extents.keys()])) {
          const stationId = names.get(site);
          if (stationId === undefined) throw new DamagedData("extents without a station");
          const key = { site, kind, interval, raw };
          const own = (rows.get(site) ?? []).map((row) => [row.periodMs, assertFigures(key, stationId, row)] as const);
          compareCoverage(key, variable, part, new Map(own), extents.get(site) ?? []);
        }
      });
    },
    changeChunks(key, removed, added) {
      const length = periodLength(key);
      const byPeriod = Map.groupBy(
        [
          ...removed.map((chunk) => ({ chunk, sign: -1 as const })),
          ...added.map((chunk) => ({ chunk, sign: 1 as const })),
        ],
        ({ chunk }) => bucketStart(chunk.bucketMs, length),
      );
      const changes = Array.from(byPeriod, ([periodMs, own]): [UtcMs, (totals: PeriodTotals) => void] => [
        periodMs,
        (totals) => {
          for (const { chunk, sign } of own) addChunk(totals, key.kind, chunk, sign);
        },
      ]);
      change(key, new Map(changes));
    },
    changeCoverage({ site, variable, interval, raw }, removed, added) {
      const key = { site, kind: variableKind(variable), interval, raw };
      const sums = new Map<UtcMs, number>();
      addExtents(sums, key, removed, -1);
      addExtents(sums, key, added, 1);
      const at = sumIndex(key.kind, variable, SUM.coverage);
      const changes = [...sums].filter(([, sum]) => sum !== 0);
      change(
        key,
        new Map(changes.map(([periodMs, sum]) => [periodMs, (totals: PeriodTotals) => addSum(totals, at, sum)])),
      );
    },
  };
}

/** Compares extents of a variable with the register. @throws DamagedData */
function compareCoverage(
  key: ChunkKey,
  variable: Variable,
  periods: TimeRange,
  expected: ReadonlyMap<UtcMs, PeriodTotals>,
  extents: readonly Extent[],
): void {
  const found = new Map(Array.from(extentSums(key, extents, periods), ([periodMs, sum]) => [periodMs, [sum]]));
  const at = sumIndex(key.kind, variable, SUM.coverage);
  compare("extents of another moment, or lost", expected, found, (totals) => [totals.sums[at] ?? 0]);
}

/** Compares the sums of a table with the register, period by period. @throws DamagedData */
function compare(
  what: string,
  expected: ReadonlyMap<UtcMs, PeriodTotals>,
  found: ReadonlyMap<UtcMs, readonly number[]>,
  sumsOf: (totals: PeriodTotals) => readonly number[],
): void {
  for (const [periodMs, totals] of expected) {
    const own = found.get(periodMs);
    if (sumsOf(totals).some((n, i) => n !== (own?.[i] ?? 0))) throw new DamagedData(what);
  }
  for (const [periodMs, own] of found)
    if (!expected.has(periodMs) && own.some((n) => n !== 0)) throw new DamagedData(what);
}

function checksumOf(key: ChunkKey, stationId: string, row: Omit<Row, "site" | "checksum">): number {
  const { periodMs, chunks, n, heads } = row;
  return checksum([stationId, ...valuesOfChunk(key), periodMs, chunks, n, heads], row.figures);
}
