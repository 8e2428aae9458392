import { crc32 } from "node:zlib";
import {
  SATELLITE_VARIABLES,
  SCALAR_VARIABLES,
  type Variable,
  type VariableKind,
  variableKind,
} from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketMs, bucketStart } from "../chunks/bucket.ts";
import type { Db } from "../database/database.ts";
import { DamagedData } from "../errors.ts";
import { type ChunkKey, checksum, demand, OF_CHUNK, OF_SERIES, type SeriesKey } from "./keys.ts";
import { valuesOfChunk, valuesOfSeries } from "./keys.ts";
import type { SiteTable } from "./sites.ts";
import type { Verified } from "./verified.ts";

/** Buckets of one row of the register: about as many chunks as lie on a page, so that a lost one costs what it held. */
const BUCKETS_A_PERIOD = 64;
const QUARTER_MS = 21_600_000;
const ALL_TIME = 9e15;

/** Sums over one variable. All sums are linear: what comes is added, what goes is taken away. */
export const SUM = { values: 0, weighted: 1, pyramids: 2, coverage: 3 } as const;
const SUMS = 4;

/** What everything of one kind of one station in one period adds up to. */
export interface Figures {
  chunks: number;
  rows: number;
  /** The checksums of the chunks. */
  heads: number;
  /** `SUM` of each variable of the kind, one after the other. */
  readonly sums: Float64Array;
}

/** A chunk as far as the register counts it. */
export interface Counted {
  readonly bucketMs: UtcMs;
  readonly rows: number;
  readonly checksum: number;
  readonly variables: readonly Variable[];
  /** As `chunk.parts`. */
  readonly parts: Uint32Array;
}

/** Numbers of a variable in `parts`. */
export const PART = { values: 0, pyramid: 1, count: 2 } as const;
export const PARTS = 3;

/**
 * Ties chunks, pyramids, counts and extents of a period together, and to the id of their station. A table that is of
 * another moment than the rest, as a whole or in a page, does not fit it. Nothing here opens a transaction.
 */
export interface RegisterTable {
  /** @throws DamagedData where chunks of buckets in the range are missing, too many, or of another moment */
  demandHeads(key: ChunkKey, buckets: TimeRange): void;
  /** The same for how many values each chunk of a variable has. */
  demandCounts(key: SeriesKey, buckets: TimeRange): void;
  demandPyramids(key: SeriesKey, buckets: TimeRange): void;
  /** The same for what is covered in the range. @param read extents that reach into a range of whole periods */
  demandCoverage(key: SeriesKey, range: TimeRange, read: (periods: TimeRange) => readonly Covered[]): void;
  /** The same for all stations at once. @param read by station */
  demandCoverages(
    variable: Variable,
    mode: Omit<ChunkKey, "site" | "kind">,
    range: TimeRange,
    read: (periods: TimeRange) => ReadonlyMap<number, readonly Covered[]>,
  ): void;
  changeChunks(key: ChunkKey, gone: readonly Counted[], come: readonly Counted[]): void;
  changeCoverage(key: SeriesKey, gone: readonly Covered[], come: readonly Covered[]): void;
  /** @throws DamagedData where the row itself is damaged */
  find(key: ChunkKey, periodMs: UtcMs): Figures | null;
  /** Which of these stations a number belongs to, by what the register says of it; null where that is not told. */
  ownerOf(site: number, stationIds: readonly string[]): string | null;
  /** Sets what a period adds up to; nothing at all takes its row away. */
  set(key: ChunkKey, periodMs: UtcMs, figures: Figures): void;
}

