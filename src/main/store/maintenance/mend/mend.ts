import { codeOf } from "#shared/thrown.ts";
import type { CacheDamage } from "#shared/series/damage.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketStart } from "../../chunks/bucket.ts";
import { type EncodedChunk, encodeChunk } from "../../chunks/chunk.ts";
import type { Db } from "../../database/database.ts";
import { DamagedData } from "../../errors.ts";
import type { Tables } from "../../tables/index.ts";
import { type ChunkKey, OF_CHUNK, OF_SERIES, valuesOfChunk, valuesOfSeries } from "../../tables/keys.ts";
import {
  addChunk,
  addCovered,
  type Counted,
  type Covered,
  noFigures,
  PARTS,
  periodLength,
  SUM,
  sumAt,
  variablesOf,
  wholePeriods,
} from "../../tables/register.ts";
import { type Diagnosis, type Examiner, examiner } from "./examine.ts";

/** Finds what is damaged, and leaves out what is, together with its coverage: so it is asked again. */
export interface Mender {
  /** The periods of a key in which anything lies, or should, as far as they reach into the range. */
  periods(key: ChunkKey, range: TimeRange): readonly UtcMs[];
  examine: Examiner["examine"];
  /** Must run in one immediate transaction. @returns what was damaged */
  mend(key: ChunkKey, periodMs: UtcMs): readonly CacheDamage[];
  /** All keys of a station of which anything lies in the file. */
  keys(site: number): readonly ChunkKey[];
}

