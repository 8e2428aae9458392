import { crc32 } from "node:zlib";
import { type Variable, type VariableKind, variableKind } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { ALL_TIME, bucketStart } from "../chunks/bucket.ts";
import { clipExtents, type Extent } from "../chunks/coverage.ts";
import type { Db } from "../database/database.ts";
import { DamagedData } from "../errors.ts";
import {
  assertChecksum,
  bucketLength,
  checksum,
  type ChunkKey,
  OF_CHUNK,
  OF_SERIES,
  type SeriesKey,
  valuesOfChunk,
  valuesOfSeries,
  variablesOfKind,
} from "./keys.ts";
import type { SiteTable } from "./sites.ts";
import type { VerifiedRanges } from "./verifiedRanges.ts";

/**
 * Buckets per row of the register: about as many chunks as fit on a page, so that a lost page costs only its own data.
 */
const BUCKETS_PER_PERIOD = 64;
const QUARTER_MS = 21_600_000;

/** Sums over one variable. All are linear: added chunks are added, removed chunks subtracted. */
export const SUM = { values: 0, weighted: 1, pyramids: 2, coverage: 3 } as const;
const SUMS_PER_VARIABLE = 4;

/** Sums over all data of one kind, station and period. */
export interface PeriodTotals {
  chunks: number;
  rows: number;
  /** Sum of the checksums of the chunks. */
  heads: number;
  /** The `SUM`s of each variable of the kind, variable after variable. */
  readonly sums: Float64Array;
}

/** The part of a chunk that the register counts. */
export interface CountedChunk {
  readonly bucketMs: UtcMs;
  readonly rows: number;
  readonly checksum: number;
  readonly variables: readonly Variable[];
  /** Column `parts` of the table `chunk`. */
  readonly parts: Uint32Array;
}

/** Numbers of each variable in `parts`. */
export const PART = { values: 0, pyramid: 1, count: 2 } as const;
export const NUMBERS_PER_PART = 3;

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

export function periodLength({ kind, interval }: Pick<ChunkKey, "kind" | "interval">): number {
  return BUCKETS_PER_PERIOD * bucketLength({ kind, interval });
}

/** Extends the range to whole periods. */
export function wholePeriods(key: Pick<ChunkKey, "kind" | "interval">, { startMs, endMs }: TimeRange): TimeRange {
  const length = periodLength(key);
  const grown = (ms: number, up: number): number =>
    Math.abs(ms) >= ALL_TIME.endMs ? ms : bucketStart(ms + up * (length - 1), length);
  return { startMs: grown(startMs, 0), endMs: grown(endMs, 1) };
}

/**
 * Condition for the buckets of a range. It reads the whole periods that were verified, because a damaged key breaks the
 * order of a table, so a search for the range itself may miss buckets. Takes `verifiedPeriods`.
 */
export const IN_VERIFIED_PERIODS = "bucket_ms >= ? AND bucket_ms < ? AND +bucket_ms >= ? AND +bucket_ms < ?";

export function verifiedPeriods(
  key: Pick<ChunkKey, "kind" | "interval">,
  buckets: TimeRange,
): [number, number, number, number] {
  const periods = wholePeriods(key, buckets);
  return [periods.startMs, periods.endMs, buckets.startMs, buckets.endMs];
}

export function emptyTotals(kind: VariableKind): PeriodTotals {
  return { chunks: 0, rows: 0, heads: 0, sums: new Float64Array(variablesOfKind(kind).length * SUMS_PER_VARIABLE) };
}

export function sumIndex(kind: VariableKind, variable: Variable, sum: number): number {
  return variablesOfKind(kind).indexOf(variable) * SUMS_PER_VARIABLE + sum;
}