export interface Covered extends TimeRange {
  /** null: final. */
  readonly fetchedAtMs: UtcMs | null;
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

export function variablesOf(kind: VariableKind): readonly Variable[] {
  return kind === "scalar" ? SCALAR_VARIABLES : SATELLITE_VARIABLES;
}

export function periodLength({ kind, interval }: Pick<ChunkKey, "kind" | "interval">): number {
  return BUCKETS_A_PERIOD * bucketMs(kind, interval === 0 ? null : interval);
}

/** The range grown to whole periods. */
export function wholePeriods(key: Pick<ChunkKey, "kind" | "interval">, { startMs, endMs }: TimeRange): TimeRange {
  const length = periodLength(key);
  const grown = (ms: number, up: number): number =>
    Math.abs(ms) >= ALL_TIME ? ms : bucketStart(ms + up * (length - 1), length);
  return { startMs: grown(startMs, 0), endMs: grown(endMs, 1) };
}

/**
 * Condition for buckets of a range, by the walk through whole periods that was verified: where a damaged key breaks the
 * order of a table, a search for the range itself may miss some. Takes `amongVerified`.
 */
export const AMONG_VERIFIED = "bucket_ms >= ? AND bucket_ms < ? AND +bucket_ms >= ? AND +bucket_ms < ?";

export function amongVerified(
  key: Pick<ChunkKey, "kind" | "interval">,
  buckets: TimeRange,
): [number, number, number, number] {
  const periods = wholePeriods(key, buckets);
  return [periods.startMs, periods.endMs, buckets.startMs, buckets.endMs];
}

export function noFigures(kind: VariableKind): Figures {
  return { chunks: 0, rows: 0, heads: 0, sums: new Float64Array(variablesOf(kind).length * SUMS) };
}

export function sumAt(kind: VariableKind, variable: Variable, sum: number): number {
  return variablesOf(kind).indexOf(variable) * SUMS + sum;
}

/** Adds a chunk to the figures, or takes it away. */
export function addChunk(figures: Figures, kind: VariableKind, chunk: Counted, sign: 1 | -1): void {
  figures.chunks += sign;
  figures.rows += sign * chunk.rows;
  figures.heads += sign * chunk.checksum;
  chunk.variables.forEach((variable, i) => {
    const values = chunk.parts[i * PARTS + PART.count]!;
    figures.sums[sumAt(kind, variable, SUM.values)]! += sign * values;
    figures.sums[sumAt(kind, variable, SUM.weighted)]! += sign * values * (chunk.bucketMs / QUARTER_MS);
    figures.sums[sumAt(kind, variable, SUM.pyramids)]! += sign * chunk.parts[i * PARTS + PART.pyramid]!;
  });
}

/** Adds to `sums` what is covered of each period, or takes it away. */
export function addCovered(
  sums: Map<UtcMs, number>,
  key: Pick<ChunkKey, "kind" | "interval">,
  covered: readonly Covered[],
  sign: 1 | -1,
): void {
  const length = periodLength(key);
  for (const { startMs, endMs, fetchedAtMs } of covered) {
    for (let at = bucketStart(startMs, length); at < endMs; at += length) {
      const part = { startMs: Math.max(startMs, at), endMs: Math.min(endMs, at + length), fetchedAtMs };
      sums.set(at, (sums.get(at) ?? 0) + sign * sumOfCovered(part));
    }
  }
}

export function sumOfCovered({ startMs, endMs, fetchedAtMs }: Covered): number {
  return crc32(`${startMs} ${endMs} ${fetchedAtMs}`);
}

const FIELDS = "site, period_ms AS periodMs, chunks, n, heads, figures, checksum";

export function registerTable(db: Db, sites: SiteTable, verified: Verified): RegisterTable {
  const within = db.prepare<unknown[], Row>(
    `SELECT ${FIELDS} FROM register WHERE ${OF_CHUNK} AND period_ms >= ? AND period_ms < ?`,
  );
  const ofAll = db.prepare<unknown[], Row>(
    `SELECT ${FIELDS} FROM register WHERE kind = ? AND interval_seconds = ? AND raw = ?
       AND period_ms >= ? AND period_ms < ?`,
  );
  const one = db.prepare<unknown[], Row>(`SELECT ${FIELDS} FROM register WHERE ${OF_CHUNK} AND period_ms = ?`);
  const put = db.prepare<unknown[]>("INSERT OR REPLACE INTO register VALUES (?,?,?,?,?,?,?,?,?,?)");
  const drop = db.prepare<unknown[]>(`DELETE FROM register WHERE ${OF_CHUNK} AND period_ms = ?`);
  // Of a bucket before 1970, too: the remainder of a negative number is negative.
  const grouped = (figures: string, table: string, of: string) =>
    db
      .prepare<unknown[], [period: number, first: number, second: number, third: number]>(
        `SELECT bucket_ms - ((bucket_ms % ?) + ?) % ? AS period, ${figures} FROM ${table}
         WHERE ${of} AND bucket_ms >= ? AND bucket_ms < ? GROUP BY period`,
      )
      .raw();
  const heads = grouped("count(*), sum(n), sum(checksum)", "chunk", OF_CHUNK);
  const counts = grouped(
    `sum(n), sum(n * (bucket_ms / ${QUARTER_MS})), 0`,
    "chunk_column INDEXED BY chunk_column_count",
    OF_SERIES,
  );
  const pyramids = grouped("sum(checksum), 0, 0", "pyramid", OF_SERIES);

  const assertFigures = (key: ChunkKey, stationId: string, row: Row): Figures => {
    if (!(row.figures instanceof Uint8Array)) throw new DamagedData("an invalid register");
    demand(row.checksum, checksumOf(key, stationId, row));
    return { chunks: row.chunks, rows: row.n, heads: row.heads, sums: numbersOf(row.figures, key.kind) };
  };
  const figuresIn = (key: ChunkKey, { startMs, endMs }: TimeRange): Map<UtcMs, Figures> => {
    const stationId = sites.nameOf(key.site);
    const rows = within.all(...valuesOfChunk(key), startMs, endMs);
    return new Map(rows.map((row) => [row.periodMs, assertFigures(key, stationId, row)]));
  };
  const find = (key: ChunkKey, periodMs: UtcMs): Figures | null => {
    const row = one.get(...valuesOfChunk(key), periodMs);
    return row ? assertFigures(key, sites.nameOf(key.site), row) : null;
  };
  const set = (key: ChunkKey, periodMs: UtcMs, { chunks, rows, heads: sum, sums }: Figures): void => {
    if (chunks === 0 && sums.every((n) => n === 0)) {
      drop.run(...valuesOfChunk(key), periodMs);
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
    put.run(...valuesOfChunk(key), periodMs, chunks, rows, sum, row.figures, own);
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
    const at = wanted.map((sum) => sumAt(kind, variable, sum));
    verified.demand(`${what} ${site} ${variable} ${interval} ${raw}`, wholePeriods(key, buckets), (part) =>
      compare(what, figuresIn(key, part), read(statement, { site, variable, interval, raw }, part, kind), ({ sums }) =>
        at.map((i) => sums[i]!),
      ),
    );
  };
  const change = (key: ChunkKey, changes: ReadonlyMap<UtcMs, (figures: Figures) => void>): void => {
    for (const [periodMs, apply] of changes) {
      const figures = find(key, periodMs) ?? noFigures(key.kind);
      apply(figures);
      set(key, periodMs, figures);
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
    demandHeads(key, buckets) {
      verified.demand(`chunks ${valuesOfChunk(key).join(" ")}`, wholePeriods(key, buckets), (part) =>
        compare("chunks of another moment, or lost", figuresIn(key, part), read(heads, key, part, key.kind), (f) => [
          f.chunks,
          f.rows,
          f.heads,
        ]),
      );
    },
    demandCounts: (key, buckets) =>
      demandSums("counts of another moment", counts, key, buckets, [SUM.values, SUM.weighted]),
    demandPyramids: (key, buckets) =>
      demandSums("pyramids of another moment, or lost", pyramids, key, buckets, [SUM.pyramids]),
    demandCoverage({ site, variable, interval, raw }, range, readExtents) {
      const key = { site, kind: variableKind(variable), interval, raw };
      const at = sumAt(key.kind, variable, SUM.coverage);
      verified.demand(`extents ${site} ${variable} ${interval} ${raw}`, wholePeriods(key, range), (part) => {
        const found = new Map<UtcMs, number>();
        addCovered(found, key, cut(readExtents(part), part), 1);
        const sums = new Map(Array.from(found, ([periodMs, sum]) => [periodMs, [sum]]));
        compare(OTHER_EXTENTS, figuresIn(key, part), sums, (figures) => [figures.sums[at]!]);
      });
    },
    demandCoverages(variable, { interval, raw }, range, readExtents) {
      const kind = variableKind(variable);
      const at = sumAt(kind, variable, SUM.coverage);
      verified.demand(`extents ${variable} ${interval} ${raw}`, wholePeriods({ kind, interval }, range), (part) => {
        const names = new Map(sites.all().map(({ site, stationId }) => [site, stationId]));
        const rows = Map.groupBy(ofAll.all(kind, interval, raw, part.startMs, part.endMs), ({ site }) => site);
        const extents = readExtents(part);
        for (const site of new Set([...rows.keys(), ...extents.keys()])) {
          const stationId = names.get(site);
          if (stationId === undefined) throw new DamagedData("extents of no station");
          const key = { site, kind, interval, raw };
          const own = (rows.get(site) ?? []).map((row) => [row.periodMs, assertFigures(key, stationId, row)] as const);
          const found = new Map<UtcMs, number>();
          addCovered(found, key, cut(extents.get(site) ?? [], part), 1);
          const sums = new Map(Array.from(found, ([periodMs, sum]) => [periodMs, [sum]]));
          compare(OTHER_EXTENTS, new Map(own), sums, (figures) => [figures.sums[at]!]);
        }
      });
    },
    changeChunks(key, gone, come) {
      const length = periodLength(key);
      const byPeriod = Map.groupBy(
        [...gone.map((chunk) => ({ chunk, sign: -1 as const })), ...come.map((chunk) => ({ chunk, sign: 1 as const }))],
        ({ chunk }) => bucketStart(chunk.bucketMs, length),
      );
      const changes = Array.from(byPeriod, ([periodMs, own]): [UtcMs, (figures: Figures) => void] => [
        periodMs,
        (figures) => {
          for (const { chunk, sign } of own) addChunk(figures, key.kind, chunk, sign);
        },
      ]);
      change(key, new Map(changes));
    },
    changeCoverage({ site, variable, interval, raw }, gone, come) {
      const key = { site, kind: variableKind(variable), interval, raw };
      const sums = new Map<UtcMs, number>();
      addCovered(sums, key, gone, -1);
      addCovered(sums, key, come, 1);
      const at = sumAt(key.kind, variable, SUM.coverage);
      const changes = [...sums].filter(([, sum]) => sum !== 0);
      change(
        key,
        new Map(changes.map(([periodMs, sum]) => [periodMs, (figures: Figures) => void (figures.sums[at]! += sum)])),
      );
    },
  };
}

const OTHER_EXTENTS = "extents of another moment, or lost";

/** Compares what a table adds up to with what the register says, period by period. @throws DamagedData */
function compare(
  what: string,
  expected: ReadonlyMap<UtcMs, Figures>,
  found: ReadonlyMap<UtcMs, readonly number[]>,
  told: (figures: Figures) => readonly number[],
): void {
  for (const [periodMs, figures] of expected) {
    const own = found.get(periodMs);
    if (told(figures).some((n, i) => n !== (own?.[i] ?? 0))) throw new DamagedData(what);
  }
  for (const [periodMs, own] of found)
    if (!expected.has(periodMs) && own.some((n) => n !== 0)) throw new DamagedData(what);
}

/** What of the extents lies in the range. */
function cut(extents: readonly Covered[], { startMs, endMs }: TimeRange): Covered[] {
  return extents.flatMap((extent) => {
    const part = { ...extent, startMs: Math.max(extent.startMs, startMs), endMs: Math.min(extent.endMs, endMs) };
    return part.startMs < part.endMs ? [part] : [];
  });
}

function numbersOf(bytes: Uint8Array, kind: VariableKind): Float64Array {
  const { sums } = noFigures(kind);
  // Copied: the bytes need not lie where numbers may.
  new Uint8Array(sums.buffer).set(bytes.subarray(0, sums.byteLength));
  return sums;
}

function checksumOf(key: ChunkKey, stationId: string, row: Omit<Row, "site" | "checksum">): number {
  const { periodMs, chunks, n, heads } = row;
  return checksum([stationId, ...valuesOfChunk(key), periodMs, chunks, n, heads], row.figures);
}
