import type { CacheDamage } from "#shared/series/cache.ts";
import type { Coverage } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { alignOutward } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketStart } from "../../chunks/bucket.ts";
import { decodeChunk, type StoredColumn } from "../../chunks/chunk.ts";
import type { Db } from "../../database/database.ts";
import { DamagedData } from "../../errors.ts";
import { addCoverage, coverageOfExtents, removeRange } from "../../chunks/coverage.ts";
import { assertColumnChecksum, type HeadRow, type SealedHead, assertHead } from "../../tables/heads.ts";
import type { Tables } from "../../tables/index.ts";
import {
  bucketLength,
  type ChunkKey,
  OF_CHUNK,
  OF_SERIES,
  valuesOfChunk,
  valuesOfSeries,
  variablesOfKind,
} from "../../tables/keys.ts";
import {
  extentChecksum,
  extentSums,
  NUMBERS_PER_PART,
  PART,
  periodLength,
  SUM,
  sumIndex,
} from "../../tables/periodTotals.ts";

/** The state of one kind and station in one period of the register. */
export interface Diagnosis {
  readonly damages: readonly CacheDamage[];
  /** Chunks that are as they were written, except perhaps their pyramids. */
  readonly sound: readonly SealedHead[];
  /** Buckets of all other data in the period. */
  readonly badBuckets: readonly UtcMs[];
  /** Sound chunks with a pyramid that is damaged or lost. */
  readonly withoutPyramid: readonly UtcMs[];
  /** Coverage that the sound chunks prove; not cut to the period. */
  readonly coverage: ReadonlyMap<Variable, Coverage>;
  /** Whether an index of the column table is wrong, or a column is lost. */
  readonly isIndexDoubtful: boolean;
}

export interface Examiner {
  /** @throws DamagedData if the station is unknown, and what SQLite throws unless tolerant */
  examine(key: ChunkKey, periodMs: UtcMs): Diagnosis;
}

/**
 * Creates an examiner, which finds the sound data of a period. It changes nothing.
 *
 * @param isTolerant whether unreadable rows count as lost
 */