/** Adds a chunk to the totals, or subtracts it. */
export function addChunk(totals: PeriodTotals, kind: VariableKind, chunk: CountedChunk, sign: 1 | -1): void {
  totals.chunks += sign;
  totals.rows += sign * chunk.rows;
  totals.heads += sign * chunk.checksum;
  chunk.variables.forEach((variable, i) => {
    const values = chunk.parts[i * NUMBERS_PER_PART + PART.count] ?? 0;
    const pyramid = chunk.parts[i * NUMBERS_PER_PART + PART.pyramid] ?? 0;
    addSum(totals, sumIndex(kind, variable, SUM.values), sign * values);
    addSum(totals, sumIndex(kind, variable, SUM.weighted), sign * values * (chunk.bucketMs / QUARTER_MS));
    addSum(totals, sumIndex(kind, variable, SUM.pyramids), sign * pyramid);
  });
}

export function addSum({ sums }: PeriodTotals, index: number, value: number): void {
  sums[index] = (sums[index] ?? 0) + value;
}

/** Adds the extents of each period to `sums`, or subtracts them. */
export function addExtents(
  sums: Map<UtcMs, number>,
  key: Pick<ChunkKey, "kind" | "interval">,
  covered: readonly Extent[],
  sign: 1 | -1,
): void {
  const length = periodLength(key);
  for (const { startMs, endMs, fetchedAtMs } of covered) {
    for (let at = bucketStart(startMs, length); at < endMs; at += length) {
      const part = { startMs: Math.max(startMs, at), endMs: Math.min(endMs, at + length), fetchedAtMs };
      sums.set(at, (sums.get(at) ?? 0) + sign * extentChecksum(part));
    }
  }
}

export function extentChecksum({ startMs, endMs, fetchedAtMs }: Extent): number {
  return crc32(`${startMs} ${endMs} ${fetchedAtMs}`);
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
    const row = {
      periodMs,
      chunks,
      n: rows,
      heads: sum,
      figures: new Uint8Array(sums.buffer, sums.byteOffset, sums.byteLength),
    };
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
      const at = sumIndex(key.kind, variable, SUM.coverage);
      verified.verifyOnce(`extents ${site} ${variable} ${interval} ${raw}`, wholePeriods(key, range), (part) => {
        const found = new Map<UtcMs, number>();
        addExtents(found, key, clipExtents(readExtents(part), part), 1);
        const sums = new Map(Array.from(found, ([periodMs, sum]) => [periodMs, [sum]]));
        compare(OTHER_EXTENTS, totalsIn(key, part), sums, (totals) => [totals.sums[at] ?? 0]);
      });
    },
    verifyCoverages(variable, { interval, raw }, range, readExtents) {
      const kind = variableKind(variable);
      const at = sumIndex(kind, variable, SUM.coverage);
      verified.verifyOnce(`extents ${variable} ${interval} ${raw}`, wholePeriods({ kind, interval }, range), (part) => {
        const names = new Map(sites.all().map(({ site, stationId }) => [site, stationId]));
        const rows = Map.groupBy(
          selectOfAllSites.all(kind, interval, raw, part.startMs, part.endMs),
          ({ site }) => site,
        );
        const extents = readExtents(part);
        for (const site of new Set([...rows.keys(), ...extents.keys()])) {
          const stationId = names.get(site);
          if (stationId === undefined) throw new DamagedData("extents of no station");
          const key = { site, kind, interval, raw };
          const own = (rows.get(site) ?? []).map((row) => [row.periodMs, assertFigures(key, stationId, row)] as const);
          const found = new Map<UtcMs, number>();
          addExtents(found, key, clipExtents(extents.get(site) ?? [], part), 1);
          const sums = new Map(Array.from(found, ([periodMs, sum]) => [periodMs, [sum]]));
          compare(OTHER_EXTENTS, new Map(own), sums, (totals) => [totals.sums[at] ?? 0]);
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

const OTHER_EXTENTS = "extents of another moment, or lost";

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

function numbersOf(bytes: Uint8Array, kind: VariableKind): Float64Array {
  const { sums } = emptyTotals(kind);
  // Copied, because the bytes may not be aligned.
  new Uint8Array(sums.buffer).set(bytes.subarray(0, sums.byteLength));
  return sums;
}

function checksumOf(key: ChunkKey, stationId: string, row: Omit<Row, "site" | "checksum">): number {
  const { periodMs, chunks, n, heads } = row;
  return checksum([stationId, ...valuesOfChunk(key), periodMs, chunks, n, heads], row.figures);
}
