import type { Coverage } from "#shared/series/rows.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import { isEmpty, type TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { decodeChunk, type EncodedChunk, encodeChunk } from "../chunks/chunk.ts";
import { addCoverage } from "../chunks/coverage.ts";
import { areSameRows, dropAbsent, joinRows } from "../chunks/rows.ts";
import type { BucketRow } from "../tables/bucketRow.ts";
import type { BucketChange } from "../tables/chunks.ts";
import { coverageIn, extentsByBucket } from "../tables/coverage.ts";
import type { Tables } from "../tables/index.ts";
import { bucketLength, bucketsIn, type ChunkKey, modeKey } from "../tables/keys.ts";
import type { CoverageJudge, ResponseScope, SeriesPart } from "../types.ts";
import type { StationChunks } from "./writer.ts";

/**
 * Writes rows and coverage of one response. Must run inside one immediate transaction: stored rows are read here, so
 * that two processes that write the same file never lose each other's rows.
 *
 * @returns bytes of the blobs written
 */
export function writeResponse(
  tables: Tables,
  scope: ResponseScope,
  stations: readonly StationChunks[],
  judge: CoverageJudge,
): number {
  if (isEmpty(scope.range)) return 0;
  let bytes = 0;
  for (const { stationId, kinds } of stations) {
    for (const { kind, variables, chunks } of kinds) {
      bytes += changeBuckets(tables, { stationId, kind, ...modeKey(scope) }, scope.range, {
        chunks,
        variables,
        coverage: (variable, before) => addCoverage(before, judge(stationId, variable, before)),
      });
    }
  }
  return bytes;
}

/** Implements `Cache.amendCoverage`. Must run inside one immediate transaction. */
export function amendCoverage(
  tables: Tables,
  parts: readonly SeriesPart[],
  amend: (before: Coverage, part: SeriesPart) => Coverage,
): void {
  for (const part of parts) {
    const { stationId, variable, range } = part;
    if (isEmpty(range)) continue;
    changeBuckets(tables, { stationId, kind: variableKind(variable), ...modeKey(part) }, range, {
      chunks: new Map(),
      variables: [variable],
      coverage: (_, before) => amend(before, part),
    });
  }
}

interface Arrived {
  /** Rows to add, by bucket. */
  readonly chunks: ReadonlyMap<UtcMs, EncodedChunk>;
  /** The variables whose coverage changes. */
  readonly variables: readonly Variable[];
  /** Returns the coverage in the buckets of the range, given the coverage there before. */
  readonly coverage: (variable: Variable, before: Coverage) => Coverage;
}

/** Changes the buckets that a range touches. Returns the bytes of the blobs written. */
function changeBuckets(tables: Tables, key: ChunkKey, range: TimeRange, arrived: Arrived): number {
  const lengthMs = bucketLength(key);
  const hull = bucketsIn(key, range);
  const rows = tables.buckets.read(key, hull);
  const stored = new Map(rows.map((row) => [row.bucketMs, row]));
  const after = arrived.variables.map((variable) => {
    const coverage = arrived.coverage(variable, coverageIn(rows, variable));
    return { variable, extents: extentsByBucket(coverage, lengthMs, hull) };
  });
  const changes: BucketChange[] = [];
  for (let bucketMs = hull.startMs; bucketMs < hull.endMs; bucketMs += lengthMs) {
    const fresh = arrived.chunks.get(bucketMs);
    const row = stored.get(bucketMs);
    const extents = new Map(after.map(({ variable, extents: own }) => [variable, own.get(bucketMs) ?? []]));
    const chunk = fresh ? (row && row.rows > 0 ? addRows(tables, key, row, fresh) : fresh) : null;
    changes.push({ bucketMs, chunk, kept: null, extents });
  }
  return tables.chunks.write(key, changes);
}

/**
 * Returns the bucket with the values of a response added to the stored ones; null if it has them all, as after a question
 * about a gap, which includes the values beside it.
 */
function addRows(tables: Tables, key: ChunkKey, row: BucketRow, fresh: EncodedChunk): EncodedChunk | null {
  const before = decodeChunk(tables.chunks.columnsOf(key, row, row.variables));
  const joined = dropAbsent(joinRows(before, decodeChunk(fresh)));
  return areSameRows(before, joined) ? null : encodeChunk(joined);
}
