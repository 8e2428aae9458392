import { codeOf } from "#shared/fault.ts";
import type { CacheDamage } from "#shared/series/cache.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { defined } from "#shared/defined.ts";
import { ALL_TIME, bucketStart } from "../../chunks/bucket.ts";
import { clipExtents, type Extent } from "../../chunks/coverage.ts";
import { type EncodedChunk, encodeChunk } from "../../chunks/chunk.ts";
import type { Db } from "../../database/database.ts";
import { DamagedData } from "../../errors.ts";
import type { Tables } from "../../tables/index.ts";
import {
  type ChunkKey,
  OF_CHUNK,
  OF_SERIES,
  valuesOfChunk,
  valuesOfSeries,
  variablesOfKind,
} from "../../tables/keys.ts";
import {
  addChunk,
  emptyTotals,
  extentSums,
  periodLength,
  SUM,
  sumIndex,
  wholePeriods,
} from "../../tables/periodTotals.ts";
import { type Diagnosis, type Examiner, createExaminer } from "./examiner.ts";

/** Finds damaged data and removes them together with their coverage, so that they are requested again. */
interface Repairer {
  /** Returns the periods of a key that contain data, or should, and overlap the range. */
  periods(key: ChunkKey, range: TimeRange): readonly UtcMs[];
  examine: Examiner["examine"];
  /** Repairs a period. Must run in one immediate transaction. @returns the damage that was found */
  repairPeriod(key: ChunkKey, periodMs: UtcMs): readonly CacheDamage[];
  /** Returns all keys of a station with any data in the file. */
  keys(site: number): readonly ChunkKey[];
}