export function createExaminer(db: Db, tables: Tables, isTolerant: boolean): Examiner {
  const within = "bucket_ms >= ? AND bucket_ms < ?";
  const rowsOf = <T extends object>(sql: string) => tolerantRows<T>(db, sql, "bucket_ms", isTolerant);
  const headRows = rowsOf<HeadRow>(
    `SELECT bucket_ms AS bucketMs, n AS rows, first_ms AS firstMs, last_ms AS lastMs, variables, times, checksum, parts
     FROM chunk WHERE ${OF_CHUNK} AND ${within}`,
  );
  const columnKeys = rowsOf<{ readonly bucketMs: UtcMs; readonly n: number }>(
    `SELECT bucket_ms AS bucketMs, n FROM chunk_column INDEXED BY chunk_column_count WHERE ${OF_SERIES} AND ${within}`,
  );
  const pyramidKeys = rowsOf<{ readonly bucketMs: UtcMs }>(
    `SELECT bucket_ms AS bucketMs FROM pyramid WHERE ${OF_SERIES} AND ${within}`,
  );
  const attempt = <T>(work: () => T): T | null => {
    try {
      return work();
    } catch (thrown) {
      if (isTolerant || thrown instanceof DamagedData) return null;
      throw thrown;
    }
  };

  const columnsOf = (key: ChunkKey, head: SealedHead): Map<Variable, StoredColumn> => {
    const columns = new Map<Variable, StoredColumn>();
    for (const variable of head.variables) {
      const column = tables.columns.find({ ...key, variable }, head.bucketMs);
      if (!column) throw new DamagedData("a chunk that lost a column");
      assertColumnChecksum(head, variable, column.checksum);
      columns.set(variable, column);
    }
    return columns;
  };
  const hasPyramids = (key: ChunkKey, { variables, parts, bucketMs: at }: SealedHead): boolean =>
    key.kind === "satellite" ||
    variables.every((variable, i) => {
      const seal = attempt(() => tables.pyramids.seal({ ...key, variable }, at));
      const wanted = parts?.[i * NUMBERS_PER_PART + PART.pyramid];
      return seal !== null && seal.fits && (wanted === undefined || wanted === seal.checksum);
    });

  return {
    examine(key, periodMs) {
      const period = { startMs: periodMs, endMs: periodMs + periodLength(key) };
      const lengthMs = bucketLength(key);
      const stationId = tables.sites.nameOf(key.site);
      const all = variablesOfKind(key.kind);
      const bad = new Map<UtcMs, readonly Variable[]>();
      const heads = new Map<UtcMs, SealedHead>();
      let isIndexDoubtful = false;

      const storedHeads = headRows([...valuesOfChunk(key), period.startMs, period.endMs]);
      for (const row of storedHeads.rows) {
        const head = attempt(() => assertHead(key, stationId, row));
        if (head) heads.set(head.bucketMs, head);
        else bad.set(row.bucketMs, all);
      }
      for (const variable of all) {
        const values = [...valuesOfSeries({ ...key, variable }), period.startMs, period.endMs];
        const counts = new Map(columnKeys(values).rows.map(({ bucketMs: at, n }) => [at, n]));
        for (const at of [...counts.keys(), ...pyramidKeys(values).rows.map((row) => row.bucketMs)]) {
          if (!heads.get(at)?.variables.includes(variable)) bad.set(at, all);
        }
        for (const { bucketMs: at, variables, parts } of heads.values()) {
          const i = variables.indexOf(variable);
          if (i >= 0 && parts && counts.get(at) !== parts[i * NUMBERS_PER_PART + PART.count]) isIndexDoubtful = true;
        }
      }
      const withoutPyramid: UtcMs[] = [];
      for (const [at, head] of heads) {
        const columns = bad.has(at) ? null : attempt(() => columnsOf(key, head));
        const isSound = columns && attempt(() => decodeChunk({ ...head, columns }, head.variables)) !== null;
        if (!columns) isIndexDoubtful = true;
        if (!isSound) bad.set(at, head.variables);
        else if (!hasPyramids(key, head)) withoutPyramid.push(at);
      }

      const figures = attempt(() => tables.register.find(key, periodMs));
      // The stored checksums of all chunks match, even if other fields are damaged: none is of another state.
      const isWhole =
        storedHeads.isWhole &&
        (figures?.chunks ?? 0) === storedHeads.rows.length &&
        (figures?.heads ?? 0) === storedHeads.rows.reduce((sum, { checksum }) => sum + checksum, 0);
      const cuts = Array.from(bad.keys(), (at) => {
        const startMs = bucketStart(at, lengthMs);
        const bucket = { startMs, endMs: startMs + lengthMs };
        return key.interval === 0 ? bucket : alignOutward(bucket, key.interval);
      });
      const doubtful: Variable[] = [];
      const coverage = new Map<Variable, Coverage>();
      for (const variable of all) {
        const extents = tables.extents.checkedParts({ ...key, variable }, period, isTolerant);
        const registered = figures?.sums[sumIndex(key.kind, variable, SUM.coverage)] ?? 0;
        const found = extentSums(key, extents.covered, period).get(periodMs) ?? 0;
        const isProven = isWhole && extents.isWhole && found === registered;
        // If all of the period is final according to the register, a lost extent is known.
        const isRestored = !isProven && isWhole && registered === extentChecksum({ ...period, fetchedAtMs: null });
        const isRequested = extents.covered.length > 0 || !extents.isWhole || registered !== 0;
        if (!isProven && !isRestored && isRequested) doubtful.push(variable);
        const removed = isProven || isRestored ? cuts : [period];
        const stored = coverageOfExtents(extents.covered);
        const known = isRestored ? addCoverage(stored, { final: [period], provisional: [] }) : stored;
        coverage.set(
          variable,
          removed.reduce((left, range) => removeRange(left, range), known),
        );
      }

      const of = { stationId, intervalSeconds: key.interval === 0 ? null : key.interval, raw: key.raw === 1 };
      const damages: CacheDamage[] = Array.from(bad, ([at, variables]) => {
        const startMs = bucketStart(at, lengthMs);
        return { ...of, variables, range: { startMs, endMs: startMs + lengthMs }, what: "rows" };
      });
      if (doubtful.length > 0) damages.push({ ...of, variables: doubtful, range: period, what: "coverage" });
      const isRegisterLost = !isWhole && doubtful.length === 0;
      if (withoutPyramid.length > 0 || ((isRegisterLost || isIndexDoubtful) && damages.length === 0))
        damages.push({ ...of, variables: all, range: period, what: "summary" });
      return {
        damages,
        sound: [...heads.values()].filter(({ bucketMs: at }) => !bad.has(at)),
        badBuckets: [...bad.keys()],
        withoutPyramid,
        coverage,
        isIndexDoubtful,
      };
    },
  };
}

interface FoundRows<T> {
  readonly rows: readonly T[];
  /** Whether all rows were readable. */
  readonly isWhole: boolean;
}

/**
 * Prepares a statement that reads as many rows as possible: from both ends up to the damaged part.
 *
 * @param isTolerant false: errors of SQLite are thrown
 */
function tolerantRows<T extends object>(
  db: Db,
  sql: string,
  orderedBy: string,
  isTolerant: boolean,
): (values: readonly unknown[]) => FoundRows<T> {
  const forward = db.prepare<unknown[], T>(`${sql} ORDER BY ${orderedBy}`);
  const backward = db.prepare<unknown[], T>(`${sql} ORDER BY ${orderedBy} DESC`);
  const upToBreak = (statement: typeof forward, values: readonly unknown[]): FoundRows<T> => {
    const rows: T[] = [];
    try {
      for (const row of statement.iterate(...values)) rows.push(row);
      return { rows, isWhole: true };
    } catch (thrown) {
      if (!isTolerant) throw thrown;
      return { rows, isWhole: false };
    }
  };
  return (values) => {
    const first = upToBreak(forward, values);
    if (first.isWhole) return first;
    const known = new Set(first.rows.map((row) => JSON.stringify(row)));
    const rest = upToBreak(backward, values).rows.filter((row) => !known.has(JSON.stringify(row)));
    return { rows: [...first.rows, ...rest], isWhole: false };
  };
}