/** @param isTolerant whether what SQLite cannot read counts as lost; such a mender only examines */
export function mender(db: Db, tables: Tables, isTolerant = false): Mender {
  const { examine } = examiner(db, tables, isTolerant);
  const all = <T>(read: () => readonly T[]): readonly T[] => {
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
  const dropHead = db.prepare<unknown[]>(`DELETE FROM chunk WHERE ${OF_CHUNK} AND bucket_ms = ?`);
  const dropOf = (["chunk_column", "pyramid"] as const).map((table) =>
    db.prepare<unknown[]>(`DELETE FROM ${table} WHERE ${OF_SERIES} AND bucket_ms = ?`),
  );
  const pyramidSum = db
    .prepare<unknown[], number>(
      `SELECT coalesce(sum(checksum), 0) FROM pyramid WHERE ${OF_SERIES} AND bucket_ms >= ? AND bucket_ms < ?`,
    )
    .pluck();
  let isIndexed = false;

  const removeBucket = (key: ChunkKey, bucketMs: UtcMs): void => {
    dropHead.run(...valuesOfChunk(key), bucketMs);
    for (const variable of variablesOf(key.kind))
      for (const drop of dropOf) drop.run(...valuesOfSeries({ ...key, variable }), bucketMs);
  };

  /** Writes the register of the period from what lies there now, which was found to be sound. */
  const sumUpAgain = (key: ChunkKey, period: TimeRange, diagnosis: Diagnosis, gone: ReadonlySet<UtcMs>): void => {
    const figures = noFigures(key.kind);
    for (const head of diagnosis.sound) {
      if (gone.has(head.bucketMs)) continue;
      const parts = head.parts ?? new Uint32Array(head.variables.length * PARTS);
      if (head.parts === null)
        head.variables.forEach((variable, i) => {
          parts[i * PARTS + 2] = tables.columns.find({ ...key, variable }, head.bucketMs)?.count ?? 0;
        });
      const counted: Counted = { ...head, parts };
      addChunk(figures, key.kind, counted, 1);
    }
    for (const variable of variablesOf(key.kind)) {
      const series = { ...key, variable };
      const at = (sum: number): number => sumAt(key.kind, variable, sum);
      figures.sums[at(SUM.pyramids)] = pyramidSum.get(...valuesOfSeries(series), period.startMs, period.endMs)!;
      const sums = new Map<UtcMs, number>();
      addCovered(sums, key, within(tables.extents.checkedParts(series, period, false).covered, period), 1);
      figures.sums[at(SUM.coverage)] = sums.get(period.startMs) ?? 0;
    }
    tables.register.set(key, period.startMs, figures);
  };

  return {
    examine,
    keys(site) {
      const found = new Map<string, ChunkKey>();
      const put = (key: ChunkKey): void => void found.set(valuesOfChunk(key).join(), key);
      for (const key of all(() => keysOf.all(site, site))) {
        if (key.kind === "scalar" || key.kind === "satellite") put({ site, ...key });
      }
      for (const statement of seriesOf)
        for (const { variable, interval, raw } of all(() => statement.all(site))) {
          const kind = variablesOf("scalar").some((v) => v === variable) ? "scalar" : "satellite";
          put({ site, kind, interval, raw });
        }
      return [...found.values()];
    },
    periods(key, range) {
      const { startMs, endMs } = wholePeriods(key, range);
      const length = periodLength(key);
      const starts = new Set<UtcMs>(all(() => registered.all(...valuesOfChunk(key), startMs, endMs)));
      for (const ms of all(() => bucketsOf.all(...valuesOfChunk(key), startMs, endMs)))
        starts.add(bucketStart(ms, length));
      for (const variable of variablesOf(key.kind)) {
        const series = { ...key, variable };
        for (const ms of all(() => columnBuckets.all(...valuesOfSeries(series), startMs, endMs)))
          starts.add(bucketStart(ms, length));
        const sums = new Map<UtcMs, number>();
        addCovered(
          sums,
          key,
          within(tables.extents.checkedParts(series, range, isTolerant).covered, { startMs, endMs }),
          1,
        );
        for (const ms of sums.keys()) starts.add(ms);
      }
      return [...starts].toSorted((a, b) => a - b);
    },
    mend(key, periodMs) {
      const period = { startMs: periodMs, endMs: periodMs + periodLength(key) };
      let diagnosis = examine(key, periodMs);
      if (diagnosis.damages.length === 0) return [];
      if (diagnosis.isIndexDoubtful && !isIndexed) {
        // Once is enough, and takes a while. What an index hid is there again.
        isIndexed = true;
        indexAgain(db);
        tables.verified.forget();
        diagnosis = examine(key, periodMs);
        if (diagnosis.damages.length === 0) return [];
      }
      // What is sound but for its pyramid is read first, and written as if it was new.
      const again = diagnosis.withoutPyramid.map((at): EncodedChunk => {
        const head = diagnosis.sound.find(({ bucketMs }) => bucketMs === at)!;
        const rows = tables.chunks.readUnverified(key, head, head.variables);
        return encodeChunk(at, rows);
      });
      tables.caches.forget(key, variablesOf(key.kind));
      for (const at of [...diagnosis.badBuckets, ...diagnosis.withoutPyramid]) removeBucket(key, at);
      for (const [variable, known] of diagnosis.coverage) {
        const series = { ...key, variable };
        const before = tables.extents.checkedParts(series, period, false).covered;
        tables.extents.rewrite(series, period, known);
        // Cuts at whole intervals may reach a little beyond the period.
        const after = tables.extents.checkedParts(series, hullOf(before, period), false).covered;
        tables.register.changeCoverage(series, outside(before, period), outside(after, period));
      }
      sumUpAgain(key, period, diagnosis, new Set(diagnosis.withoutPyramid));
      tables.verified.forget();
      if (again.length > 0) tables.chunks.write(key, again, variablesOf(key.kind));
      return diagnosis.damages;
    },
  };
}

/** What an index hid is there again. @throws DamagedData where it was written a second time meanwhile */
function indexAgain(db: Db): void {
  try {
    db.exec("REINDEX chunk_column");
  } catch (thrown) {
    if (codeOf(thrown) !== "SQLITE_CONSTRAINT_UNIQUE") throw thrown;
    throw new DamagedData("values that are there twice", { cause: thrown });
  }
}

/** All kinds and modes of one station in a range, or those that are wanted. @throws DamagedData where it is unknown */
export function mendStation(
  { keys, periods, mend }: Mender,
  site: number,
  wants: (key: ChunkKey) => boolean,
  range: TimeRange,
): CacheDamage[] {
  return keys(site)
    .filter(wants)
    .flatMap((key) => periods(key, range).flatMap((periodMs) => mend(key, periodMs)));
}

/** Whether damage means that rows are to be asked again. */
export function costsRows({ what }: CacheDamage): boolean {
  return what !== "summary";
}

function within(covered: readonly Covered[], { startMs, endMs }: TimeRange): Covered[] {
  return covered.flatMap((part) => {
    const cut = { ...part, startMs: Math.max(part.startMs, startMs), endMs: Math.min(part.endMs, endMs) };
    return cut.startMs < cut.endMs ? [cut] : [];
  });
}

function outside(covered: readonly Covered[], { startMs, endMs }: TimeRange): Covered[] {
  return [...within(covered, { startMs: -9e15, endMs: startMs }), ...within(covered, { startMs: endMs, endMs: 9e15 })];
}

function hullOf(covered: readonly Covered[], range: TimeRange): TimeRange {
  return covered.reduce<TimeRange>(
    (hull, part) => ({ startMs: Math.min(hull.startMs, part.startMs), endMs: Math.max(hull.endMs, part.endMs) }),
    range,
  );
}