/** @param isTolerant whether unreadable rows count as lost; such a repairer only examines */
export function createRepairer(db: Db, tables: Tables, isTolerant = false): Repairer {
  const { examine } = createExaminer(db, tables, isTolerant);
  const tryAll = <T>(read: () => readonly T[]): readonly T[] => {
    try {
      return read();
    } catch (thrown) {
      if (!isTolerant) throw thrown;
      return [];
    }
  };
  const KEY = "interval_seconds AS interval, raw";
  const keysOf = db.prepare<[number, number], Omit<ChunkKey, "site">>(
    `SELECT kind, ${KEY} FROM chunk WHERE site = ? UNION SELECT kind, ${KEY} FROM register WHERE site = ?`,
  );
  const seriesOf = (["chunk_column", "pyramid", "extent"] as const).map((table) =>
    db.prepare<[number], { variable: string; interval: number; raw: 0 | 1 }>(
      `SELECT DISTINCT variable, ${KEY} FROM ${table} WHERE site = ?`,
    ),
  );
  const bucketsOf = db
    .prepare<unknown[], number>(`SELECT bucket_ms FROM chunk WHERE ${OF_CHUNK} AND bucket_ms >= ? AND bucket_ms < ?`)
    .pluck();
  const columnBuckets = db
    .prepare<unknown[], number>(
      `SELECT bucket_ms FROM chunk_column INDEXED BY chunk_column_count
       WHERE ${OF_SERIES} AND bucket_ms >= ? AND bucket_ms < ?`,
    )
    .pluck();
  const registered = db
    .prepare<unknown[], number>(`SELECT period_ms FROM register WHERE ${OF_CHUNK} AND period_ms >= ? AND period_ms < ?`)
    .pluck();
  const deleteHead = db.prepare<unknown[]>(`DELETE FROM chunk WHERE ${OF_CHUNK} AND bucket_ms = ?`);
  const deletePart = (["chunk_column", "pyramid"] as const).map((table) =>
    db.prepare<unknown[]>(`DELETE FROM ${table} WHERE ${OF_SERIES} AND bucket_ms = ?`),
  );
  const pyramidSum = db
    .prepare<unknown[], number>(
      `SELECT coalesce(sum(checksum), 0) FROM pyramid WHERE ${OF_SERIES} AND bucket_ms >= ? AND bucket_ms < ?`,
    )
    .pluck();
  let isReindexed = false;

  const removeBucket = (key: ChunkKey, bucketMs: UtcMs): void => {
    deleteHead.run(...valuesOfChunk(key), bucketMs);
    for (const variable of variablesOfKind(key.kind))
      for (const statement of deletePart) statement.run(...valuesOfSeries({ ...key, variable }), bucketMs);
  };

  /** Rewrites the register of the period from its sound data. */
  const registerPeriod = (
    key: ChunkKey,
    period: TimeRange,
    diagnosis: Diagnosis,
    rewritten: ReadonlySet<UtcMs>,
  ): void => {
    const figures = emptyTotals(key.kind);
    for (const head of diagnosis.sound) {
      if (!rewritten.has(head.bucketMs)) addChunk(figures, key.kind, tables.chunks.counted(key, head), 1);
    }
    for (const variable of variablesOfKind(key.kind)) {
      const series = { ...key, variable };
      const at = (sum: number): number => sumIndex(key.kind, variable, sum);
      figures.sums[at(SUM.pyramids)] = defined(pyramidSum.get(...valuesOfSeries(series), period.startMs, period.endMs));
      const { covered } = tables.extents.checkedParts(series, period, false);
      figures.sums[at(SUM.coverage)] = extentSums(key, covered, period).get(period.startMs) ?? 0;
    }
    tables.register.set(key, period.startMs, figures);
  };

  return {
    examine,
    keys(site) {
      const found = new Map<string, ChunkKey>();
      const put = (key: ChunkKey): void => void found.set(valuesOfChunk(key).join(), key);
      for (const key of tryAll(() => keysOf.all(site, site))) {
        if (key.kind === "scalar" || key.kind === "satellite") put({ site, ...key });
      }
      for (const statement of seriesOf)
        for (const { variable, interval, raw } of tryAll(() => statement.all(site))) {
          const kind = variablesOfKind("scalar").some((v) => v === variable) ? "scalar" : "satellite";
          put({ site, kind, interval, raw });
        }
      return [...found.values()];
    },
    periods(key, range) {
      const { startMs, endMs } = wholePeriods(key, range);
      const length = periodLength(key);
      const starts = new Set<UtcMs>(tryAll(() => registered.all(...valuesOfChunk(key), startMs, endMs)));
      for (const ms of tryAll(() => bucketsOf.all(...valuesOfChunk(key), startMs, endMs)))
        starts.add(bucketStart(ms, length));
      for (const variable of variablesOfKind(key.kind)) {
        const series = { ...key, variable };
        for (const ms of tryAll(() => columnBuckets.all(...valuesOfSeries(series), startMs, endMs)))
          starts.add(bucketStart(ms, length));
        const { covered } = tables.extents.checkedParts(series, range, isTolerant);
        for (const ms of extentSums(key, covered, { startMs, endMs }).keys()) starts.add(ms);
      }
      return [...starts].toSorted((a, b) => a - b);
    },
    repairPeriod(key, periodMs) {
      const period = { startMs: periodMs, endMs: periodMs + periodLength(key) };
      let diagnosis = examine(key, periodMs);
      if (diagnosis.damages.length === 0) return [];
      if (diagnosis.isIndexDoubtful && !isReindexed) {
        // Once is enough, and takes a while. Rows that a damaged index hid are visible afterwards.
        isReindexed = true;
        reindex(db);
        tables.verified.forget();
        diagnosis = examine(key, periodMs);
        if (diagnosis.damages.length === 0) return [];
      }
      // Read chunks whose only damage is their pyramid, and write them as new ones.
      const rewritten = diagnosis.withoutPyramid.map((at): EncodedChunk => {
        const head = defined(diagnosis.sound.find(({ bucketMs }) => bucketMs === at));
        const rows = tables.chunks.readUnverified(key, head, head.variables);
        return encodeChunk(at, rows);
      });
      tables.readCache.forget(key, variablesOfKind(key.kind));
      for (const at of [...diagnosis.badBuckets, ...diagnosis.withoutPyramid]) removeBucket(key, at);
      for (const [variable, known] of diagnosis.coverage) {
        const series = { ...key, variable };
        const before = tables.extents.checkedParts(series, period, false).covered;
        tables.extents.rewrite(series, period, known);
        // Cuts at whole intervals may extend a little beyond the period.
        const after = tables.extents.checkedParts(series, hullOf(before, period), false).covered;
        tables.register.changeCoverage(series, outside(before, period), outside(after, period));
      }
      registerPeriod(key, period, diagnosis, new Set(diagnosis.withoutPyramid));
      tables.verified.forget();
      if (rewritten.length > 0) tables.chunks.write(key, rewritten, variablesOfKind(key.kind));
      return diagnosis.damages;
    },
  };
}

/**
 * Rebuilds the index, so that rows it hid are visible again.
 *
 * @throws DamagedData if a hidden row was written a second time meanwhile
 */
function reindex(db: Db): void {
  try {
    db.exec("REINDEX chunk_column");
  } catch (thrown) {
    if (codeOf(thrown) !== "SQLITE_CONSTRAINT_UNIQUE") throw thrown;
    throw new DamagedData("values that are there twice", { cause: thrown });
  }
}

/** Repairs the chunks of one station in a range that `wants` accepts. @throws DamagedData if the station is unknown */
export function repairStation(
  { keys, periods, repairPeriod }: Repairer,
  site: number,
  wants: (key: ChunkKey) => boolean,
  range: TimeRange,
): CacheDamage[] {
  return keys(site)
    .filter(wants)
    .flatMap((key) => periods(key, range).flatMap((periodMs) => repairPeriod(key, periodMs)));
}

function outside(extents: readonly Extent[], { startMs, endMs }: TimeRange): Extent[] {
  return [
    ...clipExtents(extents, { startMs: ALL_TIME.startMs, endMs: startMs }),
    ...clipExtents(extents, { startMs: endMs, endMs: ALL_TIME.endMs }),
  ];
}

function hullOf(extents: readonly Extent[], range: TimeRange): TimeRange {
  return extents.reduce<TimeRange>(
    (hull, part) => ({ startMs: Math.min(hull.startMs, part.startMs), endMs: Math.max(hull.endMs, part.endMs) }),
    range,
  );
}
